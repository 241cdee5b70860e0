/** Groups the records of one part by street: names, houses without duplicates, geometry. Until then they are lines of text. */
import { baseNumber, normaliseHouseNumber } from '../../core/address/house-number.ts';
import { cellNumber, cellSizes, cellsAt, distanceKm, type LatLng } from '../../core/geo.ts';
import { isOsmObject } from '../../core/osm-object.ts';
import type { Drop, StreetBatch } from '../../core/source-records.ts';
import { fold } from '../../text/fold.ts';
import { nameWords, streetKey } from '../../text/words.ts';
import type { StreetArea } from '../street-parts.ts';
import { type NewHouse, packHouses, packLines } from './house-block.ts';
import { houseCellSize } from './schema.ts';

/** A street ready to be written. */
export type StreetRow = {
  /** Identifies a street within its area: the common form of its names. */
  key: string;
  names: string[];
  area: number;
  postcodes: string[];
  lat: number;
  lng: number;
  highway: string | null;
  source: number;
  stretches: string | null;
  lines: Buffer | null;
  /** The pieces and houses that are objects of OpenStreetMap. */
  objects: string[];
  houseObjects: string[];
  /** Names of the search cells of the vertices, or else of the houses. */
  cells: string[];
  blocks: { first: number; bytes: Buffer; cells: number[] }[];
  houseCount: number;
  vertexCount: number;
};

type GroupedHouse = NewHouse & { isPart: boolean; isPlace: boolean; otherNumbers: string[] };
type SortedHouse = GroupedHouse & { base: number; normalised: string };
type Group = {
  key: string;
  area: number;
  names: Map<string, number>;
  houses: GroupedHouse[];
  postcodes: Map<string, number>;
  streets: {
    lat: number;
    lng: number;
    highway: string | undefined;
    source: number;
    lines: Float64Array[];
    objects: string;
  }[];
  stretches: { name: string; stretch: unknown }[];
};

const housesPerBlock = 192;
/** Records with one number and source that are closer than this are one house; others are its entrances or parts. */
const samePointKm = 0.02;
/** The same for two sources, and where both have the same postal code. */
const sameHouseKm = 0.05;
const sameCodeKm = 0.5;

/**
 * A street known only from addresses gets a vertex in each cell with one of its houses; the edge of a cell in degrees,
 * about 100 m.
 */
const houseVertexSize = 0.001;

type Fields = (string | number | undefined)[];

/** The records of a batch that belong to streets, each as a line of fields separated by tabs, with the number of its area. */
export function* linesOf(
  { addresses, streets, interpolations }: StreetBatch,
  source: number,
  areaOf: (record: StreetBatch['addresses' | 'streets' | 'interpolations'][number]) => number,
): Generator<{ street: string; area: number; line: string }> {
  const lineOf = (kind: string, street: string, area: number, fields: Fields) => {
    return { street, area, line: [kind, area, street, ...fields].map(cleanField).join('\t') };
  };
  for (const record of addresses) {
    const { houseNumber, otherNumbers, otherStreetNames, postalCode, isPart, isPlace, lat, lng, sourceId } = record;
    yield lineOf('a', record.street, areaOf(record), [
      joined(otherStreetNames),
      houseNumber,
      postalCode,
      lat.toFixed(6),
      lng.toFixed(6),
      source,
      isPart ? 1 : undefined,
      isPlace ? 1 : undefined,
      joined(otherNumbers),
      isOsmObject(sourceId) ? sourceId : undefined,
    ]);
  }
  for (const record of streets) {
    const { otherNames, highwayType, lat, lng, lines, pieceIds } = record;
    const geometry = JSON.stringify(lines.map((line) => [...line]));
    const objects = pieceIds?.filter(isOsmObject).join(' ');
    const fields = [joined(otherNames), lat, lng, highwayType, source, geometry, objects];
    yield lineOf('s', record.name, areaOf(record), fields);
  }
  for (const record of interpolations) {
    const { from, to, step, line } = record;
    yield lineOf('i', record.street, areaOf(record), ['', JSON.stringify([from, to, step, [...line]])]);
  }
}

/** Names as one field. */
const joined = (names: readonly string[] | undefined) => names?.filter((name) => !name.includes('|')).join('|');

/** Tabs and line breaks separate fields and lines. */
const cleanField = (field: string | number | undefined): string =>
  typeof field === 'string' ? field.replace(/[\t\n\r]+/g, ' ') : `${field ?? ''}`;

/**
 * Streets of one part. `dropped` receives duplicates. In settlements for which `isMapped` is false, streets known only
 * from addresses get a geometry from their houses.
 */
