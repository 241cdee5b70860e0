/**
 * Street-level records spilled by hash of street, so that all records of a street are in one part and a part fits into
 * memory. A record is a line of fields separated by tabs, after the hash of its street. Parts that are too large are
 * split further, so the total size need not be known.
 */
import { closeSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

/** Each part is an open file, of which a process may usually have 1,024. */
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
  readonly #path: string;
  readonly #maxPartBytes: number;
  readonly #level: number;
  readonly #count: number;
  #files: number[];
  /** Buffered output; as bytes, because a string concatenated of many takes ten times its length. */
  readonly #waiting: Buffer[];
  readonly #waitingBytes: Uint32Array;

  /** Names of its files begin with `path`. Parts above `maxPartBytes` are split. */
  constructor(path: string, maxPartBytes: number, level = 0) {
    this.#path = path;
    this.#maxPartBytes = maxPartBytes;
    this.#level = level;
    this.#count = level === 0 ? partCount : finerPartCount;
    this.#files = Array.from({ length: this.#count }, (_, part) => openSync(`${path}-${part}`, 'w'));
    this.#waiting = this.#files.map(() => Buffer.allocUnsafeSlow(bufferedBytes));
    this.#waitingBytes = new Uint32Array(this.#count);
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
    for (let part = 0; part < this.#count; part++) this.#flush(part);
    this.close();
    for (let part = 0; part < this.#count; part++) {
      const path = `${this.#path}-${part}`;
      if (statSync(path).size > this.#maxPartBytes && this.#level < finest) {
        for (const { share, records } of this.#cut(path)) yield { share: (part + share) / this.#count, records };
      } else {
        yield { share: part / this.#count, records: recordsOf(path) };
        rmSync(path);
      }
    }
  }

  close(): void {
    for (const file of this.#files.splice(0)) closeSync(file);
  }

  *#cut(path: string): ReturnType<StreetSpool['parts']> {
    const finer = new StreetSpool(path, this.#maxPartBytes, this.#level + 1);
    try {
      for (const line of linesOf(path)) finer.#addLine(Number.parseInt(line.slice(0, hashLength), 16) | 0, line);
      rmSync(path);
      yield* finer.parts();
    } finally {
      finer.close();
    }
  }

  #addLine(hash: number, line: string): void {
    // Every level has to mix the bits again: those that chose the part are equal in all of it.
    const mixed = Math.imul(hash ^ (hash >>> 15), 0x9e3779b1 + 2 * this.#level);
    const part = (mixed >>> 16) % this.#count;
    // A character is at most three bytes of UTF-8.
    const maxBytes = 3 * line.length + 1;
    if (this.#waitingBytes[part] + maxBytes > bufferedBytes) this.#flush(part);
    if (maxBytes > bufferedBytes) this.#write(part, Buffer.from(`${line}\n`));
    else this.#waitingBytes[part] += this.#waiting[part].write(`${line}\n`, this.#waitingBytes[part]);
  }

  #flush(part: number): void {
    this.#write(part, this.#waiting[part].subarray(0, this.#waitingBytes[part]));
    this.#waitingBytes[part] = 0;
  }

  #write(part: number, bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#files[part], bytes, done);
  }
}

function* recordsOf(path: string): Generator<string[]> {
  for (const line of linesOf(path)) yield line.slice(hashLength).split('\t');
}

function* linesOf(path: string): Generator<string> {
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.allocUnsafe(readBytes);
    const decoder = new StringDecoder('utf8');
    let rest = '';
    for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk)) {
      const lines = (rest + decoder.write(chunk.subarray(0, length))).split('\n');
      rest = lines.pop()!;
      yield* lines;
    }
  } finally {
    closeSync(file);
  }
}
