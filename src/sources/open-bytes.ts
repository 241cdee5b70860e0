/** Opens files as they are published: plain, gzip, bzip2, Zstandard, or a zip of several. Told apart by content. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { PassThrough, type Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import unbzip2 from 'unbzip2-stream';
import { openPromise } from 'yauzl';
import { SourceError } from '../core/street-records.ts';

export type InnerFile = {
  /** Path of the file itself, or of the file inside a zip behind `zip!`. */
  name: string;
  chunks: AsyncIterable<Buffer>;
};

/**
 * The file, or each file of a zip whose name `isWanted`, in order; each must be read before the next is asked for.
 * `progress` is told the share of the packed bytes read. Throws SourceError when the file is missing, empty, cut short
 * or broken, or when a zip has no wanted file.
 */
export async function* openBytes(
  path: string,
  options: { isWanted?: (name: string) => boolean; progress?: (share: number) => void } = {},
): AsyncGenerator<InnerFile> {
  const { magic, size } = await firstBytes(path);
  if (size === 0) throw new SourceError(`${path} is empty; download it again`);
  if (magic.startsWith('504b0304') || magic.startsWith('504b0506')) {
    yield* openZip(path, options.isWanted ?? (() => true), options.progress);
    return;
  }
  let read = 0;
  const file = createReadStream(path, { highWaterMark: 1 << 18 });
  file.on('data', (chunk) => options.progress?.((read += chunk.length) / size));
  file.pause();
  yield { name: path, chunks: guarded(path, unpacked(file, magic)) };
}

async function firstBytes(path: string): Promise<{ magic: string; size: number }> {
  try {
    await using file = await open(path);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return { magic: buffer.subarray(0, bytesRead).toString('hex'), size: (await file.stat()).size };
  } catch (error) {
    throw new SourceError(`${path} cannot be opened: ${(error as Error).message}`);
  }
}

function unpacked(file: Readable, magic: string): Readable {
  if (magic.startsWith('1f8b')) return chained(file, createGunzip());
  if (magic === '28b52ffd') return chained(file, createZstdDecompress());
  if (magic.startsWith('425a68')) {
    // The package's stream is of the old kind; its data and its errors are handed on to one of today.
    const unpacked = new PassThrough();
    file.on('error', (error) => unpacked.destroy(error));
    unpacked.on('close', () => file.destroy());
    file
      .pipe(unbzip2())
      .on('error', (error) => unpacked.destroy(error))
      .pipe(unpacked);
    return unpacked;
  }
  return file;
}

function chained(file: Readable, unpacking: Readable & NodeJS.WritableStream): Readable {
  file.on('error', (error) => unpacking.destroy(error));
  unpacking.on('close', () => file.destroy());
  return file.pipe(unpacking);
}

async function* openZip(
  path: string,
  isWanted: (name: string) => boolean,
  progress?: (share: number) => void,
): AsyncGenerator<InnerFile> {
  const zip = await openPromise(path, { autoClose: false }).catch((error: Error) => {
    throw new SourceError(`${path} is a broken or cut-short zip: ${error.message}; download it again`);
  });
  try {
    const wanted = [];
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.endsWith('/') && isWanted(entry.fileName)) wanted.push(entry);
    }
    if (wanted.length === 0) throw new SourceError(`${path} is a zip without a file of the expected kind`);
    const total = wanted.reduce((sum, entry) => sum + entry.compressedSize, 0);
    let done = 0;
    for (const entry of wanted) {
      const name = `${path}!${entry.fileName}`;
      yield { name, chunks: guarded(name, await zip.openReadStreamPromise(entry)) };
      progress?.((done += entry.compressedSize) / total);
    }
  } finally {
    zip.close();
  }
}

/** The stream's chunks, with its failures told as a broken source. */
function guarded(name: string, stream: Readable): AsyncGenerator<Buffer> {
  // A stream may fail before anybody reads it; it keeps the failure for the reader.
  stream.on('error', () => {});
  return chunksOf(name, stream);
}

async function* chunksOf(name: string, stream: Readable): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      bytes += chunk.length;
      yield chunk;
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SourceError(`${name} is broken or cut short after ${bytes} unpacked bytes: ${reason}; download it again`);
  } finally {
    stream.destroy();
  }
}
