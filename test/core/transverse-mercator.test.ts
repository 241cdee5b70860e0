import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromGrid, polishGrid } from '../../src/core/transverse-mercator.ts';

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
