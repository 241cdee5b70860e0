/** Rows that are added one after the other and read at any place: in memory while they fit, else in a temporary file. */
import { grownBuffer, type RowFormat, readRow, writeRow } from './rows.ts';
import { TemporaryFile } from './temporary-file.ts';

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
