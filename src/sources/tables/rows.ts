/**
 * Rows as bytes, for what is spilled to memory or disk: a head that JSON can write, and lists of numbers. A row is
 * the head's length, the number of lists, the head, then each list's length and its numbers as they are in memory.
 */
import { TemporaryFile } from './temporary-file.ts';

type Row = { head: unknown; lists: readonly Float64Array[] };

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

// Rows that are added one after the other and read at any place: in memory while they fit, else in a temporary file.

const firstBytes = 1 << 16;
const readBytes = 1 << 12;

export class RowFile<T> {
  readonly #path: string;
  readonly #memoryBytes: number;
  readonly #format: RowFormat<T>;
  /** The rows from `#written` on; each stands after its length. */
  #bytes: Buffer = Buffer.alloc(0);
  #end = 0;
  #written = 0;
  #file: TemporaryFile | undefined;

  /** `path` is created when more than `memoryBytes` are needed; the caller removes it. */
  constructor(path: string, memoryBytes: number, format: RowFormat<T>) {
    this.#path = path;
    this.#memoryBytes = Math.min(memoryBytes, 2 ** 31);
    this.#format = format;
  }

  /** Adds an item; returns the position to read it by. */
  add(item: T): number {
    const position = this.#written + this.#end;
    const end = writeRow(this.#format.rowOf(item), this.#end + 4, (room) => {
      this.#bytes = grownBuffer(this.#bytes, Math.max(firstBytes, this.#end + 4 + room));
      return this.#bytes;
    });
    this.#bytes.writeUInt32LE(end - this.#end - 4, this.#end);
    this.#end = end;
    // The next row may make the buffer twice as long.
    if (2 * end > this.#memoryBytes) this.#flush();
    return position;
  }

  /** The item at a position that `add` gave. */
  get(position: number): T {
    if (position >= this.#written) return this.#format.itemOf(readRow(this.#bytes, position - this.#written + 4));
    // One read is enough for most rows.
    let bytes = Buffer.allocUnsafe(Math.min(readBytes, this.#written - position));
    this.#file!.read(bytes, position);
    const length = 4 + bytes.readUInt32LE(0);
    if (length > bytes.length) {
      const whole = Buffer.allocUnsafe(length);
      bytes.copy(whole);
      this.#file!.read(whole.subarray(bytes.length), position + bytes.length);
      bytes = whole;
    }
    return this.#format.itemOf(readRow(bytes, 4));
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
    this.#bytes = Buffer.alloc(0);
  }

  #flush(): void {
    this.#file ??= new TemporaryFile(this.#path);
    this.#file.write(this.#bytes.subarray(0, this.#end), this.#written);
    this.#written += this.#end;
    this.#end = 0;
  }
}
