/** GeoParquet as Overture writes it. */
import { parquetWriteBuffer } from 'hyparquet-writer';

/** Well-known binary, little-endian, of a point, a line or a polygon with one ring. */
export function wkb(kind: 'point' | 'line' | 'polygon', ...positions: (readonly number[])[]): Uint8Array {
  const header = Buffer.alloc(kind === 'point' ? 5 : kind === 'line' ? 9 : 13);
  header.writeUInt8(1, 0);
  header.writeUInt32LE({ point: 1, line: 2, polygon: 3 }[kind], 1);
  if (kind === 'polygon') header.writeUInt32LE(1, 5);
  if (kind !== 'point') header.writeUInt32LE(positions.length, header.length - 4);
  return new Uint8Array(Buffer.concat([header, Buffer.from(Float64Array.from(positions.flat()).buffer)]));
}

export const text = (name: string) =>
  ({ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' }) as const;
export const group = (name: string, children: number) =>
  ({ name, num_children: children, repetition_type: 'OPTIONAL' }) as const;
/** A list of groups in Parquet's three levels. */
export const list = (name: string, children: number) =>
  [
    { ...group(name, 1), converted_type: 'LIST' },
    { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
    group('element', children),
  ] as const;
export const geometry = { name: 'geometry', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' } as const;

type Options = Parameters<typeof parquetWriteBuffer>[0];
/** A file with a schema and its columns. */
export const parquet = (schema: unknown[], columnData: unknown[], options?: Partial<Options>): Buffer =>
  Buffer.from(parquetWriteBuffer({ ...options, columnData, schema } as Options));

/** The corners of a triangle. */
export const ring = [
  [9, 47],
  [9.5, 47],
  [9.5, 47.5],
  [9, 47],
];

const names = [group('names', 1), text('primary')];
const named = (...list: (string | null)[]) => ({ name: 'names', data: list.map((primary) => ({ primary })) });

/** A country, a region, a sea and a town whose shape is cut off. */
export function divisionsFile(): Buffer {
  const columns = ['subtype', 'class', 'country', 'region', 'division_id'];
  const shape = wkb('polygon', ...ring);
  return parquet(
    [{ name: 'root', num_children: 7 }, geometry, ...names, ...columns.map(text)],
    [
      { name: 'geometry', data: [shape, shape, shape, shape.subarray(0, 40)] },
      named('Liechtenstein', 'Vaduz', 'Sea', 'Broken'),
      { name: 'subtype', data: ['country', 'region', 'country', 'locality'] },
      { name: 'class', data: ['land', 'land', 'maritime', 'land'] },
      { name: 'country', data: ['LI', 'LI', 'LI', 'LI'] },
      { name: 'region', data: [null, 'LI-11', null, 'LI-11'] },
      { name: 'division_id', data: ['d1', 'd2', 'd3', 'd4'] },
    ],
  );
}

/** A street, a motorway's link, a road without a name, a river, and a street with a vertex without a position. */
export function segmentsFile(): Buffer {
  const columns = ['id', 'subtype', 'class', 'subclass', 'connectors'];
  const line = wkb('line', [9.5, 47.1], [9.6, 47.1]);
  return parquet(
    [{ name: 'root', num_children: 7 }, geometry, ...names, ...columns.map(text)],
    [
      { name: 'geometry', data: [line, line, line, line, wkb('line', [9.5, 47.1], [Number.NaN, 47.1])] },
      named('Städtle', 'A 13', null, 'Rhein', 'Schwefel'),
      { name: 'id', data: ['a', 'b', 'c', 'd', 'e'] },
      { name: 'subtype', data: ['road', 'road', 'road', 'water', 'road'] },
      { name: 'class', data: ['pedestrian', 'motorway', 'service', null, 'residential'] },
      { name: 'subclass', data: [null, 'link', null, null, null] },
      { name: 'connectors', data: ['', '', '', '', ''] },
    ],
  );
}

/** A file of addresses, the values of whose last page are its last twelve bytes: their bits, and a run of 80. */
function fileBefore(change: (file: Buffer, endOfPages: number) => void): Buffer {
  const rows = Array.from({ length: 80 }, (_, at) => at);
  const file = parquet(
    [{ name: 'root', num_children: 3 }, geometry, text('street'), { ...text('number'), repetition_type: 'REQUIRED' }],
    [
      { name: 'geometry', data: rows.map(() => wkb('point', [9.5, 47.1])) },
      { name: 'street', data: rows.map(() => 'Städtle') },
      { name: 'number', data: rows.map((at) => String(at % 2)) },
    ],
    { codec: 'UNCOMPRESSED' },
  );
  change(file, file.length - 8 - file.readUInt32LE(file.length - 8));
  return file;
}

/** Its last page announces values of no bits without end, which hyparquet would read for ever. */
export const endlessFile = (): Buffer =>
  fileBefore((file, end) => file.set([0, 0xff, 0xff, 0xff, 0xff, 0x0f], end - 12));

/** Its last page has one value 2,147,483,647 times, by its header and its run: hyparquet makes an array of them. */
export const crowdedFile = (): Buffer =>
  fileBefore((file, end) => {
    const count = [0xfe, 0xff, 0xff, 0xff, 0x0f];
    // Sizes of 12 and 80 values become sizes of 9 and those: what follows moves by three bytes.
    const header = file.lastIndexOf(Buffer.from('151815185c15a001', 'hex'));
    const rest = Buffer.from(file.subarray(header + 8, end - 12));
    file.set([0x15, 0x12, 0x15, 0x12, 0x5c, 0x15, ...count, ...rest, 1, ...count, 1], header);
  });
