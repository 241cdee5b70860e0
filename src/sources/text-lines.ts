/**
 * Text files of any size as batches of lines: plain, gzip, or a member of a zip archive, which is inflated while it
 * is read, so that memory stays small whatever the file's size.
 */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { openPromise } from 'yauzl';

/** How far a file is read; the share is of its bytes on disk and never falls. */
export type ReadProgress = (share: number) => void;

/**
 * The lines of a file without their line ends, in batches, empty lines left out; a byte order mark is dropped.
 * In a zip archive the first member whose name `isMember` admits is read. Throws an Error that names the file when it
 * cannot be read, is a damaged archive, or has no such member.
 */
export async function* textLines(
  path: string,
  isMember: (name: string) => boolean = (name) => name.endsWith('.txt'),
): AsyncGenerator<string[]> {
  const text = new TextDecoder('utf-8');
  let rest = '';
  const bytes = path.endsWith('.zip')
    ? zipMember(path, isMember)
    : path.endsWith('.gz')
      ? createReadStream(path, { highWaterMark: 1 << 20 }).pipe(createGunzip({ chunkSize: 1 << 20 }))
      : createReadStream(path, { highWaterMark: 1 << 20 });
  try {
    for await (const chunk of bytes) {
      const lines = (rest + text.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() as string;
      yield withoutBlank(lines);
    }
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  yield withoutBlank([rest + text.decode()]);
}

function withoutBlank(lines: string[]): string[] {
  const kept: string[] = [];
  for (const line of lines) {
    const content = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (content !== '') kept.push(content);
  }
  return kept;
}

async function* zipMember(path: string, isMember: (name: string) => boolean): AsyncGenerator<Buffer> {
  const archive = await openPromise(path, { autoClose: false, lazyEntries: true });
  try {
    for await (const entry of archive.eachEntry()) {
      if (!isMember(entry.fileName)) continue;
      yield* (await archive.openReadStreamPromise(entry)) as Readable;
      return;
    }
    throw new Error('the archive has no member with the expected name; give the file as its publisher made it');
  } finally {
    archive.close();
  }
}
