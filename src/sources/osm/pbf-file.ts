/**
 * An OSM PBF file: a row of blobs, each with its length in front (wiki.openstreetmap.org/wiki/PBF_Format). Blobs are
 * read in order and unpacked ahead on the thread pool while the one before is worked on.
 */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflate, zstdDecompress } from 'node:zlib';
import { ProtobufReader } from '../../core/protobuf-reader.ts';
import { SourceError } from '../../core/source-records.ts';
import { lookingLike } from '../open-bytes.ts';
import { type OsmBlock, type OsmFile, PbfBlockReader, type Wanted } from './pbf-block.ts';

/** The format's own bounds. */
const maxHeaderBytes = 64 * 1024;
const maxBlobBytes = 32 * 1024 * 1024;
const unpackedAhead = 4;
const known = new Set(['OsmSchema-V0.6', 'DenseNodes']);
const inflateAsync = promisify(inflate);
const zstdAsync = promisify(zstdDecompress);

type Blob = { type: string; offset: number; bytes: Buffer };

/** Opens an OSM PBF file. Throws SourceError when the file is not an OSM PBF file or needs what this reader has not. */
export async function openPbf(path: string): Promise<OsmFile> {
  await readPbfHeader(path);
  const { size } = await stat(path);
  return { bytes: size, blocks: (wanted, progress) => blocks(path, wanted, progress) };
}

/** Whether a file begins as a PBF file does, with the name of its first block. Throws what the file system does. */
export async function isPbf(path: string): Promise<boolean> {
  const start = Buffer.alloc(32);
  await using file = await open(path);
  await file.read(start, 0, start.length, 0);
  return start.includes('OSMHeader');
}

/** The origin of a file according to its first block. */
type PbfHeader = { timestamp?: string; sequence?: number; baseUrl?: string };

/** Reads the first block. Throws SourceError as `openPbf` does. */
export async function readPbfHeader(path: string): Promise<PbfHeader> {
  for await (const blob of blobs(path)) {
    if (blob.type !== 'OSMHeader') {
      throw new SourceError(
        `${path}: the first blob is '${blob.type}', expected 'OSMHeader'; is this an OSM PBF file?`,
      );
    }
    return headerOf(path, await unpack(path, blob));
  }
  throw new SourceError(`${path} has no blocks, expected an OSM PBF file; download it again`);
}

async function* blocks(path: string, wanted: Wanted, progress?: (share: number) => void): AsyncGenerator<OsmBlock> {
  const reader = new PbfBlockReader();
  const waiting: { blob: Blob; data: Promise<Buffer> }[] = [];
  let sawWay = false;
  const next = async (): Promise<OsmBlock> => {
    const { blob, data } = waiting.shift()!;
    const bytes = await data;
    try {
      const block = reader.read(bytes, wanted);
      if (sawWay && block.nodes.count > 0) {
        throw new SourceError(
          `${path}: nodes follow ways at byte ${blob.offset}; sort the file first: osmium sort -o sorted.osm.pbf ${path}`,
        );
      }
      sawWay ||= block.ways.length > 0;
      return block;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw broken(path, blob.offset, error.message);
    }
  };
  try {
    for await (const blob of blobs(path, progress)) {
      if (blob.type !== 'OSMData') continue;
      const data = unpack(path, blob);
      // A failure is thrown when its turn comes, not as an unhandled rejection.
      data.catch(() => {});
      waiting.push({ blob, data });
      if (waiting.length > unpackedAhead) yield await next();
    }
    while (waiting.length > 0) yield await next();
  } finally {
    await Promise.allSettled(waiting.map(({ data }) => data));
  }
}

/** The blobs with objects, behind the first one, in file order. */
async function* blobs(path: string, progress?: (share: number) => void): AsyncGenerator<Blob> {
  await using file = await open(path).catch((error: Error) => {
    throw new SourceError(`${path} cannot be opened: ${error.message}`);
  });
  const { size } = await file.stat();
  if (size === 0) throw new SourceError(`${path} is empty, expected an OSM PBF file; download it again`);
  for (let offset = 0; offset < size; ) {
    const lengthBytes = await readAt(path, file, offset, 4, size);
    const headerLength = lengthBytes.readUInt32BE();
    if (headerLength > maxHeaderBytes || headerLength === 0) {
      if (offset === 0) throw await otherFile(path, file, size);
      throw broken(path, offset, `a blob header of ${headerLength} bytes; the format allows 1 to ${maxHeaderBytes}`);
    }
    const header = readHeader(path, offset, await readAt(path, file, offset + 4, headerLength, size));
    const start = offset + 4 + headerLength;
    if (start + header.dataSize > size) throw cutShort(path, offset, start + header.dataSize, size);
    if (header.type === 'OSMData' || header.type === 'OSMHeader') {
      yield { type: header.type, offset, bytes: await readAt(path, file, start, header.dataSize, size) };
    } else if (offset === 0) yield { type: header.type, offset, bytes: Buffer.alloc(0) };
    offset = start + header.dataSize;
    progress?.(offset / size);
  }
}

async function otherFile(path: string, file: FileHandle, size: number): Promise<SourceError> {
  const start = await readAt(path, file, 0, Math.min(size, 64), size);
  return new SourceError(`${path} is not an OSM PBF file${lookingLike(start)}; download it again`);
}

async function readAt(path: string, file: FileHandle, offset: number, length: number, size: number): Promise<Buffer> {
  if (offset + length > size) throw cutShort(path, offset, offset + length, size);
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
    if (bytesRead === 0) throw cutShort(path, offset, offset + length, offset + done);
    done += bytesRead;
  }
  return bytes;
}