export function* groupStreets(
  records: Iterable<string[]>,
  dropped: Drop,
  isMapped: (area: number) => boolean,
): Generator<StreetRow> {
  const groups = new Map<string, Group>();
  const keys = new Map<string, string>();
  for (const [kind, area, name, others, ...fields] of records) {
    // A village, which has no lines, may have the name of a street in it.
    const isVillage = kind === 's' && fields[4] === '[]';
    const key = keys.getOrInsertComputed(name, streetKey) + (isVillage ? ' village' : '');
    const group = groups.getOrInsertComputed(`${area} ${key}`, () => newGroup(key, Number(area)));
    addRecord(group, kind, name, others, fields);
  }
  for (const group of groups.values()) yield finished(group, dropped, isMapped(group.area));
}

function newGroup(key: string, area: number): Group {
  return { key, area, names: new Map(), houses: [], postcodes: new Map(), streets: [], stretches: [] };
}

function addRecord(group: Group, kind: string, name: string, others: string, fields: string[]): void {
  if (kind === 'i') {
    group.stretches.push({ name, stretch: JSON.parse(fields[0]) });
    return;
  }
  countName(group, name);
  for (const other of others === '' ? [] : others.split('|')) group.names.getOrInsert(other, 0);
  if (kind === 'a') {
    const [text, code, lat, lng, source, isPart, isPlace, otherNumbers = '', object = ''] = fields;
    const postcode = code === '' ? -1 : group.postcodes.getOrInsert(code, group.postcodes.size);
    group.houses.push({
      text,
      postcode,
      lat: Number(lat),
      lng: Number(lng),
      source: Number(source),
      isPart: isPart === '1',
      isPlace: isPlace === '1',
      otherNumbers: otherNumbers === '' ? [] : otherNumbers.split('|'),
      ...(object !== '' && { object }),
    });
  } else {
    const [lat, lng, highway, source, lines, objects = ''] = fields;
    group.streets.push({
      lat: Number(lat),
      lng: Number(lng),
      highway: highway || undefined,
      source: Number(source),
      lines: (JSON.parse(lines) as number[][]).map((line) => Float64Array.from(line)),
      objects,
    });
  }
}

function countName({ names }: Group, name: string): void {
  names.set(name, (names.get(name) ?? 0) + 1);
}

function finished(group: Group, dropped: Drop, isMapped: boolean): StreetRow {
  // Interpolation ranges may come among the houses or after them, which must not decide which spelling is first.
  for (const { name } of group.stretches) countName(group, name);
  const stretches = group.stretches.map(({ stretch }) => stretch);
  const houses = withoutDuplicates(group.houses, dropped);
  const lines = group.streets.flatMap((street) => street.lines);
  const [street] = group.streets;
  const made = isMapped || street ? [] : linesOfHouses(houses);
  const middle = street ?? houses[houses.length >> 1] ?? stretchStart(stretches[0]);
  return {
    key: group.key,
    names: orderedNames(group.names),
    area: group.area,
    postcodes: [...group.postcodes.keys()],
    lat: middle.lat,
    lng: middle.lng,
    highway: street?.highway ?? null,
    source: street?.source ?? houses[0]?.source ?? 0,
    stretches: stretches.length > 0 ? JSON.stringify(stretches) : null,
    lines: lines.length + made.length > 0 ? packLines([...lines, ...made]) : null,
    objects: group.streets.flatMap(({ objects }) => (objects === '' ? [] : objects.split(' '))),
    houseObjects: houses.flatMap(({ object = [] }) => object),
    cells: cellNames([middle, ...(lines.length > 0 ? lines.flatMap(vertices) : houses)]),
    blocks: blocksOf(withOtherNumbers(houses)),
    houseCount: houses.length,
    vertexCount: lines.reduce((sum, line) => sum + line.length / 2, 0),
  };
}

/**
 * The houses of a street as lines of one vertex; none where houses are numbered by village or block instead of street.
 */
function linesOfHouses(houses: readonly GroupedHouse[]): Float64Array[] {
  const cells = new Map<number, Float64Array>();
  for (const { lat, lng, isPlace } of houses) {
    const cell = cellNumber({ lat, lng }, houseVertexSize);
    if (!isPlace && !cells.has(cell)) cells.set(cell, Float64Array.of(lng, lat));
  }
  return [...cells.values()];
}

const vertices = (line: Float64Array): LatLng[] =>
  Array.from({ length: line.length / 2 }, (_, at) => ({ lng: line[2 * at], lat: line[2 * at + 1] }));

