/** A WGS84 position in degrees: lat in [-90, 90], lng in [-180, 180]. */
export type LatLng = { lat: number; lng: number };

/** Mean Earth radius in km (IUGG 1980), as the API contract fixes it for great-circle distances. */
export const earthRadiusKm = 6371.0088;

const radians = Math.PI / 180;

/** Great-circle distance between two positions in km: the haversine formula, exact to the millimetre up to the antipode. */
export function distanceKm(from: LatLng, to: LatLng): number {
  const lat1 = from.lat * radians;
  const lat2 = to.lat * radians;
  const halfLng = ((to.lng - from.lng) * radians) / 2;
  const sinLat = Math.sin((lat2 - lat1) / 2);
  const sinLng = Math.sin(halfLng);
  const cosines = Math.cos(lat1) * Math.cos(lat2);
  const h = sinLat * sinLat + cosines * sinLng * sinLng;
  if (h < 0.5) return 2 * earthRadiusKm * Math.asin(Math.sqrt(h));
  // Towards the antipode the arc sine loses half of its digits; there the complement 1 - h is computed for itself.
  const sinSum = Math.sin((lat1 + lat2) / 2);
  const cosLng = Math.cos(halfLng);
  return 2 * earthRadiusKm * Math.acos(Math.min(1, Math.sqrt(sinSum * sinSum + cosines * cosLng * cosLng)));
}

/** Whether two positions are at most so many kilometres apart: most are excluded by latitude, without trigonometry. */
export const isNear = (one: LatLng, other: LatLng, km: number): boolean =>
  Math.abs(one.lat - other.lat) * radians * earthRadiusKm <= km && distanceKm(one, other) <= km;

/**
 * Initial great-circle bearing from one position to another, degrees in [0, 360) clockwise from north. 0 where every
 * direction is as good as any: for equal points and for antipodes. At a pole, north is taken along the given meridian.
 */
export function bearingDegrees(from: LatLng, to: LatLng): number {
  const lat1 = from.lat * radians;
  const lat2 = to.lat * radians;
  // Within half a turn, so that 180 and -180 are the same meridian to the last digit.
  const dLng = wrapLongitude(to.lng - from.lng) * radians;
  const y = Math.sin(dLng) * Math.cos(lat2);
  const x = Math.cos(lat1) * Math.sin(lat2) - Math.sin(lat1) * Math.cos(lat2) * Math.cos(dLng);
  // The length of (x, y) is the sine of the distance: below 1e-15 (6 nanometres) it is rounding only.
  if (Math.hypot(x, y) < 1e-15) return 0;
  return (Math.atan2(y, x) / radians + 360) % 360;
}

/** A longitude or a difference of longitudes brought into [-180, 180). */
export function wrapLongitude(degrees: number): number {
  return degrees - 360 * Math.floor((degrees + 180) / 360);
}

/** A coordinate with at most 6 decimals, as every answer carries it. */
export function roundCoordinate(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}

/** Kilometres in an international mile. */
export const kmPerMile = 1.609344;

/** A distance in km (or miles) with at most 3 decimals, as every answer carries it. */
export function roundKm(km: number): number {
  return Math.round(km * 1e3) / 1e3;
}

// Map tiles: the squares of the Web Mercator projection that zoom, column and row name, the row from the north.

/** One tile; `x` and `y` are from 0 to 2^z - 1. */
export type Tile = { z: number; x: number; y: number };

