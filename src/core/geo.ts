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
export function tileBounds(
  { z, x, y }: Tile,
  margin = 0,
): { west: number; south: number; east: number; north: number } {
  const size = 2 ** -z;
  return {
    west: (x - margin) * size * 360 - 180,
    east: (x + 1 + margin) * size * 360 - 180,
    north: latitudeAt((y - margin) * size),
    south: latitudeAt((y + 1 + margin) * size),
  };
}
