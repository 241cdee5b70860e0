/** A list that is written once and read several times, in memory while it is short and in a temporary file when not. */
import { deserialize, serialize } from 'node:v8';
import { TemporaryFile } from './temporary-file.ts';

const maxItemsPerPiece = 2000;

export class Spool<T> {
  readonly #path: string;
  readonly #maxItems: number;
  readonly #itemsPerPiece: number;
  #items: T[] = [];
  #pieces: { offset: number; length: number }[] = [];
  #end = 0;
  #file: TemporaryFile | undefined;
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
      this.#file!.read(bytes, offset);
      yield* deserialize(bytes) as T[];
    }
    yield* this.#items;
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
    this.#items = [];
    this.#pieces = [];
  }

  #flush(): void {
    this.#file ??= new TemporaryFile(this.#path);
    for (let start = 0; start < this.#items.length; start += this.#itemsPerPiece) {
      const bytes = serialize(this.#items.slice(start, start + this.#itemsPerPiece));
      this.#file.write(bytes, this.#end);
      this.#pieces.push({ offset: this.#end, length: bytes.length });
      this.#end += bytes.length;
    }
    this.#items = [];
  }
}