/** A position as shares of the world's width and height in Web Mercator, from the north-west corner. */
export const acrossWorld = (lng: number) => (lng + 180) / 360;
export function downWorld(lat: number): number {
  const sine = Math.sin((lat * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

const latitudeAt = (down: number) => (Math.atan(Math.sinh(Math.PI * (1 - 2 * down))) * 180) / Math.PI;

/** The rectangle of a tile in degrees, made larger by `margin`, a share of its width, on each side. */
export function tileBounds({ z, x, y }: Tile, margin = 0): Bounds {
  const size = 2 ** -z;
  return {
    west: (x - margin) * size * 360 - 180,
    east: (x + 1 + margin) * size * 360 - 180,
    north: latitudeAt((y - margin) * size),
    south: latitudeAt((y + 1 + margin) * size),
  };
}

/** A rectangle in degrees; west is never east of east. Around a circle it may reach beyond the 180th meridian on either side. */
export type Bounds = { south: number; west: number; north: number; east: number };

/** West, south, east and north in degrees; west > east crosses the antimeridian. */
export type BoundingBox = readonly [west: number, south: number, east: number, north: number];

/** Whether a box contains a position, edges included. Its sides by their places: to take the list apart makes objects. */
export function isWithin(lat: number, lng: number, box: BoundingBox): boolean {
  if (lat < box[1] || lat > box[3]) return false;
  return box[0] <= box[2] ? lng >= box[0] && lng <= box[2] : lng >= box[0] || lng <= box[2];
}

/** Maximum width of a box for which a circle around it excludes much. */
const maxCircledDegrees = 60;

/** A circle around a box, for indexes that know circles; undefined for a box that covers much of the globe. */
export function circleAround([west, south, east, north]: BoundingBox): { center: LatLng; km: number } | undefined {
  const width = east - west + (west <= east ? 0 : 360);
  if (width > maxCircledDegrees || north - south > maxCircledDegrees) return undefined;
  const lng = west + width / 2;
  const center = { lat: (south + north) / 2, lng: lng > 180 ? lng - 360 : lng };
  // The edge nearest to the equator is the longest one; if the box contains it, its middle is no farther than a corner.
  const corners = [south, north].map((lat) => distanceKm(center, { lat, lng: west }));
  return { center, km: Math.max(...corners) * (1 + 1e-9) };
}

/** The box around a circle, as wide as the world where it holds a pole. */
export function boxAroundCircle(center: LatLng, radiusKm: number): BoundingBox {
  const { west, south, east, north } = rectangleAround(center, radiusKm);
  return east - west >= 360 ? [-180, south, 180, north] : [wrapLongitude(west), south, wrapLongitude(east), north];
}

/**
 * The smallest box around boxes of which none crosses the antimeridian; it does where the widest gap between them is elsewhere
 * (Russia, Fiji). Undefined for none.
 */
export function boxAroundAll(boxes: readonly Bounds[]): BoundingBox | undefined {
  if (boxes.length === 0) return undefined;
  const [first, ...others] = boxes.toSorted((one, other) => one.west - other.west);
  let reached = first.east;
  let gap = { degrees: 0, before: 0, after: 0 };
  let { south, north } = first;
  for (const box of others) {
    if (box.west - reached > gap.degrees) gap = { degrees: box.west - reached, before: reached, after: box.west };
    reached = Math.max(reached, box.east);
    south = Math.min(south, box.south);
    north = Math.max(north, box.north);
  }
  const isAcross = gap.degrees > first.west + 360 - reached;
  return isAcross ? [gap.after, south, gap.before, north] : [first.west, south, reached, north];
}

// Cells of a grid in degrees at several sizes: which cell holds a position, and which cells a circle touches. Search
// indexes list each record under its cell of every size, so a circle is a handful of cells whatever its radius.

/** Edge of a cell in degrees, from fine (about 1 km) to coarse. */
export const cellSizes = [0.01, 0.05, 0.5, 5] as const;
const degreesPerKm = 180 / (Math.PI * earthRadiusKm);
/** A circle is covered by the finest cells of which at most this many are needed, or else by the coarsest. */
const maxCells = 24;
/** Names of the cells that hold a position, one of each size, for use as search terms. */
export function cellsAt(position: LatLng): string[] {
  return cellSizes.map((size, level) => cellName(level, cellNumber(position, size)));
}

/** Number of a cell of some size in a grid of its own: equal for positions in one cell. */
export function cellNumber({ lat, lng }: LatLng, size: number): number {
  return row(lat, size) * columns(size) + column(lng, size);
}

/** Numbers of the cells of some size that a circle touches. */
export const cellNumbersAround = (center: LatLng, radiusKm: number, size: number): number[] =>
  cellNumbersIn(rectangleAround(center, radiusKm), size);

/** Numbers of the cells of some size that a rectangle in degrees touches; `west` is not above `east`. */
export function cellNumbersIn(bounds: Bounds, size: number): number[] {
  const { south, height, west, width } = extent(bounds, size);
  const across = columns(size);
  const found: number[] = [];
  for (let y = south; y < south + height; y++) {
    for (let x = west; x < west + width; x++) found.push(y * across + modulo(x, across));
  }
  return found;
}

/** Names of the cells that a rectangle touches: of the finest size with at most `limit` cells, or of the coarsest. */
export function cellsIn(bounds: Bounds, limit: number): string[] {
  const isFew = (size: number) => {
    const { height, width } = extent(bounds, size);
    return height * width <= limit;
  };
  const fine = cellSizes.findIndex(isFew);
  const level = fine < 0 ? cellSizes.length - 1 : fine;
  return cellNumbersIn(bounds, cellSizes[level]).map((cell) => cellName(level, cell));
}

/** Names of the cells of one size that a circle touches: of the finest size of which few suffice. */
export const cellsAround = (center: LatLng, radiusKm: number): string[] =>
  cellsIn(rectangleAround(center, radiusKm), maxCells);

/** The rectangle around a circle; of all longitudes where it reaches a pole. */
function rectangleAround({ lat, lng }: LatLng, radiusKm: number): Bounds {
  // A margin for the rounding of stored positions.
  const reach = radiusKm * degreesPerKm + 1e-6;
  const sine = Math.sin((Math.min(90, reach) * Math.PI) / 180) / Math.cos((lat * Math.PI) / 180);
  const across = sine >= 1 ? 180 : (Math.asin(sine) * 180) / Math.PI;
  return {
    south: Math.max(-90, lat - reach),
    north: Math.min(90, lat + reach),
    west: lng - across,
    east: lng + across,
  };
}

/** The first row and column of a rectangle, and how many there are. */
function extent({ south, west, north, east }: Bounds, size: number) {
  const first = Math.floor((west + 180) / size);
  const width = Math.min(columns(size), Math.floor((east + 180) / size) - first + 1);
  return { south: row(south, size), height: row(north, size) - row(south, size) + 1, west: first, width };
}

const columns = (size: number) => Math.round(360 / size);
const row = (lat: number, size: number) => Math.floor((lat + 90) / size);
const column = (lng: number, size: number) => modulo(Math.floor((lng + 180) / size), columns(size));
const modulo = (value: number, by: number) => ((value % by) + by) % by;
const cellName = (level: number, cell: number) => `=${'abcd'[level]}${cell.toString(36)}`;

// Geometry of lines and rings as flat lists lng, lat, lng, lat, … in degrees. Longitudes may jump at the antimeridian:
// every function takes the short way between two neighbours.

/** The longitude that is the same place as `lng` and within 180 degrees of `reference`. */
function unwrapped(lng: number, reference: number): number {
  return lng - 360 * Math.round((lng - reference) / 360);
}

/** True when a line comes back to its first point and encloses an area (four points or more). */
export function isRing(line: Float64Array): boolean {
  const { length } = line;
  return length >= 8 && line[0] === line[length - 2] && line[1] === line[length - 1];
}

/** Twice the signed area of a ring and its centroid, in plain degrees around the first point. */
function ringMoments(ring: Float64Array): { area: number; lat: number; lng: number } {
  let [area, lat, lng] = [0, 0, 0];
  let [lastX, lastY] = [0, 0];
  for (let at = 2; at < ring.length; at += 2) {
    const x = unwrapped(ring[at], ring[0]) - ring[0];
    const y = ring[at + 1] - ring[1];
    const cross = lastX * y - x * lastY;
    area += cross;
    lng += cross * (lastX + x);
    lat += cross * (lastY + y);
    [lastX, lastY] = [x, y];
  }
  return { area, lat: ring[1] + lat / (3 * area), lng: ring[0] + lng / (3 * area) };
}

/** The centroid of rings that do not overlap (the outer rings of a multipolygon), weighted by their areas. */
export function centroidOfRings(rings: readonly Float64Array[]): LatLng {
  let [sum, lat, lng] = [0, 0, 0];
  for (const ring of rings) {
    const moments = ringMoments(ring);
    const area = Math.abs(moments.area);
    // A ring so thin that its area is lost in rounding (below about 1 cm²) has no meaningful centroid.
    if (!(area > 1e-14)) continue;
    sum += area;
    lat += area * moments.lat;
    lng += area * unwrapped(moments.lng, rings[0][0]);
  }
  if (sum === 0) return pointAlong(rings[0]);
  return { lat: lat / sum, lng: wrapLongitude(lng / sum) };
}

/** The point at a share of a line's length, half-way by default; for a line of one point, that point. */
export function pointAlong(line: ArrayLike<number>, share = 0.5): LatLng {
  let left = lengthKm(line) * share;
  let at = 2;
  for (; at < line.length - 2 && segmentKm(line, at) < left; at += 2) left -= segmentKm(line, at);
  if (at >= line.length) return { lat: line[1], lng: line[0] };
  const length = segmentKm(line, at);
  const part = length === 0 ? 0 : Math.min(1, left / length);
  const lng = unwrapped(line[at], line[at - 2]);
  return {
    lat: line[at - 1] + part * (line[at + 1] - line[at - 1]),
    lng: wrapLongitude(line[at - 2] + part * (lng - line[at - 2])),
  };
}

function segmentKm(line: ArrayLike<number>, at: number): number {
  return distanceKm({ lat: line[at - 1], lng: line[at - 2] }, { lat: line[at + 1], lng: line[at] });
}

/** Length of a line in km. */
export function lengthKm(line: ArrayLike<number>): number {
  let total = 0;
  for (let at = 2; at < line.length; at += 2) total += segmentKm(line, at);
  return total;
}

/** The bits of a row and a column in turns (Morton 1966): numbers near each other are mostly cells near each other. */
export function interleaved(row: number, column: number, bits: number): number {
  let value = 0;
  for (let bit = bits - 1; bit >= 0; bit--) value = value * 4 + ((row >> bit) & 1) * 2 + ((column >> bit) & 1);
  return value;
}

/** The nearest of some things, the first of equally near ones; undefined where none is nearer than `maxKm`. */
export function nearestTo<T extends LatLng>(
  position: LatLng,
  all: Iterable<T>,
  maxKm = Number.POSITIVE_INFINITY,
  isWanted: (one: T) => boolean = () => true,
): T | undefined {
  let [nearest, nearestKm]: [T | undefined, number] = [undefined, maxKm];
  for (const one of all) {
    const km = distanceKm(position, one);
    if (km < nearestKm && isWanted(one)) [nearest, nearestKm] = [one, km];
  }
  return nearest;
}
