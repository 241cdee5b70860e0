/** A temporary file that is written and read back at given places, for what does not fit into memory. */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import TinyQueue from 'tinyqueue';
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
  const heads = lists.flatMap((list, order) => {
    const rest = list[Symbol.iterator]();
    const { value: item, done } = rest.next();
    return done ? [] : { item, rest, order };
  });
  const queue = new TinyQueue(heads, (one, other) => one.item.key - other.item.key || one.order - other.order);
  for (let head = queue.pop(); head; head = queue.pop()) {
    yield head.item;
    const { value, done } = head.rest.next();
    if (done) continue;
    head.item = value;
    queue.push(head);
  }
}
