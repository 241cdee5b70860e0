/** Outlines of countries and regions, and the forms of geometry that Nominatim writes. */
import { WhereaboutsError } from '../../errors.ts';
import type { Ask } from './drop-in.ts';
import type { DropInRecord } from './record.ts';

/** Polygons of rings of [longitude, latitude]; the first ring of each is the outer one. */
export type Outline = number[][][][];

const metresPerDegree = 111_320;
const tolerances = { minimum: 500, maximum: 100_000 };
/** An outline is at least this share of its height off: that of Canada, written as SVG to 500 m, kept the thread for 140 ms. */
const shareOfHeight = 1 / 2000;

/**
 * The outline of a country or first-level region, at most `toleranceDegrees` or 1/2,000 of its height off. Undefined for other records, where the
 * dataset has none, and for a key that may not use the endpoints `countryArea` and `adminArea`.
 */
export function outlineOf(ask: Ask, record: DropInRecord, toleranceDegrees: number): Outline | undefined {
  const [south, north] = record.box ?? [0, 0];
  const metres = Math.round(Math.max(toleranceDegrees, (north - south) * shareOfHeight) * metresPerDegree);
  return areaOf(ask, record, Math.min(tolerances.maximum, Math.max(tolerances.minimum, metres)));
}

function areaOf(ask: Ask, record: DropInRecord, tolerance: number): Outline | undefined {
  const { layer, id, countryCode } = record;
  if (layer !== 'country' && layer !== 'region') return undefined;
  try {
    if (layer === 'country') return ask('countryArea', { code: countryCode, tolerance }).geometry.coordinates;
    const { code } = ask('place', { id }).hierarchy.at(-1);
    return code ? ask('adminArea', { iso_code: code, tolerance }).geometry.coordinates : undefined;
  } catch (error) {
    if (error instanceof WhereaboutsError && error.code !== 'internal') return undefined;
    throw error;
  }
}

type Position = Pick<DropInRecord, 'lat' | 'lng'>;
const rings = (outline: Outline, write: (ring: number[][]) => string, between: string) =>
  outline.map((polygon) => polygon.map(write).join(between));
const pairs = (ring: number[][], inPair: string, between: string) =>
  ring.map(([lng, lat]) => `${lng}${inPair}${lat}`).join(between);

/** GeoJSON's geometry. */
export const geojson = ({ lat, lng }: Position, outline?: Outline): object =>
  outline ? { type: 'MultiPolygon', coordinates: outline } : { type: 'Point', coordinates: [lng, lat] };

/** Name and value of the field for each form of geometry. */
export const geometryFields = {
  geojson: (at: Position, outline?: Outline) => ['geojson', geojson(at, outline)],
  kml: ({ lat, lng }: Position, outline?: Outline) => [
    'geokml',
    outline ? kml(outline) : `<Point><coordinates>${lng},${lat}</coordinates></Point>`,
  ],
  svg: ({ lat, lng }: Position, outline?: Outline) => ['svg', outline ? svg(outline) : `cx="${lng}" cy="${-lat}"`],
  text: ({ lat, lng }: Position, outline?: Outline) => [
    'geotext',
    outline ? wellKnownText(outline) : `POINT(${lng} ${lat})`,
  ],
} as const;
export type GeometryForm = keyof typeof geometryFields;

function kml(outline: Outline): string {
  const boundary = (kind: string, ring: number[][]) =>
    `<${kind}><LinearRing><coordinates>${pairs(ring, ',', ' ')}</coordinates></LinearRing></${kind}>`;
  const polygons = outline.map(
    (polygon) =>
      `<Polygon>${polygon.map((ring, at) => boundary(at === 0 ? 'outerBoundaryIs' : 'innerBoundaryIs', ring)).join('')}</Polygon>`,
  );
  return `<MultiGeometry>${polygons.join('')}</MultiGeometry>`;
}

/** A path, latitudes negated as the axis of SVG points down. */
const svg = (outline: Outline): string =>
  rings(
    outline,
    (ring) =>
      `M ${pairs(
        ring.slice(0, -1).map(([lng, lat]) => [lng, -lat]),
        ' ',
        ' L ',
      )} Z`,
    ' ',
  ).join(' ');

const wellKnownText = (outline: Outline): string =>
  `MULTIPOLYGON(${rings(outline, (ring) => `(${pairs(ring, ' ', ',')})`, ',')
    .map((polygon) => `(${polygon})`)
    .join(',')})`;
