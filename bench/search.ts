/**
 * How long the place look-ups take, without HTTP: `node bench/search.ts [dataset directory]`. Each kind of query is
 * asked with many different texts taken from the data itself. The mean is that of one call in the best of a few rounds;
 * the percentiles are of the texts, each by its best round, so that warming up and other programs count little. A second
 * argument names the kinds to ask: `node bench/search.ts '' mistyped`.
 */
import { openDataset } from '../src/api/open.ts';
import { complete, geocode } from '../src/geocoding/geocode.ts';
import { layers as allLayers } from '../src/geocoding/layers.ts';
import { defaultDataset } from '../test/support/dataset.ts';

const [given = '', only = ''] = process.argv.slice(2);
const directory = given || defaultDataset();
if (!directory) throw new Error('no dataset: give its directory, or build one first');
const opened = performance.now();
const store = openDataset(directory);
const { places, regions, countries } = store;
const everything = new Set(allLayers);
console.log(`opened in ${(performance.now() - opened).toFixed(0)} ms, ${places.size} places`);

// A fixed sequence, so that runs are comparable.
let seed = 1;
const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
const among = 2_000;
const rounds = 5;
/** Mostly well-known places, as in real queries. */
const sample = Array.from({ length: among }, () => places.get(Math.floor(places.size * 0.2 * random() ** 3)));
const mistyped = (name: string) => {
  const at = 1 + Math.floor(random() * Math.max(1, name.length - 2));
  return name.slice(0, at) + name.slice(at + 1);
};
const region = (admin1: number) => (admin1 < 0 ? '' : regions.get(admin1).name);

const kinds: Record<string, { texts: string[]; ask(text: string, at: number): unknown }> = {
  'suggest, 2 letters': { texts: sample.map(({ name }) => name.slice(0, 2)), ask: suggest },
  'suggest, 3 letters': { texts: sample.map(({ name }) => name.slice(0, 3)), ask: suggest },
  'suggest, 5 letters': { texts: sample.map(({ name }) => name.slice(0, 5)), ask: suggest },
  'suggest, name and begun region': {
    texts: sample.map(({ name, admin1 }) => `${name} ${region(admin1).slice(0, 3)}`),
    ask: suggest,
  },
  'suggest, in a country': {
    texts: sample.map(({ name }) => name.slice(0, 3)),
    ask: (text, at) => complete(store, text, { layers: everything, limit: 5, country: sample[at].country }),
  },
  'suggest, mistyped': { texts: sample.map(({ name }) => mistyped(name)), ask: suggest },
  'search, name': { texts: sample.map(({ name }) => name), ask: search },
  'search, name and region': { texts: sample.map(({ name, admin1 }) => `${name}, ${region(admin1)}`), ask: search },
  'search, name and country': {
    texts: sample.map(({ name, country }) => `${name} ${countries.get(country)?.name}`),
    ask: search,
  },
  'search, near a point': {
    texts: sample.map(({ name }) => name),
    ask: (text, at) => geocode(store, text, { layers: everything, limit: 10, fuzzy: true, near: sample[at] }),
  },
  'search, mistyped and country': {
    texts: sample.map(({ name, country }) => `${mistyped(name)} ${countries.get(country)?.name}`),
    ask: search,
  },
  'search, mistyped and region': {
    texts: sample.map(({ name, admin1 }) => `${mistyped(name)}, ${region(admin1)}`),
    ask: search,
  },
  'search, mistyped': { texts: sample.map(({ name }) => mistyped(name)), ask: search },
  'search, nonsense': { texts: sample.map(() => random().toString(36).slice(2, 12)), ask: search },
  'nearest 1': { texts: sample.map(() => ''), ask: () => places.nearest(anywhere(), { limit: 1 }) },
  'nearest 10': { texts: sample.map(() => ''), ask: () => places.nearest(anywhere(), { limit: 10 }) },
  'nearest 10 near a place': {
    texts: sample.map(() => ''),
    ask: (_text, at) => places.nearest({ lat: sample[at].lat + 0.01, lng: sample[at].lng }, { limit: 10, maxKm: 10 }),
  },
  'place record': { texts: sample.map(() => ''), ask: (_text, at) => places.get(sample[at].index) },
};

function suggest(text: string): unknown {
  return complete(store, text, { layers: everything, limit: 5 });
}

function search(text: string): unknown {
  return geocode(store, text, { layers: everything, limit: 10, fuzzy: true });
}

function anywhere() {
  return { lat: (Math.asin(random() * 2 - 1) * 180) / Math.PI, lng: random() * 360 - 180 };
}

const microseconds = (ms: number) => (ms * 1e3).toFixed(1).padStart(8);
console.log(`${'µs'.padEnd(32)}     mean      p50      p99`);
for (const [kind, { texts, ask }] of Object.entries(kinds)) {
  if (!kind.includes(only)) continue;
  let mean = Number.POSITIVE_INFINITY;
  const times = new Float64Array(texts.length).fill(Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    let before = start;
    for (const [at, text] of texts.entries()) {
      ask(text, at);
      const after = performance.now();
      times[at] = Math.min(times[at], after - before);
      before = after;
    }
    mean = Math.min(mean, (before - start) / texts.length);
  }
  times.sort();
  const percentile = (share: number) => microseconds(times[Math.floor(share * (times.length - 1))]);
  console.log(`${kind.padEnd(32)} ${microseconds(mean)} ${percentile(0.5)} ${percentile(0.99)}`);
}
