/** Points to try a map with: evenly over the globe, or close to where its answer changes. The same in every run. */
import type { LatLng } from '../src/core/geo.ts';
import { randomNumbers } from '../test/support/random-numbers.ts';

const onGlobe = (random: () => number): LatLng => ({
  lat: (Math.asin(random() * 2 - 1) * 180) / Math.PI,
  lng: random() * 360 - 180,
});

export function* globePoints(count: number, seed: number): Generator<LatLng> {
  const random = randomNumbers(seed);
  for (let i = 0; i < count; i++) yield onGlobe(random);
}

/** Points at most so far (in each axis) from a place where `answer` changes, found by halving between two points. */
export function* borderPoints(
  answer: (point: LatLng) => unknown,
  { count, withinKm, seed }: { count: number; withinKm: number; seed: number },
): Generator<LatLng> {
  const random = randomNumbers(seed);
  const clamp = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));
  for (let found = 0; found < count; ) {
    let here = onGlobe(random);
    const first = answer(here);
    let there = {
      lat: clamp(here.lat + (random() - 0.5) * 6, 89.9),
      lng: clamp(here.lng + (random() - 0.5) * 6, 180),
    };
    if (answer(there) === first) continue;
    for (let i = 0; i < 16; i++) {
      const middle = { lat: (here.lat + there.lat) / 2, lng: (here.lng + there.lng) / 2 };
      if (answer(middle) === first) here = middle;
      else there = middle;
    }
    const reach = (withinKm / 111.2) * 2;
    yield { lat: clamp(here.lat + (random() - 0.5) * reach, 90), lng: clamp(here.lng + (random() - 0.5) * reach, 180) };
    found++;
  }
}
