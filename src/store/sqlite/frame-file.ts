/** Runs of bytes on disk between two steps of a build. */
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';

const bufferedBytes = 1 << 18;

/** Runs of bytes spilled to disk in order, to be read back once. */
export class FrameFile {
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