function readHeader(path: string, offset: number, bytes: Buffer): { type: string; dataSize: number } {
  let type = '';
  let dataSize = -1;
  try {
    const wire = new ProtobufReader(bytes);
    for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
      if (tag === 10) type = wire.text();
      else if (tag === 24) dataSize = wire.varint();
      else wire.skip(tag);
    }
  } catch (error) {
    throw broken(path, offset, `the blob header cannot be read (${(error as Error).message})`);
  }
  if (dataSize < 0 || dataSize > maxBlobBytes) {
    throw broken(path, offset, `a blob of ${dataSize} bytes; the format allows 0 to ${maxBlobBytes}`);
  }
  return { type, dataSize };
}

async function unpack(path: string, blob: Blob): Promise<Buffer> {
  try {
    const wire = new ProtobufReader(blob.bytes);
    let size = 0;
    let packing = 0;
    let data: Uint8Array | undefined;
    for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
      const field = tag >> 3;
      if (tag === 16) size = wire.varint();
      else if (field === 1 || (field >= 3 && field <= 7)) {
        packing = field;
        data = wire.view();
      } else wire.skip(tag);
    }
    if (!data) throw new RangeError('the blob has no data');
    if (size < 0 || size > maxBlobBytes)
      throw new RangeError(`${size} bytes unpacked; the format allows ${maxBlobBytes}`);
    if (packing === 1) return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    if (packing === 4 || packing === 5) {
      const name = packing === 4 ? 'LZMA' : 'bzip2';
      throw new SourceError(
        `${path}: blobs are compressed with ${name}, expected zlib, lz4, zstd or none; convert the file: osmium cat -o out.osm.pbf ${path}`,
      );
    }
    if (packing === 6) return unpackLz4Block(data, size);
    // The announced size as chunk size: one buffer, and no joining of pieces of 16 KB.
    const options = { chunkSize: Math.max(64, size + 1), maxOutputLength: maxBlobBytes };
    const unpacked = await (packing === 3 ? inflateAsync : zstdAsync)(data, options);
    if (unpacked.length !== size) throw new RangeError(`the blob has ${unpacked.length} bytes, but declares ${size}`);
    return unpacked;
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw broken(path, blob.offset, (error as Error).message);
  }
}

function headerOf(path: string, bytes: Buffer): PbfHeader {
  const header: PbfHeader = {};
  const wire = new ProtobufReader(bytes);
  try {
    for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
      if (tag === 256) header.timestamp = new Date(wire.varint() * 1000).toISOString();
      else if (tag === 264) header.sequence = wire.varint();
      else if (tag === 274) header.baseUrl = wire.text();
      else if (tag !== 34) wire.skip(tag);
      if (tag !== 34) continue;
      const feature = wire.text();
      if (feature === 'HistoricalInformation') {
        throw new SourceError(
          `${path} is a history file, expected a snapshot; create one with: osmium time-filter -o now.osm.pbf ${path}`,
        );
      }
      if (!known.has(feature)) {
        throw new SourceError(
          `${path} requires the feature '${feature}', but only ${[...known].join(' and ')} are supported`,
        );
      }
    }
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw broken(path, 0, `the header cannot be read (${(error as Error).message})`);
  }
  return header;
}

function broken(path: string, offset: number, what: string): SourceError {
  return new SourceError(`${path} is damaged in the blob at byte ${offset}: ${what}; download it again`);
}

function cutShort(path: string, offset: number, needed: number, size: number): SourceError {
  return new SourceError(
    `${path} is truncated: the blob at byte ${offset} needs ${needed} bytes, but the file has ${size}; download it again`,
  );
}

/**
 * Unpacks one raw LZ4 block, as OSM PBF blobs hold it (no frame). Format: github.com/lz4/lz4, doc/lz4_Block_format.md:
 * sequences of a token (4 bits literal length, 4 bits match length), literals, a 2-byte offset back, and a match of at
 * least 4 bytes. Throws RangeError when the block is broken or does not yield exactly `size` bytes.
 */
function unpackLz4Block(packed: Uint8Array, size: number): Buffer {
  const out = Buffer.allocUnsafe(size);
  let from = 0;
  let to = 0;
  const longLength = (length: number): number => {
    if (length < 15) return length;
    for (let byte = 255; byte === 255; length += byte) {
      if (from >= packed.length) throw new RangeError('the LZ4 block ends inside a length');
      byte = packed[from++];
    }
    return length;
  };
  while (from < packed.length) {
    const token = packed[from++];
    const literals = longLength(token >> 4);
    if (from + literals > packed.length || to + literals > size) {
      throw new RangeError('an LZ4 literal extends beyond the end of its block');
    }
    out.set(packed.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    // The last sequence is literals only.
    if (from === packed.length) break;
    if (from + 2 > packed.length) throw new RangeError('the LZ4 block ends inside an offset');
    const offset = packed[from] | (packed[from + 1] << 8);
    from += 2;
    const match = longLength(token & 15) + 4;
    if (offset === 0 || offset > to || to + match > size) {
      throw new RangeError('an LZ4 match points outside its block');
    }
    // Byte by byte, because a match may overlap what it writes.
    for (const end = to + match; to < end; to++) out[to] = out[to - offset];
  }
  if (to !== size) throw new RangeError(`the LZ4 block has ${to} bytes, but declares ${size}`);
  return out;
}
