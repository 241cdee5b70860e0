/**
 * The postal layer's file, written by a build. Many codes share one place, so rows are codes and localities apart:
 * `key`/`locality` are sorted by country, code and place name; a locality has a name, region names and a position.
 */
import { fold } from '../../core/fold.ts';
import { rangeStartDigits } from '../../core/postal/formats.ts';
import { codeOfKey, postalKey } from '../../core/postal/key.ts';
import { StringTableBuilder } from '../../core/string-table.ts';
import { writePack } from './pack-file.ts';

export const postalFile = 'postal.pack';
/** A position that is not known, in the integer columns of millionths of a degree. */
export const unknownPosition = 0x7fffffff;
export const unknownName = 0xffffffff;

export type PostalLocality = {
  name: string;
  admin1: string | null;
  admin2: string | null;
  lat: number | null;
  lng: number | null;
  accuracy: 'point' | 'place' | 'area' | null;
  /** Id of the source. */
  source: string;
};
/** What the pack's header holds: rows of each country as [from, to), distinct codes of each, and source ids. */
export type PostalMeta = {
  rows: Record<string, [number, number]>;
  codes: Record<string, number>;
  /** Countries whose codes are only those at which the ranges of towns begin. */
  rangesOnly: string[];
  sources: string[];
};

export type CodesOfPlace = { country: string; codes: readonly string[] };

export const accuracies = [null, 'area', 'place', 'point'] as const;

/** Collects the postal layer and writes it. */
export class PostalTableWriter {
  readonly #localities: PostalLocality[] = [];
  readonly #localityPositions = new Map<string, number>();
  readonly #rows = new Map<string, { keys: number[]; localities: number[] }>();

  /** Position of a locality; equal ones are kept once. */
  locality(locality: PostalLocality): number {
    const { name, admin1, admin2, lat, lng, accuracy, source } = locality;
    const identity = `${name}\t${admin1}\t${admin2}\t${lat}\t${lng}\t${accuracy}\t${source}`;
    let position = this.#localityPositions.get(identity);
    if (position === undefined) {
      position = this.#localities.push(locality) - 1;
      this.#localityPositions.set(identity, position);
    }
    return position;
  }

  /** Adds a row; `code` is compact. */
  add(country: string, code: string, locality: number): void {
    let rows = this.#rows.get(country);
    if (!rows) {
      rows = { keys: [], localities: [] };
      this.#rows.set(country, rows);
    }
    rows.keys.push(postalKey(code));
    rows.localities.push(locality);
  }

  /**
   * Writes the file. `ofPlace` gives for each place of the place table the compact codes it bears, main one first;
   * all of them must have been added. Gives the number of distinct codes and of rows.
   */
  write(path: string, ofPlace: readonly (CodesOfPlace | undefined)[]): { codes: number; rows: number } {
    const size = [...this.#rows.values()].reduce((sum, { keys }) => sum + keys.length, 0);
    const key = new Float64Array(size);
    const locality = new Uint32Array(size);
    const meta: PostalMeta = { rows: {}, codes: {}, rangesOnly: [], sources: [] };
    const rank = this.#nameRanks();
    let end = 0;
    for (const [country, rows] of [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const from = end;
      const order = Uint32Array.from(rows.keys, (_, row) => row).sort(
        (a, b) => rows.keys[a] - rows.keys[b] || rank[rows.localities[a]] - rank[rows.localities[b]],
      );
      let codes = 0;
      for (const row of order) {
        const isNewCode = end === from || key[end - 1] !== rows.keys[row];
        if (!isNewCode && locality[end - 1] === rows.localities[row]) continue;
        if (isNewCode) codes++;
        key[end] = rows.keys[row];
        locality[end] = rows.localities[row];
        end++;
      }
      meta.rows[country] = [from, end];
      meta.codes[country] = codes;
      if (areRangeStarts(country, key.subarray(from, end))) meta.rangesOnly.push(country);
    }
    writePack(path, meta, {
      key: key.subarray(0, end),
      locality: locality.subarray(0, end),
      ...this.#localityColumns(meta.sources),
      ...placeColumns(ofPlace, (country, code) => firstRow(key, meta.rows[country], postalKey(code))),
    });
    return { codes: Object.values(meta.codes).reduce((sum, codes) => sum + codes, 0), rows: end };
  }

  /** For each locality its place in the order of names, then of regions, then of insertion. */
  #nameRanks(): Uint32Array {
    const folded = this.#localities.map(({ name, admin1, admin2 }) => `${fold(name)}\t${name}\t${admin1}\t${admin2}`);
    const order = Uint32Array.from(folded, (_, position) => position).sort((a, b) =>
      folded[a] < folded[b] ? -1 : folded[a] > folded[b] ? 1 : a - b,
    );
    const rank = new Uint32Array(order.length);
    for (const [at, position] of order.entries()) rank[position] = at;
    return rank;
  }

  #localityColumns(sources: string[]) {
    const size = this.#localities.length;
    const names = new StringTableBuilder();
    const name = new Uint32Array(size);
    const admin1 = new Uint32Array(size);
    const admin2 = new Uint32Array(size);
    const lat = new Int32Array(size);
    const lng = new Int32Array(size);
    const kind = new Uint8Array(size);
    const millionths = (degrees: number | null) => (degrees === null ? unknownPosition : Math.round(degrees * 1e6));
    for (const [at, locality] of this.#localities.entries()) {
      name[at] = names.add(locality.name);
      admin1[at] = locality.admin1 === null ? unknownName : names.add(locality.admin1);
      admin2[at] = locality.admin2 === null ? unknownName : names.add(locality.admin2);
      lat[at] = millionths(locality.lat);
      lng[at] = millionths(locality.lng);
      if (!sources.includes(locality.source)) sources.push(locality.source);
      kind[at] = sources.indexOf(locality.source) * accuracies.length + accuracies.indexOf(locality.accuracy);
    }
    const { bytes, ends } = names.finish();
    return { name, admin1, admin2, lat, lng, kind, nameBytes: new Uint8Array(bytes), nameEnds: ends };
  }
}

/** Whether nearly all codes are round, in a country where towns have ranges of codes. */
function areRangeStarts(country: string, keys: Float64Array): boolean {
  if (!rangeStartDigits[country]) return false;
  const round = keys.reduce((count, key) => (codeOfKey(key).endsWith('000') ? count + 1 : count), 0);
  return round >= 0.9 * keys.length;
}

/** First row of a key within a country's rows; the end of the range when it is not there. */
export function firstRow(keys: Float64Array, [start, end]: readonly [number, number], wanted: number): number {
  let from = start;
  for (let to = end; from < to; ) {
    const middle = (from + to) >>> 1;
    if (keys[middle] < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Codes of places: those of place `p` are the rows that `placeRow` names from `placeEnd[p - 1]` to `placeEnd[p]`. */
function placeColumns(
  ofPlace: readonly (CodesOfPlace | undefined)[],
  rowOf: (country: string, code: string) => number,
): { placeEnd: Uint32Array<ArrayBuffer>; placeRow: Uint32Array<ArrayBuffer> } {
  const placeEnd = new Uint32Array(ofPlace.length);
  let end = 0;
  for (let place = 0; place < ofPlace.length; place++) placeEnd[place] = end += ofPlace[place]?.codes.length ?? 0;
  const placeRow = new Uint32Array(end);
  let at = 0;
  for (const of of ofPlace) for (const code of of?.codes ?? []) placeRow[at++] = rowOf(of!.country, code);
  return { placeEnd, placeRow };
}
