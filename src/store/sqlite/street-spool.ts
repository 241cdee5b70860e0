/**
 * Street-level records spilled by hash of street, so that all records of a street are in one part and a part fits into
 * memory. A record is a line of fields separated by tabs, after the hash of its street. Parts that are too large are
 * split further, so the total size need not be known.
 */
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

/** Each large part is an open file, of which a process may usually have 1,024. */
const partCount = 256;
const finerPartCount = 16;
/** What cannot be split at this level is one street, or deliberate hash collisions. */
const finest = 4;
const bufferedBytes = 1 << 16;
const readBytes = 1 << 20;
const hashLength = 8;

/** Removes tabs and line breaks, which separate our fields and lines. */
const clean = (text: string) => (/[\t\n\r]/.test(text) ? text.replace(/[\t\n\r]+/g, ' ') : text);

/** A field as it comes back from the file. */
export const cleanField = (field: string | number | undefined): string =>
  typeof field === 'string' ? clean(field) : `${field ?? ''}`;

export class StreetSpool {
  readonly #maxPartBytes: number;
  readonly #level: number;
  readonly #parts: Part[];

  /** Names of its files, which only large parts have, begin with `path`. Parts above `maxPartBytes` are split. */
  constructor(path: string, maxPartBytes: number, level = 0) {
    this.#maxPartBytes = maxPartBytes;
    this.#level = level;
    const length = level === 0 ? partCount : finerPartCount;
    this.#parts = Array.from({ length }, (_, at) => new Part(`${path}-${at}`));
  }

  /** Adds a record; equal keys go to the same part. */
  add(key: string, fields: readonly (string | number | undefined)[]): void {
    let hash = 0;
    for (let at = 0; at < key.length; at++) hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0;
    let line = (hash >>> 0).toString(16).padStart(hashLength, '0');
    for (const field of fields) line += `${cleanField(field)}\t`;
    this.#addLine(hash, line);
  }

  /** The records of each part; a part's file is deleted when it was read. */
  *parts(): Generator<{ share: number; records: Iterable<string[]> }> {
    const count = this.#parts.length;
    for (const [at, part] of this.#parts.entries()) {
      if (part.bytes > this.#maxPartBytes && this.#level < finest) {
        for (const { share, records } of this.#cut(part)) yield { share: (at + share) / count, records };
      } else {
        yield { share: at / count, records: recordsOf(part) };
        part.close();
      }
    }
  }

  close(): void {
    for (const part of this.#parts) part.close();
  }

  *#cut(part: Part): ReturnType<StreetSpool['parts']> {
    const finer = new StreetSpool(part.path, this.#maxPartBytes, this.#level + 1);
    try {
      for (const line of part.lines()) finer.#addLine(Number.parseInt(line.slice(0, hashLength), 16) | 0, line);
      part.close();
      yield* finer.parts();
    } finally {
      finer.close();
    }
  }

  #addLine(hash: number, line: string): void {
    // Every level has to mix the bits again: those that chose the part are equal in all of it.
    const mixed = Math.imul(hash ^ (hash >>> 15), 0x9e3779b1 + 2 * this.#level);
    this.#parts[(mixed >>> 16) % this.#parts.length].add(line);
  }
}

/** Lines in a buffer, and before them in a file as soon as there are more: a small build creates no files. */
class Part {
  readonly path: string;
  #file: number | undefined;
  #written = 0;
  /** Buffered output; as bytes, because a string concatenated of many takes ten times its length. */
  #waiting: Buffer | undefined;
  #waitingBytes = 0;

  constructor(path: string) {
    this.path = path;
  }

  get bytes(): number {
    return this.#written + this.#waitingBytes;
  }

  add(line: string): void {
    // A character is at most three bytes of UTF-8.
    const maxBytes = 3 * line.length + 1;
    if (this.#waitingBytes + maxBytes > bufferedBytes) this.#flush();
    if (maxBytes > bufferedBytes) this.#write(Buffer.from(`${line}\n`));
    else {
      this.#waiting ??= Buffer.allocUnsafeSlow(bufferedBytes);
      this.#waitingBytes += this.#waiting.write(`${line}\n`, this.#waitingBytes);
    }
  }

  *lines(): Generator<string> {
    const decoder = new StringDecoder('utf8');
    let rest = '';
    for (const chunk of this.#chunks()) {
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop()!;
      yield* lines;
    }
  }

  /** Deletes its file. */
  close(): void {
    if (this.#file !== undefined) {
      closeSync(this.#file);
      rmSync(this.path);
    }
    this.#file = this.#waiting = undefined;
    this.#written = this.#waitingBytes = 0;
  }

  *#chunks(): Generator<Buffer> {
    const chunk = Buffer.allocUnsafe(Math.min(readBytes, this.#written));
    for (let position = 0; position < this.#written; ) {
      const length = readSync(this.#file!, chunk, 0, chunk.length, position);
      yield chunk.subarray(0, length);
      position += length;
    }
    if (this.#waiting) yield this.#waiting.subarray(0, this.#waitingBytes);
  }

  #flush(): void {
    if (this.#waiting) this.#write(this.#waiting.subarray(0, this.#waitingBytes));
    this.#waitingBytes = 0;
  }

  #write(bytes: Uint8Array): void {
    this.#file ??= openSync(this.path, 'w+');
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    this.#written += bytes.length;
  }
}

function* recordsOf(part: Part): Generator<string[]> {
  for (const line of part.lines()) yield line.slice(hashLength).split('\t');
}
