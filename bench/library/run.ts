/**
 * The library next to packages that do a part of what it does, each given the same queries in turns in one process.
 * Writes the table of docs/internal/benchmarks.md. The packages are not a dependency of ours: `cd bench/library && npm
 * ci` first.
 *
 *     node scripts/node26.js bench/library/run.ts [--data data] [--rounds 5]
 *
 * Times are processor time (user and system) of the best round. "Library" is a method of `open()`, with parameters
 * checked and a record as its answer; "engine" is the look-up inside it, which is what most of the others are. What an
 * answer is compared with, and how often another package's differs, is shown next to it.
 */
import { parseArgs } from 'node:util';
import { openDataset } from '../../src/api/open.ts';
import { distanceKm } from '../../src/core/geo.ts';
import { sunDay } from '../../src/core/sun.ts';
import { zoneClock } from '../../src/core/zone-clock.ts';
import { open } from '../../src/index.ts';
import { currentVersion } from '../../src/store/manifest.ts';
import { replacePart, tableOf } from '../quality/page.ts';
import * as peers from './peers.ts';

const { values: options } = parseArgs({
  options: { data: { type: 'string', default: 'data' }, rounds: { type: 'string', default: '5' } },
});
const library = open(options.data);
const store = openDataset(`${options.data}/${currentVersion(options.data)}`);
const { places } = store;
const questionCount = 4000;
const dayMs = 86_400_000;
const year = Date.UTC(2026, 0, 1);

const sample = Array.from({ length: questionCount }, (_, at) => places.get((at * 7919) % places.size));
/** Near places of all sizes and countries, some kilometres off. */
const points = sample.map(({ lat, lng }, at) => ({
  lat: Math.max(-89, Math.min(89, lat + ((at % 13) - 6) * 0.02)),
  lng: Math.max(-179.9, Math.min(179.9, lng + ((at % 7) - 3) * 0.03)),
}));
const addresses = points.map(
  (_, at) => `${1 + ((at * 37) % 222)}.${(at * 101) % 256}.${(at * 29) % 256}.${(at * 53) % 256}`,
);
const typed = sample.map((_, at) =>
  [...places.get((at * 7) % 20_000).name]
    .slice(0, 2 + (at % 4))
    .join('')
    .trim(),
);
const zips = sample.map((_, at) => String(10_001 + ((at * 97) % 89_000)).padStart(5, '0'));
const days = points.map((_, at) => year + (at % 365) * dayMs);

type Ask = (at: number) => unknown;
type Row = { task: string; who: string; micros: number; differs: string };
const rows: Row[] = [];

function compare(task: string, ways: Record<string, Ask>, note: Record<string, string>, count = questionCount): void {
  const best = Object.fromEntries(Object.keys(ways).map((who) => [who, Number.POSITIVE_INFINITY]));
  for (let round = -1; round < Number(options.rounds); round++) {
    for (const [who, ask] of Object.entries(ways)) {
      const before = process.cpuUsage();
      for (let at = 0; at < count; at++) ask(at);
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) best[who] = Math.min(best[who], (user + system) / count);
    }
  }
  for (const [who, micros] of Object.entries(best)) rows.push({ task, who, micros, differs: note[who] ?? '' });
  console.error(task, best);
}

/** The share of all questions for which a condition holds. */
function share(holds: (at: number) => boolean, of = questionCount): string {
  let count = 0;
  for (let at = 0; at < of; at++) if (holds(at)) count++;
  return `${((100 * count) / of).toFixed(1)}%`;
}

const zones = await peers.timeZonePeers();
const offsetNow = (zone: string) => zoneClock(zone)?.offsetSecondsAt(year);
compare(
  'time zone of a point',
  {
    library: (at) => library.timezone(points[at]),
    engine: (at) => store.zones!.at(points[at]),
    'geo-tz': (at) => zones['geo-tz'](points[at]),
    'tz-lookup': (at) => zones['tz-lookup'](points[at]),
  },
  Object.fromEntries(
    Object.entries(zones).map(([who, find]) => [
      who,
      `another offset than ours in ${share((at) => offsetNow(find(points[at])) !== offsetNow(store.zones!.at(points[at])))}`,
    ]),
  ),
);

const ips = await peers.ipPeers();
const countryOfIp = (ip: string) => {
  try {
    return library.ip({ ip }).country ?? undefined;
  } catch {
    return undefined;
  }
};
compare(
  'country and city of an address',
  {
    library: (at) => countryOfIp(addresses[at]),
    maxmind: (at) => ips.maxmind(addresses[at]),
    'geoip-lite': (at) => ips['geoip-lite'](addresses[at]),
  },
  Object.fromEntries(
    Object.entries(ips).map(([who, find]) => [
      who,
      `another country than ours in ${share((at) => (find(addresses[at]) ?? undefined) !== countryOfIp(addresses[at]))}`,
    ]),
  ),
);

