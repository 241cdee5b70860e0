import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellsAround, cellsAt, distanceKm } from '../../src/core/geo.ts';

test('a circle of any size that the endpoints take is covered by cells, at the poles and the antimeridian too', () => {
  const centers = [90, -90, 89.9, -89.999999, 89, 84.9, 0, 52].flatMap((lat) =>
    [0, 180, -180, 13.4].map((lng) => ({ lat, lng })),
  );
  for (const center of centers) {
    for (const radiusKm of [0, 0.4, 5, 50, 100]) {
      const cells = cellsAround(center, radiusKm);
      assert.ok(cells, `${radiusKm} km around ${center.lat}, ${center.lng}`);
      const covered = new Set(cells);
      for (let step = 0; step < 64; step++) {
        const lat = Math.max(-90, Math.min(90, center.lat + (Math.sin(step) * radiusKm) / 112));
        const lng = center.lat > 88 || center.lat < -88 ? step * 5.6 - 179 : center.lng + Math.cos(step) * 0.5;
        const point = { lat, lng: lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng };
        if (distanceKm(center, point) > radiusKm) continue;
        assert.ok(
          cellsAt(point).some((cell) => covered.has(cell)),
          `${point.lat}, ${point.lng} is in none`,
        );
      }
    }
  }
});
