/**
 * Street-level records put aside in parts, so that all records of one street are in one part and a part fits into
 * memory. A record is a line of fields separated by tabs.
 */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const partCount = 256;
const bufferedLength = 1 << 16;

/** Texts end at a tab or a line break nowhere but in our own lines. */
const clean = (text: string) => (/[\t\n\r]/.test(text) ? text.replace(/[\t\n\r]+/g, ' ') : text);

export class StreetSpool {
  readonly #paths: string[];
  readonly #files: number[];
  readonly #waiting: string[];

  constructor(directory: string) {
    this.#paths = Array.from({ length: partCount }, (_, part) => join(directory, `part-${part}`));
    this.#files = this.#paths.map((path) => openSync(path, 'w'));
    this.#waiting = this.#paths.map(() => '');
  }

  /** Adds a record; equal keys go to the same part. */
  add(key: string, fields: readonly (string | number | undefined)[]): void {
    let hash = 0;
    for (let at = 0; at < key.length; at++) hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0;
    const part = (hash ^ (hash >>> 15)) & (partCount - 1);
    let line = '';
    for (const field of fields) line += `${typeof field === 'string' ? clean(field) : (field ?? '')}\t`;
    this.#waiting[part] += `${line}\n`;
    if (this.#waiting[part].length > bufferedLength) this.#flush(part);
  }

  /** The records of each part; a part's file is deleted when it was read. */
  *parts(): Generator<{ share: number; records: Iterable<string[]> }> {
    for (let part = 0; part < partCount; part++) {
      this.#flush(part);
      const lines = readFileSync(this.#paths[part], 'utf8').split('\n');
      lines.pop();
      rmSync(this.#paths[part]);
      yield { share: part / partCount, records: lines.values().map((line) => line.split('\t')) };
    }
  }

  close(): void {
    for (const file of this.#files.splice(0)) closeSync(file);
  }

  #flush(part: number): void {
    const waiting = this.#waiting[part];
    if (waiting.length > 0) writeSync(this.#files[part], waiting);
    this.#waiting[part] = '';
  }
}
