/**
 * A MaxMind DB file: a binary search tree over address bits, 16 zero bytes, the data section, a marker, metadata.
 * A record of a node is the number of another node, or the node count for "nothing known", or beyond it a place in
 * the data section.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { MmdbDecoder, MmdbError, type MmdbMap, type MmdbValue } from './decoder.ts';

const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
const separatorBytes = 16;
const maxUnpackedBytes = 2 ** 31;
/** The metadata is at most 128 KiB, so the marker is searched for no further from the end. */
const metadataWindow = 128 * 1024 + marker.length;

export type MmdbFile = {
  path: string;
  databaseType: string;
  /** When the publisher made it, ISO 8601 date; null when the file does not say. */
  buildDate: string | null;
  ipVersion: 4 | 6;
  nodeCount: number;
  /** Bits of one of a node's two records. */
  recordSize: 24 | 28 | 32;
  tree: Buffer;
  data: Buffer;
  metadata: MmdbMap;
};

/** Opens a MaxMind DB file and checks its metadata. Throws MmdbError naming the file and what is wrong with it. */
export function openMmdb(path: string): MmdbFile {
  try {
    return parse(path, unpacked(readWhole(path)));
  } catch (error) {
    if (!(error instanceof MmdbError)) throw error;
    throw new MmdbError(`${path} is not a readable MaxMind DB file: ${error.message}`);
  }
}

/** Reads in pieces, since one read of Node's takes no more than 2 GiB and vendors' files come near that. */
function readWhole(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafeSlow(fstatSync(file).size);
    for (let done = 0; done < bytes.length; ) {
      const got = readSync(file, bytes, done, Math.min(bytes.length - done, 1 << 30), null);
      if (got === 0) throw new MmdbError(`it ended after ${done} of ${bytes.length} bytes; was it being written?`);
      done += got;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** DB-IP packs its tables with gzip; none unpacks to more than a buffer may have. */
function unpacked(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxUnpackedBytes });
  } catch (error) {
    throw new MmdbError(`it cannot be unpacked: ${(error as Error).message}; download it again`);
  }
}

function parse(path: string, bytes: Buffer): MmdbFile {
  const windowStart = Math.max(0, bytes.length - metadataWindow);
  const found = bytes.subarray(windowStart).lastIndexOf(marker);
  if (found < 0)
    throw new MmdbError('it has no metadata marker near its end, so that it is cut short or compressed (.gz)');
  const markerAt = windowStart + found;
  const metadata = new MmdbDecoder(bytes.subarray(markerAt + marker.length), 'metadata').valueAt(0);
  if (!isMap(metadata)) throw new MmdbError('its metadata is not a map');
  const major = metadata.binary_format_major_version;
  if (major !== 2) throw new MmdbError(`its binary_format_major_version is ${major}, expected 2`);
  const ipVersion = metadata.ip_version;
  if (ipVersion !== 4 && ipVersion !== 6) throw new MmdbError(`its ip_version is ${ipVersion}, expected 4 or 6`);
  const recordSize = metadata.record_size;
  if (recordSize !== 24 && recordSize !== 28 && recordSize !== 32) {
    throw new MmdbError(`its record_size is ${recordSize}, expected 24, 28 or 32`);
  }
  const nodeCount = metadata.node_count;
  if (typeof nodeCount !== 'number') throw new MmdbError(`its node_count is ${nodeCount}, expected a number`);
  const treeBytes = (nodeCount * recordSize) / 4;
  if (treeBytes + separatorBytes > markerAt) {
    throw new MmdbError(
      `its node_count of ${nodeCount} needs a search tree of ${treeBytes} bytes, but only ${markerAt} precede the metadata`,
    );
  }
  for (let i = 0; i < separatorBytes; i++) {
    if (bytes[treeBytes + i] !== 0) {
      throw new MmdbError(
        `its search tree of ${nodeCount} nodes is not followed by 16 zero bytes; node_count is wrong`,
      );
    }
  }
  return {
    path,
    databaseType: String(metadata.database_type ?? ''),
    buildDate: dateOf(metadata.build_epoch),
    ipVersion,
    nodeCount,
    recordSize,
    tree: bytes.subarray(0, treeBytes),
    data: bytes.subarray(treeBytes + separatorBytes, markerAt),
    metadata,
  };
}

const isMap = (value: MmdbValue): value is MmdbMap =>
  typeof value === 'object' && !Array.isArray(value) && !(value instanceof Uint8Array);

function dateOf(epoch: MmdbValue | undefined): string | null {
  const date = new Date(Number(epoch) * 1000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10);
}