const { geokdbush } = await peers.nearestPeers(store);
const farthest = (at: number) => store.places.nearest(points[at], { limit: 10 })[9].distanceKm;
compare(
  'ten nearest places',
  {
    library: (at) => library.nearby({ ...points[at], radius: 500, limit: 10 }),
    engine: (at) => store.places.nearest(points[at], { limit: 10 }),
    geokdbush: (at) => geokdbush(points[at]),
  },
  {
    geokdbush: `a tenth place farther away than ours by 1 m or more in ${share(
      (at) => distanceKm(points[at], places.unnamed(geokdbush(points[at])[9])) > farthest(at) + 0.001,
    )}`,
  },
);

const suns = await peers.sunPeers();
const isModerate = (at: number) => Math.abs(points[at].lat) < 60;
const ourSunrise = (at: number, start: number) => sunDay(points[at], start, start + dayMs).sunrise;
const isOff = (at: number, other: number | undefined) =>
  isModerate(at) &&
  // The other package may use a different day, as it goes by noon.
  ![-1, 0, 1].some((shift) => {
    const own = ourSunrise(at, days[at] + shift * dayMs);
    return own !== undefined && other !== undefined && Math.abs(own - other) < 30_000;
  });
compare(
  'sun times of a day',
  {
    library: (at) => library.sun({ ...points[at], date: new Date(days[at]).toISOString().slice(0, 10) }),
    engine: (at) => sunDay(points[at], days[at], days[at] + dayMs),
    suncalc: (at) => suns.suncalc(points[at], days[at]),
    'astronomy-engine (sunrise and sunset only)': (at) => suns['astronomy-engine'](points[at], days[at]),
  },
  {
    suncalc: `sunrise below 60° 30 s or more from ours in ${share((at) => isOff(at, suns.suncalc(points[at], days[at])))}`,
    'astronomy-engine (sunrise and sunset only)': `the same in ${share((at) =>
      isOff(at, suns['astronomy-engine'](points[at], days[at])),
    )}`,
  },
);

const coder = (await peers.countryPeers())['country-coder'];
compare(
  'country of a point',
  { engine: (at) => store.boundaries!.countryAt(points[at]), 'country-coder': (at) => coder(points[at]) },
  {
    'country-coder': `another country than ours in ${share(
      (at) => (coder(points[at]) ?? undefined) !== store.boundaries!.countryAt(points[at]),
    )}`,
  },
);

/** Some of the others take milliseconds for two letters. */
const suggestionCount = 300;
const suggestions = await peers.suggestionPeers(store);
const people = (found: readonly number[]) => Math.max(0, ...found.map((index) => places.unnamed(index).population));
const ownSuggestion = (at: number) =>
  Math.max(
    0,
    ...library.autocomplete({ q: typed[at], layers: 'place' }).results.map(({ id }) => people([places.byId(id)])),
  );
const isLess = (at: number, found: readonly number[]) => typed[at].length > 1 && people(found) * 10 < ownSuggestion(at);
const typedAt = (at: number) => (typed[at].length > 1 ? typed[at] : 'be');
compare(
  'five places for two to five letters',
  {
    library: (at) => library.autocomplete({ q: typedAt(at) }),
    minisearch: (at) => suggestions.minisearch(typedAt(at)),
    flexsearch: (at) => suggestions.flexsearch(typedAt(at)),
  },
  Object.fromEntries(
    Object.entries(suggestions).map(([who, find]) => [
      who,
      `no place of a tenth of the people of our largest in ${share((at) => isLess(at, find(typedAt(at))), suggestionCount)}`,
    ]),
  ),
  suggestionCount,
);

const { zipcodes } = await peers.postalPeers();
compare(
  'a ZIP code',
  {
    library: (at) => library.postal({ code: zips[at], country: 'US' }),
    engine: (at) => store.postal!.find('US', zips[at]),
    zipcodes: (at) => zipcodes(zips[at]),
  },
  {
    zipcodes: `${share(
      (at) => zipcodes(zips[at]) === undefined && store.postal!.find('US', zips[at]).length > 0,
    )} of the codes are ours only, ${share(
      (at) => zipcodes(zips[at]) !== undefined && store.postal!.find('US', zips[at]).length === 0,
    )} its only`,
  },
);

const reference = new Map(
  rows.filter(({ who }) => who === 'library' || who === 'engine').map((row) => [row.task, row.micros]),
);
const cells = rows.map(({ task, who, micros, differs }) => [
  task,
  who === 'library' || who === 'engine' ? `ours, ${who}` : who,
  micros.toFixed(2),
  (micros / reference.get(task)!).toFixed(2),
  differs,
]);
const head = ['task', 'package', 'processor time, µs', 'ratio to our quickest', 'what it gets otherwise'];
console.log(tableOf(head, cells));
const when = new Date().toISOString().slice(0, 16).replace('T', ' ');
replacePart(
  'library',
  [
    `${when} UTC, ${questionCount} questions each (${suggestionCount} of suggestions), the best of ${options.rounds} rounds.`,
    tableOf(head, cells),
  ],
  'benchmarks.md',
);
library.close();
store.close();
process.exit();
