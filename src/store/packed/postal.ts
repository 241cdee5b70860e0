/** The postal layer, opened from the file that PostalTableWriter wrote. */
import { join } from 'node:path';
import { firstPast } from '../../core/binary-search.ts';
import { distanceKm } from '../../core/geo.ts';
import { cellNumbersAround } from '../../core/geo-cells.ts';
import {
  compact,
  rangeStartDigits,
  rangeStarts,
  readPostalCode,
  shorterForms,
  spellPostalCode,
} from '../../core/postal/code.ts';
import { codeOfKey, PostalKeyColumn, postalKey } from '../../core/postal/key-column.ts';
import { firstPostalId } from '../identifiers.ts';
import type { Places, PostalCode, PostalCodes } from '../store.ts';
import { openIds, openStrings, readPack } from './pack-file.ts';
import { accuracies, nearCellSize, type PostalMeta, postalFile, unknownName, unknownPosition } from './postal-table.ts';

/** Fewer codes of one beginning do not tell whose the others of it are. */
const minNeighbours = 5;

/**
 * Opens the postal layer of a dataset directory over the dataset's places, which may differ from those the layer was
 * built with. Throws when the file is missing or damaged.
 */
export function openPostal(directory: string, places: Pick<Places, 'idOf' | 'countryOf'>): PostalCodes {
  const pack = readPack(join(directory, postalFile));
  const meta = pack.meta as PostalMeta;
  const keys = new PostalKeyColumn({
    upper: pack.column('upper', 'u32'),
    lowerOf: pack.column('lowerOf', 'u32'),
    lower: pack.column('lower', 'u32'),
  });
  const locality = openIds(pack, 'locality');
  const name = pack.column('name', 'u32');
  const region = openIds(pack, 'region');
  /** Names of both levels of each region. */
  const regionNames = pack.column('regionNames', 'u32');
  const lat = pack.column('lat', 'i32');
  const lng = pack.column('lng', 'i32');
  const kind = pack.column('kind', 'u8');
  const radius = pack.column('radius', 'u16');
  const placeRow = pack.column('placeRow', 'u32');
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
    for (let row = keys.firstRow(range[0], range[1], wanted); row < range[1] && keys.at(row) === wanted; row++) {
      records.push(recordAt(row, country, postalCode));
    }
    return records;
  };
  /** Of a code that the data lack, where towns have ranges of codes: the one place of all its neighbours. */
  const ofRange = (country: string, code: string): PostalCode[] => {
    const range = rows.get(country);
    const [, digits] = rangeStartDigits[country] ?? [];
    if (!range || digits === undefined) return [];
    const beginning = code.slice(0, digits);
    const first = keys.firstRow(...range, postalKey(beginning));
    let last = first;
    while (last < range[1] && codeOfKey(keys.at(last)).startsWith(beginning)) last++;
    const found = Array.from({ length: last - first }, (_, at) => recordOfRow(first + at, country));
    const isOne = found.length >= minNeighbours && found.every(({ place }) => place === found[0].place);
    return isOne ? found.slice(0, 1) : [];
  };
  const recordOfRow = (row: number, country: string) =>
    recordAt(row, country, spellPostalCode(country, codeOfKey(keys.at(row))));

  const placeIds = pack.column('placeId', 'u32');
  /** Rows of `placeRow` of a place, from and up to. */
  const rangeOf = (place: number): readonly [number, number] => {
    if (place < 0) return [0, 0];
    const id = places.idOf(place);
    const number = firstPast(0, placeIds.length, (at) => placeIds[at] >= id);
    if (placeIds[number] !== id) return [0, 0];
    return [number === 0 ? 0 : placeEnd[number - 1], placeEnd[number]];
  };
  const codeAt = (place: number, at: number) =>
    spellPostalCode(places.countryOf(place), codeOfKey(keys.at(placeRow[at])));

  const nearRow = pack.column('nearRow', 'u32');
  const positionOf = (row: number) => {
    const at = locality.at(row);
    return { lat: lat[at] / 1e6, lng: lng[at] / 1e6 };
  };
  /** The cell of each of these rows, ascending: to find it takes three scattered reads. */
  const cellOf = pack.column('nearCell', 'u32');

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
    byId(id) {
      const row = id - firstPostalId;
      const [country] = [...rows].find(([, [from, to]]) => row >= from && row < to) ?? [];
      return country === undefined ? undefined : recordOfRow(row, country);
    },
    ofPlace(place, limit = Number.POSITIVE_INFINITY) {
      const codes: string[] = [];
      const [start, last] = rangeOf(place);
      const end = Math.min(last, start + limit);
      for (let at = start; at < end; at++) codes.push(codeAt(place, at));
      return codes;
    },
    mainOfPlace(place) {
      const [start, end] = rangeOf(place);
      return start < end ? codeAt(place, start) : null;
    },
    nearest(from, country, maxKm) {
      const range = rows.get(country);
      let nearest = -1;
      let nearestKm = maxKm;
      if (!range) return undefined;
      for (const cell of cellNumbersAround(from, maxKm, nearCellSize)) {
        const first = firstPast(0, cellOf.length, (at) => cellOf[at] >= cell);
        for (let at = first; cellOf[at] === cell; at++) {
          const row = nearRow[at];
          if (row < range[0] || row >= range[1]) continue;
          const km = distanceKm(from, positionOf(row));
          if (km < nearestKm) [nearest, nearestKm] = [row, km];
        }
      }
      return nearest < 0 ? undefined : recordOfRow(nearest, country);
    },
    countByCountry: () => meta.codes,
  };
}
