/** How the lists that the table of landmarks is compared with are written: a reader for each way. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { textLines } from '../../src/sources/open-bytes.ts';

type Position = readonly [lng: number, lat: number];

/** A thing that a list names. */
export type Entry = {
  names: readonly string[];
  lat: number;
  lng: number;
  /** Rings or lines of its shape, longitude first, where the list has one. */
  shape?: readonly (readonly Position[])[];
  /** The better known, the higher; undefined where the list does not say. */
  fame?: number;
};

type Row = Record<string, string>;
/** Reads a file of the folder of lists. */
export type Open = (file: string) => Buffer;

/** The content of a file, unpacked. */
export function bytes(path: string): Buffer {
  const content = readFileSync(path);
  return path.endsWith('.gz') ? gunzipSync(content) : content;
}

/** The rows of a table with a header. */
export const csv = (content: Buffer | string, options: object = {}) =>
  parse(content, { columns: true, bom: true, relax_column_count: true, ...options }) as Row[];

/** An entry without the names that are empty; one without a position has NaN. `fame`: the better known, the higher. */
export function entryOf(
  names: readonly string[],
  lat: string | number,
  lng: string | number,
  fame?: string | number,
): Entry {
  const known = names.filter(Boolean).map((name) => name.replace(/<[^>]*>/g, '').trim());
  const isMissing = lat === '' || lng === '';
  return {
    names: known,
    lat: isMissing ? Number.NaN : Number(lat),
    lng: Number(lng),
    fame: fame ? Number(fame) : undefined,
  };
}

/** Items of a JavaScript array of Wikidata's answers; one that is told twice, with another figure, becomes one. */
export function wikidata(content: Buffer, figure: 'visitors' | 'height'): Entry[] {
  const found = new Map<string, Entry>();
  for (const [item] of content.toString().matchAll(/\{[^{}]*\}/g)) {
    const name = /locationLabel:\s*"((?:[^"\\]|\\.)*)"/.exec(item)?.[1];
    const point = /Point\((\S+) (\S+)\)/.exec(item);
    if (!name || !point || /^Q\d+$/.test(name)) continue;
    const value = Number(new RegExp(`${figure}: "([\\d.]+)"`).exec(item)?.[1] ?? 0);
    const id = /entity\/(Q\d+)/.exec(item)?.[1] ?? name;
    const fame = Math.max(value, found.get(id)?.fame ?? 0) || undefined;
    found.set(id, entryOf([name.replace(/^Тhe/, 'The')], point[2], point[1], fame));
  }
  return [...found.values()];
}

/** Heights above that of the highest building (828 m) are in feet. */
export const inMetres = (entry: Entry): Entry =>
  entry.fame && entry.fame > 830 ? { ...entry, fame: entry.fame * 0.3048 } : entry;

/** Cases of geocoder-tester: a text and where it should be found. */
export const geocoderTester = (content: Buffer) =>
  csv(content, { delimiter: ';', quote: null }).map(({ query, expected_coordinate }) => {
    const [lat, lng] = expected_coordinate.split(',').map(Number.parseFloat);
    return entryOf([query], lat, lng);
  });

type Feature = {
  properties: Record<string, string>;
  geometry: { type: string; coordinates: unknown } | null;
};

/** Features of GeoJSON; of a shape, the position is its first corner. */
export function* features(content: Buffer, namesOf: (properties: Feature['properties']) => string[]): Generator<Entry> {
  for (const { properties, geometry } of (JSON.parse(content.toString()) as { features: Feature[] }).features) {
    if (!geometry) continue;
    const shape = linesOf(geometry.coordinates);
    const [lng, lat] = shape[0][0];
    const entry = entryOf(namesOf(properties), lat, lng);
    yield geometry.type === 'Point' ? entry : { ...entry, shape };
  }
}

function linesOf(coordinates: unknown): Position[][] {
  const nested = coordinates as unknown[];
  if (typeof nested[0] === 'number') return [[nested as unknown as Position]];
  if (typeof (nested[0] as unknown[])[0] === 'number') return [nested as unknown as Position[]];
  return nested.flatMap(linesOf);
}

/** Elements of an answer of OpenStreetMap's Overpass. */
export function lighthouses(content: Buffer): Entry[] {
  type Element = { lat?: number; lon?: number; tags?: Row };
  return (JSON.parse(content.toString()) as { elements: Element[] }).elements.map(({ lat, lon, tags = {} }) =>
    entryOf([tags.name, tags['seamark:name']], lat ?? Number.NaN, lon ?? Number.NaN),
  );
}

/** Records of ROR; those with names in most languages are the best known. */
export function universities(content: Buffer): Entry[] {
  type Record = {
    names: { value: string; lang: string | null }[];
    locations: { geonames_details: { lat: number; lng: number } }[];
  };
  return content
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const { names, locations } = JSON.parse(line) as Record;
      const { lat, lng } = locations[0].geonames_details;
      return entryOf(
        names.map(({ value }) => value),
        lat,
        lng,
        new Set(names.map(({ lang }) => lang)).size,
      );
    });
}

const languages = 'en de es fr pt ru zh ar hi it ja ko nl pl tr'.split(' ');
const translations = (row: Row) =>
  languages.map((language) => row[`name_${language}`] ?? row[`NAME_${language.toUpperCase()}`]);
/** A point of Natural Earth with its names in all languages. */
export const naturalEarthPoint = (row: Row) =>
  entryOf([row.name, row.name_alt, ...translations(row)], row.lat_y, row.long_x, -row.scalerank);

/** Shapes with the names that a second file gives them in other languages. */
export function* naturalEarthShapes(open: Open, shapes: string, names: string): Generator<Entry> {
  const translated = new Map(csv(open(names)).map((row) => [(row.name ?? row.NAME).toLowerCase(), translations(row)]));
  for (const entry of features(open(shapes), ({ name, name_alt, name_en, namealt }) => [
    name,
    name_alt ?? namealt,
    name_en,
  ])) {
    const [name] = entry.names;
    if (name)
      yield { ...entry, names: [...entry.names, ...(translated.get(name.toLowerCase()) ?? []).filter(Boolean)] };
  }
}

/** A table of GeoNames' dump, zipped. */
export async function geonames(path: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const lines of textLines(path, { isWanted: (name) => !/readme/i.test(name) }))
    for (const line of lines) {
      const [, name, ascii, alternates, lat, lng] = line.split('\t');
      entries.push(entryOf([name, ascii, ...alternates.split(',')], lat, lng));
    }
  return entries;
}

/** The second-level districts of GeoNames' postal codes, each in the middle of its codes. */
export function districtsOfCodes(content: Buffer): Entry[] {
  const rows = content
    .toString()
    .split('\n')
    .map((line) => line.split('\t'));
  const mean = (codes: readonly string[][], column: number) =>
    codes.reduce((sum, row) => sum + Number(row[column]), 0) / codes.length;
  return [...Map.groupBy(rows, ([, , , , , name]) => name ?? '')].map(([name, codes]) =>
    entryOf([name], mean(codes, 9), mean(codes, 10)),
  );
}
