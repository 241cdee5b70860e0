/**
 * Positions from the eastings and northings of national grids, by the series of Krüger (1912) to the fourth order in
 * n, as in C. F. F. Karney, "Transverse Mercator with an accuracy of a few nanometers", J. Geodesy 85 (2011): below
 * 1 mm within 3,000 km of the central meridian.
 */
import type { LatLng } from './geo.ts';

type Grid = {
  /** Semi-major axis in metres and inverse flattening of the ellipsoid. */
  axisM: number;
  inverseFlattening: number;
  /** Central meridian in degrees and the scale on it. */
  meridian: number;
  scale: number;
  falseEastingM: number;
  falseNorthingM: number;
};

/** EPSG:2180, ETRF2000-PL / CS92: the grid of Polish public data. */
export const polishGrid: Grid = {
  axisM: 6378137,
  inverseFlattening: 298.257222101,
  meridian: 19,
  scale: 0.9993,
  falseEastingM: 500000,
  falseNorthingM: -5300000,
};

/** Latitude and longitude, in degrees on the grid's own ellipsoid, of a grid position in metres. */
export function fromGrid(grid: Grid, eastingM: number, northingM: number): LatLng {
  const f = 1 / grid.inverseFlattening;
  const n = f / (2 - f);
  const rectifyingRadius = (grid.axisM / (1 + n)) * (1 + n ** 2 / 4 + n ** 4 / 64);
  const xi = (northingM - grid.falseNorthingM) / (grid.scale * rectifyingRadius);
  const eta = (eastingM - grid.falseEastingM) / (grid.scale * rectifyingRadius);
  const series = [
    n / 2 - (2 / 3) * n ** 2 + (37 / 96) * n ** 3 - n ** 4 / 360,
    n ** 2 / 48 + n ** 3 / 15 - (437 / 1440) * n ** 4,
    (17 / 480) * n ** 3 - (37 / 840) * n ** 4,
    (4397 / 161280) * n ** 4,
  ];
  let xiSphere = xi;
  let etaSphere = eta;
  for (const [index, factor] of series.entries()) {
    const order = 2 * (index + 1);
    xiSphere -= factor * Math.sin(order * xi) * Math.cosh(order * eta);
    etaSphere -= factor * Math.cos(order * xi) * Math.sinh(order * eta);
  }
  const conformal = Math.asin(Math.sin(xiSphere) / Math.cosh(etaSphere));
  const eccentricity = Math.sqrt(f * (2 - f));
  const target = Math.asinh(Math.tan(conformal));
  // Geodetic from conformal latitude by fixed-point iteration; each step gains two to three digits.
  let sin = Math.sin(conformal);
  for (let step = 0; step < 8; step++) {
    sin = Math.tanh(target + eccentricity * Math.atanh(eccentricity * sin));
  }
  return {
    lat: (Math.asin(sin) * 180) / Math.PI,
    lng: grid.meridian + (Math.atan2(Math.sinh(etaSphere), Math.cos(xiSphere)) * 180) / Math.PI,
  };
}