/** Names of the search cells that hold positions. */
export function cellNames(positions: readonly LatLng[]): string[] {
  const seen = new Set<number>();
  const names = new Set<string>();
  for (const position of positions) {
    // Most neighbours share their finest cell, and with it all others.
    const finest = cellNumber(position, cellSizes[0]);
    if (seen.has(finest)) continue;
    seen.add(finest);
    for (const name of cellsAt(position)) names.add(name);
  }
  return [...names];
}

const stretchStart = (stretch: unknown) => {
  const [, , , [lng, lat]] = stretch as [number, number, number, number[]];
  return { lat, lng };
};

/** Most frequent spelling first, mixed case before capitals; equivalent spellings once. */
function orderedNames(names: ReadonlyMap<string, number>): string[] {
  const isUpperCase = (name: string) => name === name.toUpperCase() && name !== name.toLowerCase();
  const ordered = [...names].sort(
    ([a, m], [b, n]) => Number(m === 0) - Number(n === 0) || Number(isUpperCase(a)) - Number(isUpperCase(b)) || n - m,
  );
  const seen = new Set<string>();
  return ordered
    .map(([name]) => name)
    .filter((name) => {
      const words = nameWords(name).join(' ');
      if (seen.has(words)) return false;
      seen.add(words);
      return true;
    });
}

/** Of the houses of one number in a street, as registers have `S/N` for all of a rural district, so many are compared with a further one. */
const maxCompared = 1_000;

function withoutDuplicates(houses: GroupedHouse[], dropped: Drop): SortedHouse[] {
  const sorted = houses.map((house) => {
    const normalised = normaliseHouseNumber(house.text);
    return { ...house, normalised, base: baseNumber(normalised) };
  });
  sorted.sort(
    (a, b) =>
      a.base - b.base ||
      (a.normalised < b.normalised ? -1 : a.normalised > b.normalised ? 1 : 0) ||
      // Of two records of one house, the house itself is preferred over a part, then the one with a postal code.
      Number(a.isPart) - Number(b.isPart) ||
      Number(a.postcode < 0) - Number(b.postcode < 0) ||
      a.source - b.source,
  );
  const kept: SortedHouse[] = [];
  for (const house of sorted) {
    let known: SortedHouse | undefined;
    const first = Math.max(0, kept.length - maxCompared);
    for (let at = kept.length - 1; at >= first && kept[at].normalised === house.normalised && !known; at--) {
      if (isSameHouse(kept[at], house)) known = kept[at];
    }
    if (!known) kept.push(house);
    else {
      if (known.postcode < 0) known.postcode = house.postcode;
      dropped('duplicate address');
    }
  }
  return kept;
}

/** Houses and, between them in the order of numbers, an entry for each further number of a house. */
function withOtherNumbers(houses: SortedHouse[]): SortedHouse[] {
  const others = houses.flatMap((house) =>
    house.otherNumbers.map((number) => {
      const normalised = normaliseHouseNumber(number);
      return { ...house, otherNumber: normalised, normalised, base: baseNumber(normalised) };
    }),
  );
  return others.length === 0 ? houses : [...houses, ...others].sort((a, b) => a.base - b.base);
}

function isSameHouse(left: NewHouse, right: NewHouse): boolean {
  const km = distanceKm(left, right);
  if (left.source === right.source) {
    return km <= samePointKm && (left.postcode < 0 || right.postcode < 0 || left.postcode === right.postcode);
  }
  return km <= sameHouseKm || (km <= sameCodeKm && left.postcode >= 0 && left.postcode === right.postcode);
}

function blocksOf(houses: readonly SortedHouse[]): StreetRow['blocks'] {
  const blocks: StreetRow['blocks'] = [];
  for (let from = 0; from < houses.length; ) {
    let to = Math.min(houses.length, from + housesPerBlock);
    // Houses of one number stay in one block.
    while (to < houses.length && houses[to].base === houses[to - 1].base) to++;
    const part = houses.slice(from, to);
    const cells = new Set(part.map((house) => cellNumber(house, houseCellSize)));
    blocks.push({ first: part[0].base, bytes: packHouses(part, from), cells: [...cells] });
    from = to;
  }
  return blocks;
}

/** The settlements of a file; equal ones share a number. */
export class AreaTable {
  readonly #numbers = new Map<string, number>();
  readonly areas: StreetArea[] = [];

  /** Number of an area, made by `describe` when it is new. `key` distinguishes areas with the same city name. */
  add(city: string | null, country: string, key: string, describe: () => StreetArea): number {
    const full = `${country}\t${city === null ? '' : fold(city)}\t${key}`;
    return this.#numbers.getOrInsertComputed(full, () => this.areas.push(describe()) - 1);
  }
}
