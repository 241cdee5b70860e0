/** The postal layer, opened from the file that PostalTableWriter wrote. */

import { join } from 'node:path';
import { firstPast, type StringTable, StringTableBuilder } from '../../core/columns.ts';
import { cellNumber, cellNumbersAround, distanceKm } from '../../core/geo.ts';
import {
  codeOfKey,
  compact,
  postalKey,
  rangeStartDigits,
  rangeStarts,
  readPostalCode,
  shorterForms,
  shorterFormsOfUnfinished,
  spellPostalCode,
} from '../../core/postal/code.ts';
import { fold } from '../../text/fold.ts';
import { firstPostalId } from '../identifiers.ts';
import type { Places, PostalCode, PostalCodes } from '../store.ts';
import { openIds, openStrings, packedIds, readPack, writePack } from './pack-file.ts';

/** Places of which one is in memory that is read often. */
const idsPerStep = 64;
/** Fewer codes of one beginning do not tell whose the others of it are. */
const minNeighbours = 5;

/**
 * Opens the postal layer of a dataset directory over the dataset's places, which may differ from those the layer was
 * built with. Throws when the file is missing or damaged.
 */
export function openPostal(directory: string, places: Pick<Places, 'idOf' | 'countryOf'>): PostalCodes {
  const pack = readPack(join(directory, postalFile));
  const meta = pack.meta as PostalMeta;
  const keys = pack.column('key', 'f64');
  /** `regionNames`: the names of both levels of each region. */
  const { name, regionNames } = pack.columns({ name: 'u32', regionNames: 'u32' });
  const { lat, lng, kind, radius } = pack.columns({ lat: 'i32', lng: 'i32', kind: 'u8', radius: 'u16' });
  const { placeRow, placeId: placeIds } = pack.columns({ placeRow: 'u32', placeId: 'u32' });
  const [locality, region] = [openIds(pack, 'locality'), openIds(pack, 'region')];
  const placeEnd = pack.ends('placeEnd', placeRow.length);
  const names = openStrings(pack, 'name');
  const rows = new Map(Object.entries(meta.rows));

  const nameAt = (position: number) => (position === unknownName ? null : names.at(position));
  const degrees = (millionths: number) => (millionths === unknownPosition ? null : millionths / 1e6);

  const recordAt = (row: number, country: string, postalCode: string): PostalCode => {
    const at = locality.at(row);
    const regionAt = region.at(at) * 2;
    return {
      id: firstPostalId + row,
      postalCode,
      place: names.at(name[at]),
      admin1: nameAt(regionNames[regionAt]),
      admin2: nameAt(regionNames[regionAt + 1]),
      country,
      lat: degrees(lat[at]),
      lng: degrees(lng[at]),
      radiusKm: radius[at] ? radius[at] / 10 : null,
      accuracy: accuracies[kind[at] % accuracies.length],
      source: meta.sources[Math.floor(kind[at] / accuracies.length)],
    };
  };
  const recordsOf = (country: string, code: string): PostalCode[] => {
    const range = rows.get(country);
    const wanted = postalKey(code);
    if (!range || Number.isNaN(wanted)) return [];
    const records: PostalCode[] = [];
    const postalCode = spellPostalCode(country, code);
    for (let row = firstRow(keys, range, wanted); row < range[1] && keys[row] === wanted; row++) {
      records.push(recordAt(row, country, postalCode));
    }
    return records;
  };
  /** Rows of the codes of a country that begin with a compact text. */
  const rowsBeginning = (country: string, beginning: string): readonly [from: number, to: number] => {
    const range = rows.get(country);
    const wanted = postalKey(beginning);
    if (!range || Number.isNaN(wanted)) return [0, 0];
    const first = firstRow(keys, range, wanted);
    return [first, firstPast(first, range[1], (row) => !codeOfKey(keys[row]).startsWith(beginning))];
  };
  /** Of a code that the data lack, where towns have ranges of codes: the one place of all its neighbours. */
  const ofRange = (country: string, code: string): PostalCode[] => {
    const [, digits] = rangeStartDigits[country] ?? [];
    if (digits === undefined) return [];
    const [first, last] = rowsBeginning(country, code.slice(0, digits));
    const found = Array.from({ length: last - first }, (_, at) => recordOfRow(first + at, country));
    const isOne = found.length >= minNeighbours && found.every(({ place }) => place === found[0].place);
    return isOne ? found.slice(0, 1) : [];
  };
  const recordOfRow = (row: number, country: string) =>
    recordAt(row, country, spellPostalCode(country, codeOfKey(keys[row])));

  /** Every so many of them: to search all takes a read of cold memory for each halving. */
  const steps = Math.ceil(placeIds.length / idsPerStep);
  const someIds = Uint32Array.from({ length: steps }, (_, at) => placeIds[at * idsPerStep]);
  /** Rows of `placeRow` of a place, from and up to. */
  const rangeOf = (place: number): readonly [number, number] => {
    if (place < 0) return [0, 0];
    const id = places.idOf(place);
    const step = firstPast(0, someIds.length, (at) => someIds[at] >= id) * idsPerStep;
    const from = Math.max(0, step - idsPerStep);
    const number = firstPast(from, Math.min(placeIds.length, step), (at) => placeIds[at] >= id);
    if (placeIds[number] !== id) return [0, 0];
    return [number === 0 ? 0 : placeEnd[number - 1], placeEnd[number]];
  };

  const positionOf = (row: number) => {
    const at = locality.at(row);
    return { lat: lat[at] / 1e6, lng: lng[at] / 1e6 };
  };
  const sharesPosition = (row: number, other: number) => {
    const [one, two] = [locality.at(row), locality.at(other)];
    return keys[row] !== keys[other] && lat[one] === lat[two] && lng[one] === lng[two];
  };
  /** Rows, and the cell of each of these, ascending: to find it takes three scattered reads. */
  const { nearRow, nearCell: cellOf } = pack.columns({ nearRow: 'u32', nearCell: 'u32' });

  return {
    find(country, text) {
      const code = readPostalCode(country, text);
      // A user's dump may contain codes of a shape that the table of shapes lacks.
      if (code === undefined) return recordsOf(country, compact(text));
      const exact = recordsOf(country, code);
      if (exact.length > 0) return exact;
      const starts = meta.rangesOnly.includes(country) ? rangeStarts(country, code) : [];
      for (const other of [...shorterForms(country, code), ...starts]) {
        const records = recordsOf(country, other);
        if (records.length > 0) return records;
      }
      return ofRange(country, code);
    },
    beginning(country, text, limit) {
      const typed = compact(text);
      const ranges = [typed, country + typed].map((each) => rowsBeginning(country, each));
      const [from, to] = ranges.find(([first, last]) => last > first) ?? [0, 0];
      const found: PostalCode[] = [];
      for (let row = from; row < to && found.length < limit; row++)
        if (row === from || keys[row] !== keys[row - 1]) found.push(recordOfRow(row, country));
      if (found.length > 0) return found;
      const shorter = shorterFormsOfUnfinished(country, typed).map((each) => recordsOf(country, each));
      return shorter.find((records) => records.length > 0)?.slice(0, limit) ?? [];
    },
    byId(id) {
      const row = id - firstPostalId;
      const [country] = [...rows].find(([, [from, to]]) => row >= from && row < to) ?? [];
      return country === undefined ? undefined : recordOfRow(row, country);
    },
    ofPlace(place, limit = Number.POSITIVE_INFINITY) {
      const codes: string[] = [];
      const [start, last] = rangeOf(place);
      const end = Math.min(last, start + limit);
      const country = start < end ? places.countryOf(place) : '';
      for (let at = start; at < end; at++) codes.push(spellPostalCode(country, codeOfKey(keys[placeRow[at]])));
      return codes;
    },
    nearest(from, country, maxKm) {
      const range = rows.get(country);
      if (!range) return undefined;
      let [nearest, nearestKm] = [-1, maxKm];
      let [nearestAlone, nearestAloneKm] = [-1, maxKm];
      for (const cell of cellNumbersAround(from, maxKm, nearCellSize)) {
        const first = firstPast(0, cellOf.length, (at) => cellOf[at] >= cell);
        const end = firstPast(first, cellOf.length, (at) => cellOf[at] > cell);
        const ofCell = nearRow.subarray(first, end);
        for (const row of ofCell) {
          if (row < range[0] || row >= range[1]) continue;
          const km = distanceKm(from, positionOf(row));
          if (km < nearestKm) [nearest, nearestKm] = [row, km];
          if (km < nearestAloneKm && !ofCell.some((other) => sharesPosition(other, row)))
            [nearestAlone, nearestAloneKm] = [row, km];
        }
      }
      // Codes at one position have that of their town: nearly all are of post boxes and companies.
      const row = nearestAlone < 0 ? nearest : nearestAlone;
      return row < 0 ? undefined : recordOfRow(row, country);
    },
    countByCountry: () => meta.codes,
  };
}

