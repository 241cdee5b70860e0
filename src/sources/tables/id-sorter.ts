/** Takes ids in any order and returns each once, in order: sorted in memory, in runs in a temporary file when they are many. */
import { mergeSorted } from './merge-sorted.ts';
import { TemporaryFile } from './temporary-file.ts';

const firstLength = 1024;
const idsPerRead = 8192;

export class IdSorter {
  readonly #path: string;
  readonly #maxIds: number;
  #ids = new Float64Array(firstLength);
  #count = 0;
  #runs: { start: number; end: number }[] = [];
  #file: TemporaryFile | undefined;

  /** `path` is created when more than `memoryBytes` are needed; the caller removes it. */
  constructor(path: string, memoryBytes: number) {
    this.#path = path;
    this.#maxIds = Math.max(firstLength, Math.floor(memoryBytes / 8));
  }

  add(id: number): void {
    if (this.#count === this.#ids.length) {
      // Half full means that many are there twice, and there is room again.
      this.#sort();
      if (2 * this.#count > this.#ids.length) this.#makeRoom();
    }
    this.#ids[this.#count++] = id;
  }

  *sorted(): Generator<number> {
    this.#sort();
    const inMemory = this.#ids.subarray(0, this.#count);
    if (this.#file === undefined) {
      yield* inMemory;
      return;
    }
    let last = Number.NaN;
    for (const { key } of mergeSorted([...this.#runs.map((run) => this.#idsOf(run)), keysOf(inMemory)])) {
      if (key !== last) yield key;
      last = key;
    }
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
    this.#ids = new Float64Array(0);
    this.#count = 0;
  }

  #sort(): void {
    const ids = this.#ids.subarray(0, this.#count).sort();
    let kept = 0;
    for (let at = 0; at < ids.length; at++) if (at === 0 || ids[at] !== ids[at - 1]) ids[kept++] = ids[at];
    this.#count = kept;
  }

  #makeRoom(): void {
    if (2 * this.#ids.length <= this.#maxIds) {
      const larger = new Float64Array(2 * this.#ids.length);
      larger.set(this.#ids);
      this.#ids = larger;
      return;
    }
    this.#file ??= new TemporaryFile(this.#path);
    const start = this.#runs.at(-1)?.end ?? 0;
    const bytes = new Uint8Array(this.#ids.buffer, 0, 8 * this.#count);
    this.#file.write(bytes, start);
    this.#runs.push({ start, end: start + bytes.length });
    this.#count = 0;
  }

  *#idsOf({ start, end }: { start: number; end: number }): Generator<{ key: number }> {
    const ids = new Float64Array(Math.min(idsPerRead, (end - start) / 8));
    for (let position = start; position < end; ) {
      const part = ids.subarray(0, Math.min(ids.length, (end - position) / 8));
      this.#file!.read(new Uint8Array(part.buffer, 0, part.byteLength), position);
      position += part.byteLength;
      yield* keysOf(part);
    }
  }
}

function* keysOf(ids: Float64Array): Generator<{ key: number }> {
  for (const key of ids) yield { key };
}
