import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromGrid, polishGrid } from '../../src/sources/prg.ts';

// Easting, northing; latitude, longitude by cs2cs (PROJ 9.1.1) from EPSG:2180 to EPSG:4258.
const known = [
  [362339.34, 362734.47, 51.114824257, 17.032642152],
  [476443, 269570, 50.292830001, 18.66918684],
  [200000, 700000, 54.076764831, 14.411964155],
  [800000, 200000, 49.592847287, 23.15289717],
];

test('positions in the Polish grid agree with PROJ to 1e-9 degrees', () => {
  for (const [easting, northing, lat, lng] of known) {
    const position = fromGrid(polishGrid, easting, northing);
    assert.ok(Math.abs(position.lat - lat) < 1.1e-9, `${position.lat} is not ${lat}`);
    assert.ok(Math.abs(position.lng - lng) < 1.1e-9, `${position.lng} is not ${lng}`);
  }
});

/** Length of the meridian in metres from the equator to a latitude in radians: its radius summed by Simpson's rule. */
function meridianM(latitude: number): number {
  const flattening = 1 / polishGrid.inverseFlattening;
  const e2 = flattening * (2 - flattening);
  const radius = (at: number) => (polishGrid.axisM * (1 - e2)) / (1 - e2 * Math.sin(at) ** 2) ** 1.5;
  const steps = 2000;
  let sum = radius(0) + radius(latitude);
  for (let step = 1; step < steps; step++) sum += radius((latitude * step) / steps) * (step % 2 === 1 ? 4 : 2);
  return (sum * latitude) / steps / 3;
}

test('on the central meridian northings are lengths of the meridian, to a ten-thousandth of a millimetre', () => {
  for (let lat = -55; lat <= 55; lat += 5) {
    const northing = polishGrid.falseNorthingM + polishGrid.scale * meridianM((lat * Math.PI) / 180);
    const position = fromGrid(polishGrid, polishGrid.falseEastingM, northing);
    assert.ok(Math.abs(position.lat - lat) < 4e-13, `${position.lat} is not ${lat}`);
    assert.equal(position.lng, 19);
  }
});