// The postal layer's file, written by a build. Many codes share one place, so rows are codes and localities apart:
// `key`/`locality` are sorted by country, code and place name; a locality has a name, region names and a position.

export const postalFile = 'postal.pack';
/** An unknown position, in the integer columns of millionths of a degree. */
const unknownPosition = 0x7fffffff;
const unknownName = 0xffffffff;

export type PostalLocality = Pick<PostalCode, 'admin1' | 'admin2' | 'lat' | 'lng' | 'accuracy' | 'source'> & {
  name: string;
  radiusKm?: number | null;
};
/** The pack's header: rows of each country as [from, to), number of distinct codes of each, and source ids. */
export type PostalMeta = {
  rows: Record<string, [number, number]>;
  codes: Record<string, number>;
  /** Countries with only the first code of each town's range. */
  rangesOnly: string[];
  sources: string[];
};

/** Edge in degrees of the cells that `nearRow` is sorted by. */
const nearCellSize = 0.1;

/** Codes of a place, compact, main one first; `placeId` is its identifier in the world's table. */
export type CodesOfPlace = { placeId: number; country: string; codes: readonly string[] };

export const accuracies = [null, 'area', 'place', 'point'] as const;

/** Collects the postal layer in columns, because a million objects would not fit, and writes it. */
export class PostalTableWriter {
  readonly #rows = new Map<string, { keys: number[]; localities: number[] }>();
  readonly #names = new StringTableBuilder();
  readonly #sources: string[] = [];
  readonly #name: number[] = [];
  /** Pairs of region names, of which there are few: where each stands, and two names each. */
  readonly #regions = new Map<string, number>();
  readonly #regionNames: number[] = [];
  readonly #region: number[] = [];
  readonly #lat: number[] = [];
  readonly #lng: number[] = [];
  readonly #radius: number[] = [];
  readonly #kind: number[] = [];

