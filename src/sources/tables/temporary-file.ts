/** A temporary file that is written and read back at given places, for what does not fit into memory. */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { SourceError } from '../../core/street-records.ts';

/** The error for what cannot be written, with the remedy. */
export const cannotWrite = (path: string, error: unknown) =>
  new SourceError(
    `the temporary file ${path} cannot be written: ${(error as Error).message}; use a disk with more space, or set more memory (buildMemoryMb)`,
  );

export class TemporaryFile {
  readonly #path: string;
  readonly #file: number;

  /** Creates the file, which must not be there yet; the caller removes it. */
  constructor(path: string) {
    this.#path = path;
    this.#file = this.#withRemedy(() => openSync(path, 'wx+'));
  }

  write(bytes: Uint8Array, position: number): void {
    this.#withRemedy(() => {
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(this.#file, bytes, done, bytes.length - done, position + done);
      }
    });
  }

  /** Fills `bytes` from a position that was written before. */
  read(bytes: Uint8Array, position: number): void {
    for (let done = 0; done < bytes.length; ) {
      const read = readSync(this.#file, bytes, done, bytes.length - done, position + done);
      if (read === 0) throw new Error(`the temporary file ${this.#path} was truncated by another program`);
      done += read;
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Runs a write to disk; on failure throws an error with the remedy. */
  #withRemedy<T>(write: () => T): T {
    try {
      return write();
    } catch (error) {
      throw cannotWrite(this.#path, error);
    }
  }
}

type Keyed = { key: number };

/** The items of several lists that are each sorted by key, in order; of equal keys those of the earlier list first. */
export function* mergeSorted<T extends Keyed>(lists: readonly Iterable<T>[]): Generator<T> {
  const iterators = lists.map((list) => list[Symbol.iterator]());
  const heads: (T | undefined)[] = iterators.map((iterator) => iterator.next().value);
  // A binary heap of the numbers of lists.
  const heap = heads.flatMap((head, list) => (head ? [list] : []));
  const isBefore = (left: number, right: number) =>
    heads[left]!.key < heads[right]!.key || (heads[left]!.key === heads[right]!.key && left < right);
  const sink = (from: number) => {
    const list = heap[from];
    let at = from;
    for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++;
      if (!isBefore(heap[child], list)) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = list;
  };
  for (let at = (heap.length >> 1) - 1; at >= 0; at--) sink(at);
  while (heap.length > 0) {
    const list = heap[0];
    yield heads[list]!;
    const next = iterators[list].next();
    heads[list] = next.value;
    if (next.done) {
      const last = heap.pop()!;
      if (heap.length === 0) return;
      heap[0] = last;
    }
    sink(0);
  }
}
