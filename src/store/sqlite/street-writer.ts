/**
 * Writes a file of streets and addresses: records are spilled by street, grouped part by part, sorted by prominence
 * class and then along the curve, and written in one pass in the order of their row ids. So the first rows that a
 * search finds are the most prominent ones, and neighbours are adjacent in every posting list: the rows of a city or a
 * cell are one short range per class, and a search there reads only that range of the long list of a common name.
 */
import { dirname } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { defaultMemoryMb, type StreetBatch } from '../../core/street-records.ts';
import { streetKey } from '../../text/words.ts';
import { maxStreets } from '../identifiers.ts';
import { AreaTable } from './area-table.ts';
import { streetHash } from './extract-base-schema.ts';
import { Sorter } from './sorter.ts';
import { cleanField, fieldsOf, recordsIn } from './street-fields.ts';
import { groupStreets, type StreetRow } from './street-groups.ts';
import { rankOf, StreetRowFile } from './street-rows.ts';

/** Gap between the identifiers of two streets, for streets that changes add. */
const maxSpacing = 256;
const keysInMemory = 50_000;
/** Share of the memory for each of the two sorters: of records by street, and of streets by rank. */
const sorterShare = 0.25;

type WriterOptions = {
  path: string;
  /** Memory for sorting, in MB; 512 by default. */
  memoryMb?: number | undefined;
  dropped(reason: string, count: number): void;
  /** Receives each street with its identifier and rank; if set, identifiers have gaps for later streets. */
  onNumbered?: ((street: StreetRow, id: number, rank: number) => void) | undefined;
};

export class StreetWriter {
  readonly areas = new AreaTable();
  readonly #options: WriterOptions;
  /** Records by street, as lines of fields separated by tabs. */
  readonly #records: Sorter<string>;
  /** Settlements with mapped streets, where no geometry is derived from addresses. */
  readonly #mappedAreas = new Set<number>();
  readonly #sources: string[] = [];
  readonly #keys = new Map<string, string>();
  readonly #sorted: Sorter<Uint8Array>;
  #file: StreetRowFile | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
    const { path, memoryMb = defaultMemoryMb } = options;
    this.#records = new Sorter(dirname(path), memoryMb * sorterShare);
    this.#sorted = new Sorter(dirname(path), memoryMb * sorterShare);
  }

  /** Number by which records name a source. */
  source(name: string): number {
    const known = this.#sources.indexOf(name);
    return known >= 0 ? known : this.#sources.push(name) - 1;
  }

  /** Adds records; `areaOf` returns a record's number in `areas`. */
  add(
    batch: StreetBatch,
    source: number,
    areaOf: (record: StreetBatch['addresses' | 'streets' | 'interpolations'][number]) => number,
  ): void {
    for (const each of recordsIn(batch)) {
      const area = areaOf(each.record);
      if (each.kind === 's') this.#mappedAreas.add(area);
      const line = fieldsOf(each, area, source).map(cleanField).join('\t');
      this.#records.add(streetHash(area, this.#key(each.street)), line);
    }
  }

  /** Writes the file. Returns the numbers of addresses and of streets with a geometry by country. */
  finish(progress: (share: number) => void): Record<'addresses' | 'streets', Record<string, number>> {
    const { path, dropped, onNumbered } = this.#options;
    const counts: ReturnType<StreetWriter['finish']> = { addresses: {}, streets: {} };
    const add = (kind: 'addresses' | 'streets', { area }: StreetRow, count: number) => {
      const { country } = this.areas.areas[area];
      if (count > 0) counts[kind][country] = (counts[kind][country] ?? 0) + count;
    };
    let rows = 0;
    let read = 0;
    // Two streets may share a hash.
    for (const lines of this.#records.lines()) {
      const records = lines.split('\n').map((line) => line.split('\t'));
      for (const street of groupStreets(records, dropped, (area) => this.#mappedAreas.has(area))) {
        this.#sorted.add(rankOf(street, this.areas.areas), serialize(street));
        add('addresses', street, street.houseCount);
        add('streets', street, street.lines ? 1 : 0);
        if (++rows > maxStreets)
          throw new Error(`${path} has more than ${maxStreets} streets; split it into several parts`);
      }
      read += records.length;
      if (rows % 1000 === 0) progress((0.4 * read) / this.#records.count);
    }
    const file = new StreetRowFile(path, this.#sources, this.areas.areas);
    this.#file = file;
    const spacing = onNumbered ? Math.max(1, Math.min(maxSpacing, Math.floor(maxStreets / 2 / rows))) : 1;
    let done = 0;
    for (const [rank, bytes] of this.#sorted.values()) {
      const street = deserialize(bytes) as StreetRow;
      const id = ++done * spacing;
      file.add(id, street);
      onNumbered?.(street, id, rank);
      if (done % 1000 === 0) progress(0.4 + (0.5 * done) / rows);
    }
    progress(0.9);
    file.finish();
    return counts;
  }

  /** Closes all files, whether writing finished or failed. */
  close(): void {
    this.#records.close();
    this.#sorted.close();
    this.#file?.close();
  }

  #key(name: string): string {
    let key = this.#keys.get(name);
    if (key === undefined) {
      if (this.#keys.size >= keysInMemory) this.#keys.clear();
      key = streetKey(name);
      this.#keys.set(name, key);
    }
    return key;
  }
}
