/** A list that is written once and read several times, in memory while it is short and in a temporary file when not. */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';

const maxItemsPerPiece = 2000;

export class Spool<T> {
  readonly #path: string;
  readonly #maxItems: number;
  readonly #itemsPerPiece: number;
  #items: T[] = [];
  #pieces: { offset: number; length: number }[] = [];
  #end = 0;
  #file: number | undefined;
  size = 0;

  /** `path` is created when there are more than `maxItems`; the caller removes it. */
  constructor(path: string, maxItems: number) {
    this.#path = path;
    this.#maxItems = Math.max(1, maxItems);
    this.#itemsPerPiece = Math.ceil(Math.min(maxItemsPerPiece, this.#maxItems));
  }

  add(item: T): void {
    this.size++;
    this.#items.push(item);
    const isFull = this.#items.length >= (this.#file === undefined ? this.#maxItems : this.#itemsPerPiece);
    if (isFull) this.#flush();
  }

  *[Symbol.iterator](): Generator<T> {
    for (const { offset, length } of this.#pieces) {
      const bytes = Buffer.allocUnsafe(length);
      for (let done = 0; done < length; ) {
        const read = readSync(this.#file!, bytes, done, length - done, offset + done);
        if (read === 0) throw new Error(`the temporary file ${this.#path} was cut short by another program`);
        done += read;
      }
      yield* deserialize(bytes) as T[];
    }
    yield* this.#items;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#items = [];
    this.#pieces = [];
  }

  #flush(): void {
    this.#file ??= openSync(this.#path, 'wx+');
    for (let start = 0; start < this.#items.length; start += this.#itemsPerPiece) {
      const bytes = serialize(this.#items.slice(start, start + this.#itemsPerPiece));
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(this.#file, bytes, done, bytes.length - done, this.#end + done);
      }
      this.#pieces.push({ offset: this.#end, length: bytes.length });
      this.#end += bytes.length;
    }
    this.#items = [];
  }
}
