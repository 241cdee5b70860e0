/**
 * Opens files as they are published, as bytes or as lines of text: plain, gzip, bzip2, Zstandard, or a zip of several.
 * Distinguished by content.
 */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import unbzip2 from 'unbzip2-stream';
import { openPromise } from 'yauzl';
import { SourceError } from '../core/source-records.ts';
import { reasonOf } from '../errors.ts';
import signatures from './signatures.json' with { type: 'json' };

type InnerFile = {
  /** Path of the file itself, or of the file inside a zip behind `zip!`. */
  name: string;
  chunks: AsyncIterable<Buffer>;
};

type OpenOptions = { isWanted?: (name: string) => boolean; progress?: (share: number) => void };

const maxLineBytes = 1 << 22;
/** Real files are packed to a tenth or a thirtieth; what is packed more, after so much, is made to fill the memory. */
const maxExpansion = 200;
const expandedFreely = 1 << 28;

/**
 * The lines of a text file in batches, without their line ends; empty lines and a byte order mark are left out. Of a
 * zip every file whose name `isWanted` is read. Throws SourceError like `openBytes`.
 */
export async function* textLines(path: string, options: OpenOptions = {}): AsyncGenerator<string[]> {
  for await (const file of openBytes(path, options)) {
    for await (const lines of linesOf(file)) yield lines.filter((line) => line !== '');
  }
}

/** The lines of one opened file in batches, empty ones too, so that they can be counted. */
export async function* linesOf({ name, chunks }: InnerFile): AsyncGenerator<string[]> {
  const text = new TextDecoder('utf-8');
  let rest = '';
  for await (const chunk of textChunks(name, chunks)) {
    const lines = (rest + text.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() as string;
    // A small packed file can unpack to gigabytes without a line end; no table has such lines.
    if (rest.length > maxLineBytes) {
      throw new SourceError(`${name} has a line of more than ${maxLineBytes} characters; it is not a text table`);
    }
    yield lines.map(withoutReturn);
  }
  yield [withoutReturn(rest + text.decode())];
}

/** The chunks of a text table in UTF-8. Throws SourceError for a binary file, and for a web page in its place. */
export const textChunks = (name: string, chunks: AsyncIterable<Buffer>) => inUtf8(name, ofTable(name, chunks));

async function* ofTable(name: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && (chunk.subarray(0, 64).includes(0) || looksLike(chunk) !== undefined)) {
      throw new SourceError(`${name} is not a text table${lookingLike(chunk)}; download it again`);
    }
    isFirst = false;
    yield chunk;
  }
}

/** The chunks of a text. Throws SourceError where it is not in UTF-8, as its names would be wrong without a word. */
export async function* inUtf8(name: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  const check = (chunk?: Buffer) => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new SourceError(
        `${name} is not in UTF-8 after byte ${bytes} unpacked; convert it, for instance with iconv -f WINDOWS-1252 -t UTF-8`,
      );
    }
  };
  for await (const chunk of chunks) {
    check(chunk);
    bytes += chunk.length;
    yield chunk;
  }
  check();
}

const withoutReturn = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** Names of the files in a zip; `undefined` for a file that is none. Throws SourceError when it is missing or broken. */
export async function zipMembers(path: string): Promise<string[] | undefined> {
  if (!isZip((await firstBytes(path)).magic)) return undefined;
  const zip = await openZipFile(path);
  const names: string[] = [];
  for await (const { fileName } of entriesOf(path, zip)) if (!fileName.endsWith('/')) names.push(fileName);
  return names;
}

/**
 * The file, or each file of a zip whose name `isWanted`, in order; each must be read before the next is requested.
 * `progress` receives the share of the packed bytes read. Throws SourceError when the file is missing, empty, cut short
 * or broken, or when a zip has no wanted file.
 */
