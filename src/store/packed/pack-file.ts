/**
 * A pack is one immutable file of named columns (typed arrays) and one JSON header. The file is mapped into memory: all
 * processes that open it share the system's one copy, and a column takes memory as far as it is read. Where Node cannot
 * map files (on Windows, in versions before 26.4, without permission), a column is read into a buffer on demand.
 *
 * Layout: magic `WAPK`, version (u32), header length (u32), header (UTF-8 JSON), then the columns, each at a
 * multiple of 8 bytes. Numbers are little-endian, as on every machine that Node 26 runs on.
 */
import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { endianness } from 'node:os';
import { IdColumn, StringTable } from '../../core/columns.ts';
import { type RegionIndex, type RegionIndexMeta, regionIndex } from '../../core/region-index/region-index.ts';
import { DatasetError } from '../manifest.ts';

// Files mapped into memory, by the C library's mmap. Node has no function of its own for it.

/** Pages may be read; a write makes a private copy of its page, as it would end the process otherwise. */
const readWrite = 1 | 2;
const mapPrivate = 2;
/** For madvise: the pages are not needed now. */
const notNeeded = 4;
const failed = 0xffff_ffff_ffff_ffffn;

type Libc = {
  mmap(address: bigint, length: bigint, access: number, flags: number, file: number, offset: bigint): bigint;
  munmap(address: bigint, length: bigint): number;
  madvise(address: bigint, length: bigint, advice: number): number;
};

/** Undefined where this Node or system has none. Found on first use. */
let libc: { functions: Libc | undefined } | undefined;

/** Sizes of the mapped files by their addresses. */
const mapped = new Map<bigint, number>();

/** Unmaps a file when nothing refers to its memory any more; earlier, a look-up in progress would end the process. */
const unmapper = new FinalizationRegistry(({ address, size }: { address: bigint; size: number }) => {
  mapped.delete(address);
  libc?.functions?.munmap(address, BigInt(size));
});

/**
 * Lets go of the pages of mapped files, which the system keeps for as long as it has room: look-ups map them again. What was
 * written to a column is gone.
 */
export function releasePages(): void {
  for (const [address, size] of mapped) libc?.functions?.madvise(address, BigInt(size), notNeeded);
}

/**
 * The content of an open file, which may be closed afterwards but must not shrink. Undefined where files cannot be mapped.
 */
function mapFile(file: number, size: number): ArrayBuffer | undefined {
  libc ??= { functions: openLibc() };
  const { functions } = libc;
  if (!functions || size === 0) return undefined;
  const address = functions.mmap(0n, BigInt(size), readWrite, mapPrivate, file, 0n);
  if (address === failed) return undefined;
  const memory = process.getBuiltinModule('node:ffi').toArrayBuffer(address, size, false);
  unmapper.register(memory, { address, size });
  mapped.set(address, size);
  return memory;
}

