/** An external merge sort between two steps of a build: sorted runs on disk, merged when they are read. */
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';

/** Size of the memory buffer that is sorted and written as a run. */
const runBytes = 16 * 2 ** 20;
/** The key, a double, precedes each value. */
const keyBytes = 8;

/** Values sorted by a number, stable; can be read back once. */
export class SortedFile<T> {
  readonly #path: string;
  readonly #runBytes: number;
  readonly #runs: FrameFile[] = [];
  #waiting: { key: number; bytes: Buffer }[] = [];
  #waitingBytes = 0;

  /** Runs are files whose names begin with `path`. `memory` is the size of the buffer in bytes. */
  constructor(path: string, memory = runBytes) {
    this.#path = path;
    this.#runBytes = memory;
  }

  add(key: number, value: T): void {
    const bytes = serialize(value);
    this.#waiting.push({ key, bytes });
    this.#waitingBytes += keyBytes + bytes.length;
    if (this.#waitingBytes >= this.#runBytes) this.#writeRun();
  }

  /** The values in order of their keys; the files are deleted at the end. */
  *values(): Generator<T> {
    this.#writeRun();
    let open = this.#runs.map((run) => ({ frames: run.frames(), key: 0, bytes: Buffer.alloc(0) })).filter(advance);
    while (open.length > 0) {
      // Of equal keys, the one in the earliest run; there are only tens of runs, so no heap is needed.
      let first = open[0];
      for (const run of open) if (run.key < first.key) first = run;
      yield deserialize(first.bytes);
      if (!advance(first)) open = open.filter((run) => run !== first);
    }
  }

  close(): void {
    for (const run of this.#runs) run.close();
  }

  #writeRun(): void {
    const run = new FrameFile(`${this.#path}-${this.#runs.length}`);
    this.#runs.push(run);
    for (const { key, bytes } of this.#waiting.sort((a, b) => a.key - b.key)) {
      const frame = Buffer.allocUnsafe(keyBytes + bytes.length);
      frame.writeDoubleLE(key);
      bytes.copy(frame, keyBytes);
      run.add(frame);
    }
    run.flush();
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}

/** Moves to a run's next value; false at its end. */
function advance(run: { frames: Generator<Buffer>; key: number; bytes: Buffer }): boolean {
  const { value, done } = run.frames.next();
  if (done) return false;
  run.key = value.readDoubleLE();
  run.bytes = value.subarray(keyBytes);
  return true;
}

// Runs of bytes on disk between two steps of a build.

const bufferedBytes = 1 << 18;

/** Runs of bytes spilled to disk in order, to be read back once. */
class FrameFile {
  readonly #path: string;
  readonly #file: number;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #isClosed = false;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'w+');
  }

  add(bytes: Buffer): void {
    const head = Buffer.allocUnsafe(4);
    head.writeUInt32LE(bytes.length);
    this.#waiting.push(head, bytes);
    this.#waitingBytes += bytes.length + 4;
    if (this.#waitingBytes > bufferedBytes) this.flush();
  }

  /** Writes what is buffered in memory. */
  flush(): void {
    if (this.#waitingBytes > 0) writeSync(this.#file, Buffer.concat(this.#waiting));
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  /** The runs of bytes in order; the file is deleted at the end. */
  *frames(): Generator<Buffer> {
    this.flush();
    let rest = Buffer.alloc(0);
    for (let position = 0; ; ) {
      const chunk = Buffer.allocUnsafe(bufferedBytes);
      const length = readSync(this.#file, chunk, 0, chunk.length, position);
      if (length === 0) break;
      position += length;
      rest = Buffer.concat([rest, chunk.subarray(0, length)]);
      let at = 0;
      while (at + 4 <= rest.length) {
        const end = at + 4 + rest.readUInt32LE(at);
        if (end > rest.length) break;
        yield rest.subarray(at + 4, end);
        at = end;
      }
      rest = rest.subarray(at);
    }
    this.close();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#file);
    rmSync(this.#path, { force: true });
  }
}