export async function* openBytes(path: string, options: OpenOptions = {}): AsyncGenerator<InnerFile> {
  const { magic, size } = await firstBytes(path);
  if (size === 0) throw new SourceError(`${path} is empty; download it again`);
  if (isZip(magic)) {
    yield* openZip(path, options.isWanted ?? (() => true), options.progress);
    return;
  }
  let read = 0;
  const file = createReadStream(path, { highWaterMark: 1 << 18 });
  file.on('data', (chunk) => options.progress?.((read += chunk.length) / size));
  file.pause();
  yield { name: path, chunks: guarded(path, unpacked(file, magic), size) };
}

const isZip = (magic: string) => magic.startsWith('504b0304') || magic.startsWith('504b0506');

const openZipFile = (path: string, options: { autoClose?: boolean } = {}) =>
  openPromise(path, options).catch((error: Error) => {
    throw brokenZip(path, error);
  });

const brokenZip = (path: string, error: Error) =>
  new SourceError(`${path} is a damaged or truncated zip: ${reasonOf(error)}; download it again`);

/** The entries of a zip; names that lead out of it, and other faults, are a SourceError. */
async function* entriesOf(path: string, zip: Awaited<ReturnType<typeof openPromise>>) {
  try {
    for await (const entry of zip.eachEntry()) yield entry;
  } catch (error) {
    throw brokenZip(path, error as Error);
  }
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
  // A failure of one is that of the last, which is read.
  const chained = (...steps: NodeJS.ReadWriteStream[]) => pipeline([file, ...steps], () => {}) as unknown as Readable;
  if (magic.startsWith('1f8b')) return chained(createGunzip());
  if (magic === '28b52ffd') return chained(createZstdDecompress());
  // The package's stream is of the old kind, which is no async iterable.
  return magic.startsWith('425a68') ? chained(unbzip2(), new PassThrough()) : file;
}

async function* openZip(
  path: string,
  isWanted: (name: string) => boolean,
  progress?: (share: number) => void,
): AsyncGenerator<InnerFile> {
  const zip = await openZipFile(path, { autoClose: false });
  try {
    const wanted = [];
    for await (const entry of entriesOf(path, zip)) {
      if (!entry.fileName.endsWith('/') && isWanted(entry.fileName)) wanted.push(entry);
    }
    if (wanted.length === 0) throw new SourceError(`${path} is a zip that has no file of the expected kind`);
    const total = wanted.reduce((sum, entry) => sum + entry.compressedSize, 0);
    let done = 0;
    for (const entry of wanted) {
      const name = `${path}!${entry.fileName}`;
      const stream = await zip.openReadStreamPromise(entry).catch((error: Error) => {
        throw brokenZip(path, error);
      });
      yield { name, chunks: guarded(name, stream, entry.compressedSize) };
      progress?.((done += entry.compressedSize) / total);
    }
  } finally {
    zip.close();
  }
}

/** The stream's chunks, with its failures reported as a broken source. */
function guarded(name: string, stream: Readable, packedBytes: number): AsyncGenerator<Buffer> {
  // A stream may fail before anybody reads it; it keeps the failure for the reader.
  stream.on('error', () => {});
  return chunksOf(name, stream, packedBytes);
}

async function* chunksOf(name: string, stream: Readable, packedBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      bytes += chunk.length;
      if (bytes > expandedFreely && bytes > maxExpansion * packedBytes) {
        throw new SourceError(
          `${name} unpacks to more than ${maxExpansion} times its ${packedBytes} bytes, which no real data do; download it again`,
        );
      }
      yield chunk;
    }
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(
      `${name} is damaged or truncated after ${bytes} unpacked bytes: ${reasonOf(error)}; download it again`,
    );
  } finally {
    stream.destroy();
  }
}

// Guesses a file's format by its first bytes, for messages about files whose content does not match their name.

/** The probable format of the bytes, with its article; `undefined` if unknown. */
function looksLike(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 64)).toString('latin1');
  return signatures.find(({ start: beginning }) => new RegExp(`^${beginning}`, 's').test(start))?.what;
}

/** The same as the end of a message: `; it looks like a gzip file`, or nothing. */
export function lookingLike(bytes: Uint8Array): string {
  const what = looksLike(bytes);
  return what === undefined ? '' : `; it looks like ${what}`;
}
