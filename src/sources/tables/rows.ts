/**
 * Rows as bytes, for what is spilled to memory or disk: a head that JSON can write, and lists of numbers. A row is
 * the head's length, the number of lists, the head, then each list's length and its numbers as they are in memory.
 */

export type Row = { head: unknown; lists: readonly Float64Array[] };

/** Converts items of a kind to rows and back. */
export type RowFormat<T> = { rowOf(item: T): Row; itemOf(row: Row): T };

/** For items that JSON can write. */
export const plainRows = <T>(): RowFormat<T> => ({
  rowOf: (item) => ({ head: item, lists: [] }),
  itemOf: ({ head }) => head as T,
});

/** Writes a row at a position of a buffer that `room` returns for a number of bytes; returns the position after it. */
export function writeRow({ head, lists }: Row, at: number, room: (bytes: number) => Buffer): number {
  const json = JSON.stringify(head);
  // A character is at most three bytes of UTF-8.
  let maxBytes = 8 + 3 * json.length;
  for (const list of lists) maxBytes += 4 + list.byteLength;
  const bytes = room(maxBytes);
  const headLength = bytes.write(json, at + 8);
  bytes.writeUInt32LE(headLength, at);
  bytes.writeUInt32LE(lists.length, at + 4);
  let end = at + 8 + headLength;
  for (const list of lists) {
    bytes.writeUInt32LE(list.length, end);
    bytes.set(new Uint8Array(list.buffer, list.byteOffset, list.byteLength), end + 4);
    end += 4 + list.byteLength;
  }
  return end;
}

/** Reads the row at a position. */
export function readRow(bytes: Buffer, at: number): Row {
  const headEnd = at + 8 + bytes.readUInt32LE(at);
  const head = JSON.parse(bytes.toString('utf8', at + 8, headEnd));
  const lists: Float64Array[] = [];
  let position = headEnd;
  for (let left = bytes.readUInt32LE(at + 4); left > 0; left--) {
    const list = new Float64Array(bytes.readUInt32LE(position));
    bytes.copy(new Uint8Array(list.buffer), 0, position + 4, position + 4 + list.byteLength);
    position += 4 + list.byteLength;
    lists.push(list);
  }
  return { head, lists };
}

/** The buffer itself, or a copy of at least twice its length that has room for `length` bytes. */
export function grownBuffer(bytes: Buffer, length: number): Buffer {
  if (length <= bytes.length) return bytes;
  const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * bytes.length));
  larger.set(bytes);
  return larger;
}