function openLibc(): Libc | undefined {
  const { emitWarning } = process;
  // The module is experimental, which is no news to users: without it files are read.
  process.emitWarning = () => {};
  try {
    const { functions } = process.getBuiltinModule('node:ffi').dlopen(null, {
      mmap: { arguments: ['pointer', 'uint64', 'int32', 'int32', 'int32', 'int64'], return: 'pointer' },
      munmap: { arguments: ['pointer', 'uint64'], return: 'int32' },
      madvise: { arguments: ['pointer', 'uint64', 'int32'], return: 'int32' },
    });
    return functions as Libc;
  } catch {
    return undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

const magic = 0x4b504157;
const formatVersion = 1;
const columnTypes = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

type ColumnType = keyof typeof columnTypes;
/** Columns by their names, as a table of these with their types says. */
export type Columns<Types extends Record<string, ColumnType>> = {
  [Name in keyof Types]: InstanceType<(typeof columnTypes)[Types[Name]]>;
};
/** Empty columns of so many rows. */
export const emptyColumns = <Types extends Record<string, ColumnType>>(types: Types, rows: number): Columns<Types> =>
  Object.fromEntries(
    Object.entries(types).map(([name, type]) => [name, new columnTypes[type](rows)]),
  ) as unknown as Columns<Types>;
export type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;
type Header = { meta: unknown; columns: { name: string; type: ColumnType; offset: number; length: number }[] };

const align = (bytes: number) => Math.ceil(bytes / 8) * 8;

function typeOf(column: Column): ColumnType {
  for (const [type, ArrayType] of Object.entries(columnTypes)) {
    if (column instanceof ArrayType) return type as ColumnType;
  }
  throw new TypeError(`a pack has no column type for ${column.constructor.name}`);
}

/** Writes a pack: `meta` is any JSON value, `columns` the typed arrays by name. Synchronous, flushed to disk. */
export function writePack(path: string, meta: unknown, columns: Record<string, Column>): void {
  const entries: Header['columns'] = [];
  let end = 0;
  for (const [name, column] of Object.entries(columns)) {
    entries.push({ name, type: typeOf(column), offset: end, length: column.length });
    end = align(end + column.byteLength);
  }
  const header = Buffer.from(JSON.stringify({ meta, columns: entries } satisfies Header));
  const prefix = Buffer.alloc(align(12 + header.length));
  prefix.writeUInt32LE(magic, 0);
  prefix.writeUInt32LE(formatVersion, 4);
  prefix.writeUInt32LE(header.length, 8);
  header.copy(prefix, 12);
  const file = openSync(path, 'wx');
  try {
    writeAll(file, prefix);
    for (const column of Object.values(columns)) {
      const bytes = new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
      writeAll(file, bytes);
      writeAll(file, new Uint8Array(align(bytes.length) - bytes.length));
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done);
}

/** An opened pack: `meta` as it was written, and its columns by name. */
export type Pack = {
  meta: unknown;
  column<T extends ColumnType>(name: string, type: T): InstanceType<(typeof columnTypes)[T]>;
  /** Several columns; `prefix` is what their names begin with in the file. */
  columns<Types extends Record<string, ColumnType>>(types: Types, prefix?: string): Columns<Types>;
  /**
   * A column of u32 with the ends of runs in a column of `total` entries. Loops over runs rely on it, so it throws when
   * the ends do not ascend or reach past `total`.
   */
  ends(name: string, total: number): Uint32Array;
};

/**
 * Opens a pack. Throws DatasetError naming the file when it is not a pack, of another format version, cut short, lacks
 * a requested column, or its header cannot be read.
 */
export function readPack(path: string): Pack {
  if (endianness() !== 'LE') throw new Error('pack files are little-endian, but this machine is big-endian');
  const file = openSync(path, 'r');
  try {
    return readHeader(path, file);
  } finally {
    closeSync(file);
  }
}

function readHeader(path: string, file: number): Pack {
  const size = fstatSync(file).size;
  const prefix = Buffer.alloc(Math.min(12, size));
  readAll(file, prefix, 0);
  if (size < 12 || prefix.readUInt32LE(0) !== magic)
    throw new DatasetError(`${path} is not a pack file; build the dataset again`);
  if (prefix.readUInt32LE(4) !== formatVersion) {
    throw new DatasetError(
      `${path} has pack format ${prefix.readUInt32LE(4)}, expected ${formatVersion}; build the dataset again`,
    );
  }
  const headerLength = prefix.readUInt32LE(8);
  const start = align(12 + headerLength);
  if (start > size) throw new DatasetError(`${path} is truncated; build the dataset again`);
  const text = Buffer.alloc(headerLength);
  readAll(file, text, 12);
  const header = parseHeader(path, text.toString('utf8'));
  const mapped = mapFile(file, size);
  const pack: Pack = {
    meta: header.meta,
    column(name, type) {
      const entry = header.columns.find((column) => column.name === name);
      if (!entry || entry.type !== type)
        throw new DatasetError(`${path} has no column ${name} of type ${type}; build the dataset again`);
      const { offset, length } = entry;
      const places = [offset / columnTypes[type].BYTES_PER_ELEMENT, offset, length];
      if (!places.every((place) => Number.isSafeInteger(place) && place >= 0)) {
        throw new DatasetError(
          `${path} has a header without a valid place for column ${name}; build the dataset again`,
        );
      }
      // Before anything is allocated: a damaged length may be any number.
      if (start + offset + length * columnTypes[type].BYTES_PER_ELEMENT > size) {
        throw new DatasetError(`${path} is truncated in column ${name}; build the dataset again`);
      }
      if (mapped)
        return new columnTypes[type](mapped, start + offset, length) as InstanceType<(typeof columnTypes)[typeof type]>;
      // Not zeroed first, nor counted as garbage to come, as an ArrayBuffer is: that collected five times in a start.
      const memory = new SharedArrayBuffer(length * columnTypes[type].BYTES_PER_ELEMENT);
      const again = openSync(path, 'r');
      try {
        readAll(again, new Uint8Array(memory), start + offset);
      } finally {
        closeSync(again);
      }
      return new columnTypes[type](memory as ArrayBufferLike as ArrayBuffer) as InstanceType<
        (typeof columnTypes)[typeof type]
      >;
    },
    columns: (types, prefix = '') =>
      Object.fromEntries(
        Object.entries(types).map(([name, type]) => [name, pack.column(prefix + name, type)]),
      ) as unknown as Columns<typeof types>,
    ends(name, total) {
      const ends = pack.column(name, 'u32');
      let before = 0;
      // Indexed, because an iterator over millions of ends took a twentieth of the start-up time.
      for (let at = 0; at < ends.length; at++) {
        const end = ends[at];
        if (end < before || end > total) {
          throw new DatasetError(`${path} has unordered offsets in column ${name}; build the dataset again`);
        }
        before = end;
      }
      return ends;
    },
  };
  return pack;
}

function parseHeader(path: string, text: string): Header {
  try {
    const header: Header = JSON.parse(text);
    if (Array.isArray(header.columns)) return header;
  } catch {}
  throw new DatasetError(`${path} has a header that cannot be read; build the dataset again`);
}

/** Fills the bytes from a position of a file that is known to contain them. */
function readAll(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(file, bytes, done, bytes.length - done, position + done);
    if (read === 0) throw new DatasetError('a pack file was truncated while it was read; build the dataset again');
    done += read;
  }
}

const noHighBits = new Uint16Array(0);

/** Numbers as a pack stores them: the columns of an IdColumn under names that begin with `name`. */
export function packedIds(name: string, values: Uint32Array | IdColumn): Record<string, Column> {
  const { low, high } = values instanceof IdColumn ? values : IdColumn.from(values);
  // Stored as 16 bits only where 8 are too few; an absent column is an empty one.
  return high instanceof Uint8Array
    ? { [`${name}.low`]: low, [`${name}.high8`]: high, [`${name}.high16`]: noHighBits }
    : { [`${name}.low`]: low, [`${name}.high8`]: new Uint8Array(0), [`${name}.high16`]: high ?? noHighBits };
}

/** The numbers that a pack holds under a name. */
export function openIds(pack: Pack, name: string): IdColumn {
  const high8 = pack.column(`${name}.high8`, 'u8');
  const high16 = pack.column(`${name}.high16`, 'u16');
  const high = high8.length > 0 ? high8 : high16.length > 0 ? high16 : undefined;
  return new IdColumn(pack.column(`${name}.low`, 'u16'), high);
}

/** Columns, such as those of a region index, under names that begin with `prefix`, as a pack stores them. */
export function packedColumns(prefix: string, columns: Readonly<Record<string, Column>>): Record<string, Column> {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [`${prefix}.${name}`, column]));
}

/** The region index that a pack holds under a prefix. */
export function openRegionIndex(pack: Pack, prefix: string, meta: RegionIndexMeta): RegionIndex {
  const columns = pack.columns({ nodes: 'u32', leaves: 'u16', setValues: 'u16', layerOf: 'u16' }, `${prefix}.`);
  return regionIndex(meta, { ...columns, setEnds: pack.ends(`${prefix}.setEnds`, columns.setValues.length) });
}

/** The table of strings that a pack holds as `…Bytes` and `…Ends`. Throws when its ends do not fit its bytes. */
export function openStrings(pack: Pack, prefix: string): StringTable {
  const bytes = pack.column(`${prefix}Bytes`, 'u8');
  return new StringTable(bytes, pack.ends(`${prefix}Ends`, bytes.length));
}
