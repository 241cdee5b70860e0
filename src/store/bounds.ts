/** The bounding box of the data of a part, so that queries about other places skip it. */
import type { LatLng } from '../core/geo.ts';
import type { PoiPart, StreetPart } from './street-parts.ts';

/** In degrees; west is never east of east. */
export type Bounds = { south: number; west: number; north: number; east: number };

/** Less than the length of a degree of latitude, so that circles are too large rather than too small. */
const kmPerDegree = 110;
/** Rounding of positions and cells. */
const marginDegrees = 0.01;

/** The smallest rectangle that also contains a position. */
export function extended(bounds: Bounds | undefined, { lat, lng }: LatLng): Bounds {
  if (!bounds) return { south: lat, west: lng, north: lat, east: lng };
  return {
    south: Math.min(bounds.south, lat),
    west: Math.min(bounds.west, lng),
    north: Math.max(bounds.north, lat),
    east: Math.max(bounds.east, lng),
  };
}

/**
 * Whether a circle may touch a rectangle; always true near the poles and the date line, where the test is not simple.
 */
export function touches({ south, west, north, east }: Bounds, { lat, lng }: LatLng, km: number): boolean {
  const high = km / kmPerDegree + marginDegrees;
  if (lat + high < south || lat - high > north) return false;
  const poleward = Math.abs(lat) + high;
  if (poleward >= 89) return true;
  const wide = high / Math.cos((poleward * Math.PI) / 180);
  if (lng - wide < -180 || lng + wide > 180) return true;
  return lng + wide >= west && lng - wide <= east;
}

const overlaps = (a: Bounds, b: Bounds) =>
  a.south <= b.north && a.north >= b.south && a.west <= b.east && a.east >= b.west;

type Clauses = Parameters<StreetPart['matching']>[0];

const mayTouch = (bounds: Bounds, clauses: Clauses) =>
  clauses.every(
    (clause) => !('around' in clause) || clause.around.some((center) => touches(bounds, center, clause.km)),
  );

/** A part that is not queried about places outside its bounds. */
export function boundedStreets<P extends StreetPart>(part: P, bounds: Bounds): P {
  const { mayMatch, matching, housesNear, streetsIn, housesIn } = part;
  return Object.assign(part, {
    mayMatch: ((clauses) => mayTouch(bounds, clauses) && mayMatch.call(part, clauses)) satisfies P['mayMatch'],
    matching: ((clauses, limit, all) =>
      mayTouch(bounds, clauses) ? matching.call(part, clauses, limit, all) : []) satisfies P['matching'],
    housesNear: ((from, km) =>
      touches(bounds, from, km) ? housesNear.call(part, from, km) : []) satisfies P['housesNear'],
    streetsIn: ((box, limit) =>
      overlaps(bounds, box) ? streetsIn.call(part, box, limit) : []) satisfies P['streetsIn'],
    housesIn: ((box) => (overlaps(bounds, box) ? housesIn.call(part, box) : [])) satisfies P['housesIn'],
  });
}

export function boundedPois<P extends PoiPart>(part: P, bounds: Bounds): P {
  const { matching, ofCategory, poisIn } = part;
  return Object.assign(part, {
    matching: ((clauses, wanted) =>
      mayTouch(bounds, clauses) ? matching.call(part, clauses, wanted) : []) satisfies P['matching'],
    ofCategory: ((category, center, km, wanted) =>
      touches(bounds, center, km) ? ofCategory.call(part, category, center, km, wanted) : []) satisfies P['ofCategory'],
    poisIn: ((box, limit) => (overlaps(bounds, box) ? poisIn.call(part, box, limit) : [])) satisfies P['poisIn'],
  });
}