  /** Adds a locality and returns its index; codes at the same locality should use the same index. */
  locality({ name, admin1, admin2, lat, lng, radiusKm, accuracy, source }: PostalLocality): number {
    const millionths = (degrees: number | null) => (degrees === null ? unknownPosition : Math.round(degrees * 1e6));
    if (!this.#sources.includes(source)) this.#sources.push(source);
    this.#region.push(this.#regionOf(admin1, admin2));
    this.#lat.push(millionths(lat));
    this.#lng.push(millionths(lng));
    this.#radius.push(radiusKm ? Math.ceil(radiusKm * 10) : 0);
    this.#kind.push(this.#sources.indexOf(source) * accuracies.length + accuracies.indexOf(accuracy));
    return this.#name.push(this.#names.add(name)) - 1;
  }

  #regionOf(...pair: readonly [admin1: string | null, admin2: string | null]): number {
    const names = pair.map((name) => (name === null ? unknownName : this.#names.add(name)));
    return this.#regions.getOrInsertComputed(names.join(), () => this.#regionNames.push(...names) / 2 - 1);
  }

  /** Adds a row; `code` is compact. */
  add(country: string, code: string, locality: number): void {
    const rows = this.#rows.getOrInsertComputed(country, () => ({ keys: [], localities: [] }));
    rows.keys.push(postalKey(code));
    rows.localities.push(locality);
  }

  /**
   * Writes the file, with the places that have codes; all of these codes must have been added. Returns the number of
   * distinct codes of each country, and of rows.
   */
  write(path: string, ofPlaces: readonly CodesOfPlace[]): { codes: Record<string, number>; rows: number } {
    const size = [...this.#rows.values()].reduce((sum, { keys }) => sum + keys.length, 0);
    const key = new Float64Array(size);
    const locality = new Uint32Array(size);
    const meta: PostalMeta = { rows: {}, codes: {}, rangesOnly: [], sources: this.#sources };
    const names = this.#names.finish();
    const rank = nameRanks(names);
    let end = 0;
    for (const [country, rows] of [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const from = end;
      const { keys, localities } = rows;
      const order = Uint32Array.from(keys, (_, row) => row).sort(
        (a, b) => keys[a] - keys[b] || rank[this.#name[localities[a]]] - rank[this.#name[localities[b]]] || a - b,
      );
      let codes = 0;
      for (const row of order) {
        const isNewCode = end === from || key[end - 1] !== keys[row];
        if (!isNewCode && this.#isSame(locality[end - 1], localities[row])) continue;
        if (isNewCode) codes++;
        key[end] = keys[row];
        locality[end] = localities[row];
        end++;
      }
      meta.rows[country] = [from, end];
      meta.codes[country] = codes;
      if (areRangeStarts(country, key.subarray(from, end))) meta.rangesOnly.push(country);
    }
    writePack(path, meta, {
      key: key.subarray(0, end),
      ...packedIds('locality', locality.subarray(0, end)),
      name: Uint32Array.from(this.#name),
      ...packedIds('region', Uint32Array.from(this.#region)),
      regionNames: Uint32Array.from(this.#regionNames),
      lat: Int32Array.from(this.#lat),
      lng: Int32Array.from(this.#lng),
      // In tenths of a kilometre, 0 where unknown.
      radius: Uint16Array.from(this.#radius),
      kind: Uint8Array.from(this.#kind),
      ...this.#nearRows(locality.subarray(0, end)),
      nameBytes: new Uint8Array(names.bytes),
      nameEnds: names.ends,
      ...placeColumns(
        ofPlaces.toSorted((one, other) => one.placeId - other.placeId),
        (country, code) => firstRow(key, meta.rows[country], postalKey(code)),
      ),
    });
    return { codes: meta.codes, rows: end };
  }

  /** Rows with a measured position, sorted by cell, and their cells: for the code of a position. */
  #nearRows(locality: Uint32Array): Record<'nearRow' | 'nearCell', Uint32Array> {
    const cellOf = (row: number) => {
      const at = locality[row];
      return cellNumber({ lat: this.#lat[at] / 1e6, lng: this.#lng[at] / 1e6 }, nearCellSize);
    };
    const point = accuracies.indexOf('point');
    const rows = [...locality.keys()].filter((row) => this.#kind[locality[row]] % accuracies.length === point);
    const cells = new Map(rows.map((row) => [row, cellOf(row)]));
    const nearRow = Uint32Array.from(rows.sort((a, b) => cells.get(a)! - cells.get(b)! || a - b));
    return { nearRow, nearCell: nearRow.map((row) => cells.get(row)!) };
  }

  /** Whether two localities are identified the same way. */
  #isSame(one: number, other: number): boolean {
    const columns = [this.#name, this.#region, this.#lat, this.#lng];
    return one === other || columns.every((column) => column[one] === column[other]);
  }
}

/** For each string its rank by folded name, then by the original letters. */
function nameRanks(names: StringTable): Uint32Array {
  const keys = Array.from({ length: names.size }, (_, at) => `${fold(names.at(at))}\t${names.at(at)}`);
  const order = Uint32Array.from(keys, (_, at) => at).sort((a, b) => (keys[a] < keys[b] ? -1 : 1));
  const rank = new Uint32Array(order.length);
  for (const [place, at] of order.entries()) rank[at] = place;
  return rank;
}

/** Whether nearly all codes are round, in a country where towns have ranges of codes. */
function areRangeStarts(country: string, keys: Float64Array): boolean {
  if (!rangeStartDigits[country]) return false;
  const round = keys.reduce((count, key) => (codeOfKey(key).endsWith('000') ? count + 1 : count), 0);
  return round >= 0.9 * keys.length;
}

/** First row of a key within a country's rows; the end of the range when it is not there. */
function firstRow(keys: Float64Array, [start, end]: readonly [number, number], wanted: number): number {
  return firstPast(start, end, (row) => keys[row] >= wanted);
}

/**
 * Codes of places: those of the place `placeId[n]` are the rows that `placeRow` names from `placeEnd[n - 1]` to
 * `placeEnd[n]`. Places are referred to by identifier and not by position, so that the layer works with another world
 * table.
 */
function placeColumns(ofPlaces: readonly CodesOfPlace[], rowOf: (country: string, code: string) => number) {
  let end = 0;
  return {
    placeId: Uint32Array.from(ofPlaces, ({ placeId }) => placeId),
    placeEnd: Uint32Array.from(ofPlaces, ({ codes }) => (end += codes.length)),
    placeRow: Uint32Array.from(ofPlaces.flatMap(({ country, codes }) => codes.map((code) => rowOf(country, code)))),
  };
}
