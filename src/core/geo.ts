/** A WGS84 position in degrees: lat in [-90, 90], lng in [-180, 180]. */
export type LatLng = { lat: number; lng: number };

/** Mean Earth radius in km (IUGG 1980), as the API contract fixes it for great-circle distances. */
export const earthRadiusKm = 6371.0088;

const radians = Math.PI / 180;

/** Great-circle distance between two positions in km, by the haversine formula. */
export function distanceKm(from: LatLng, to: LatLng): number {
  const sinLat = Math.sin(((to.lat - from.lat) * radians) / 2);
  const sinLng = Math.sin(((to.lng - from.lng) * radians) / 2);
  const h = sinLat * sinLat + Math.cos(from.lat * radians) * Math.cos(to.lat * radians) * sinLng * sinLng;
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Initial great-circle bearing from one position to another, degrees in [0, 360) clockwise from north. */
export function bearingDegrees(from: LatLng, to: LatLng): number {
  const lat1 = from.lat * radians;
  const lat2 = to.lat * radians;
  const dLng = (to.lng - from.lng) * radians;
  const y = Math.sin(dLng) * Math.cos(lat2);
  const x = Math.cos(lat1) * Math.sin(lat2) - Math.sin(lat1) * Math.cos(lat2) * Math.cos(dLng);
  return (Math.atan2(y, x) / radians + 360) % 360;
}

/** A coordinate with at most 6 decimals, as every answer carries it. */
export function roundCoordinate(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}

/** A distance in km with at most 3 decimals, as every answer carries it. */
export function roundKm(km: number): number {
  return Math.round(km * 1e3) / 1e3;
}
