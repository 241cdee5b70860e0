/**
 * How many houses of real files are found when they are written as people write them (quality/address-habits.ts). The
 * houses of even streets are for mending; what the page gets is the other half:
 *   node bench/address-habits.ts <working directory> [misses to print [part of a habit's name [part of a file's name]]]
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { searchable } from '../src/api/open.ts';
import { userStreetSources } from '../src/build/layers/streets/sources.ts';
import { buildStreetLevel } from '../src/build/layers/streets.ts';
import { detectSource } from '../src/build/user-files.ts';
import { distanceKm } from '../src/core/geo.ts';
import { cityNames } from '../src/geocoding/resolve-city.ts';
import type { Address } from '../src/store/address-contract.ts';
import { openWorld } from '../src/store/packed/world.ts';
import { openStreetFiles } from '../src/store/sqlite/street-level.ts';
import type { StreetPart } from '../src/store/street-parts.ts';
import { defaultDataset, sharedData } from '../test/support/dataset.ts';
import { type Habit, type House, habits } from './quality/address-habits.ts';
import { nearEnoughKm } from './quality/measure.ts';
import { replacePart, share, tableOf } from './quality/page.ts';
import { draw, randomNumbers } from './quality/samples.ts';

const [working, printed = '0', wanted = '', wantedFile = ''] = process.argv.slice(2);
if (!working) throw new Error('no working directory; expected a folder for the imported files');
const dataset = defaultDataset();
if (!dataset) throw new Error('no dataset is built; run "npm run whereabouts -- build"');

const files = [
  ...readdirSync(sharedData('osm')!)
    .filter((name) =>
      /^(?:at|by|ca|de|es|fi|fr|ke|nl|pe|pt|ro|ru|us|vn|liechtenstein-2024|monaco-planetiler\.osm)/.test(name),
    )
    .map((name) => `osm/${name}`),
  'openaddresses/oa-output-alameda/alameda/us/ca/alameda.csv',
  'openaddresses/source-layouts/BAN_licence_gratuite_repartage_75.zip',
];
const maxHouses = 240;

async function imported(file: string): Promise<string> {
  const directory = join(working, file.replace(/.*\/|\..*/g, ''));
  if (existsSync(directory)) return directory;
  mkdirSync(directory, { recursive: true });
  for (const name of readdirSync(dataset!)) {
    if (/^(?:countries|regions|place.*|boundaries|outlines|word-use)\.pack$/.test(name))
      copyFileSync(join(dataset!, name), join(directory, name));
  }
  const path = sharedData(file)!;
  const kind = await detectSource(path);
  await buildStreetLevel(
    { directory, progress() {} },
    await userStreetSources((each) => (each === kind ? [path] : [])),
  );
  return directory;
}

/** What a text may mean: all houses of one street's name and number. */
const keyOf = ({ street, number }: House) => `${street} ${number}`.toLowerCase();

type Tally = { right: number; asked: number };
const tallies = new Map<Habit, [even: Tally, odd: Tally]>(
  habits.map((habit) => [
    habit,
    [
      { right: 0, asked: 0 },
      { right: 0, asked: 0 },
    ],
  ]),
);
let shown = 0;
let microseconds = 0;
let searches = 0;
const chosen = files.filter((name) => name.includes(wantedFile));
const directories: string[] = [];
for (const file of chosen) directories.push(await imported(file));
const world = openWorld(directories[0]);
/** Every file as a part of one dataset, so that a street of one country competes with those of all others. */
const opened = directories.map((directory, number) => openStreetFiles(directory, [{ name: '', number }]));
const streets = opened.flatMap((parts) => parts.streets);
const { addresses, streets: named } = searchable({ streets, pois: [] }, cityNames(world));
const all = streets.map((part) =>
  world.countries.assigned.flatMap(({ iso2: country }) =>
    part.matching([{ country }], 1e7).flatMap((id) => housesOf(part, id, country)),
  ),
);

function housesOf(part: StreetPart, id: number, country: string): House[] {
  const { names, area, postcodes } = part.street(id);
  const { city, admin1 } = part.area(area);
  return part
    .houses(id)
    .filter(({ otherNumber, text }) => otherNumber === undefined && /^\d[\p{L}\d/ -]{0,7}$/u.test(text))
    .map(({ text, lat, lng, postcode }) => ({
      id,
      street: names[0],
      number: text,
      city: city ?? undefined,
      admin1: admin1 ?? undefined,
      postcode: postcodes[postcode],
      country,
      lat,
      lng,
    }));
}

for (const houses of all) {
  const namesakes = Map.groupBy(houses, keyOf);
  const single = houses.filter((house) =>
    namesakes.get(keyOf(house))!.every((other) => distanceKm(house, other) <= nearEnoughKm),
  );
  for (const [habit, tally] of tallies) {
    if (!habit.name.includes(wanted)) continue;
    const random = randomNumbers(23);
    for (const house of draw(single, maxHouses, randomNumbers(11))) {
      if (habit.countries && !habit.countries.includes(house.country)) continue;
      const question = habit.ask(house, random);
      if (!question) continue;
      const startedAt = process.cpuUsage();
      const [first] = addresses.search({
        ...question,
        limit: 10,
        ...(habit.isContradicted && { admitsContradiction: true }),
      });
      const { user, system } = process.cpuUsage(startedAt);
      microseconds += user + system;
      searches++;
      const half = tally[house.id % 2];
      half.asked++;
      if (isRight(first, house, habit)) half.right++;
      else if (house.id % 2 === 0 && shown++ < Number(printed)) {
        const got = first ? `${first.street} ${first.houseNumber}, ${first.city}: ${first.matchType}` : 'nothing';
        console.log(`    ${JSON.stringify(question)} [${house.street} ${house.number}, ${house.city}] -> ${got}`);
      }
    }
  }
}

function isRight(first: Address | undefined, house: House, { isContradicted }: Habit): boolean {
  const matchType = isContradicted ? 'partial' : 'exact';
  return first?.matchType === matchType && distanceKm(first, house) <= nearEnoughKm;
}

/** Beginnings of streets' names near the street: found if it is among the ten answers, or ten nearer ones begin so. */
const beginnings = [3, 5, 8].map((letters): [number, Tally, Tally] => [
  letters,
  { right: 0, asked: 0 },
  { right: 0, asked: 0 },
]);
for (const part of wanted === '' ? streets : []) {
  const ids = world.countries.assigned
    .flatMap(({ iso2: country }) => part.matching([{ country }], 1e7))
    .filter((id) => part.street(id).isMapped);
  for (const [letters, ...halves] of beginnings) {
    for (const id of draw(ids, maxHouses / 4, randomNumbers(5))) {
      const { names, lat, lng } = part.street(id);
      const text = [...names[0]].slice(0, letters).join('');
      if (text.trim().length < letters || names[0].length === letters) continue;
      const found = named.search({ text, near: { lat: lat + 0.002, lng }, radiusKm: 5, limit: 10 });
      const isFull =
        found.length === 10 && found.every(({ name }) => name.toLowerCase().startsWith(text.toLowerCase()));
      halves[id % 2].asked++;
      if (isFull || found.some(({ name }) => name === names[0])) halves[id % 2].right++;
    }
  }
}

for (const parts of opened) parts.close();

const ofBeginnings = beginnings.map(
  ([letters, even, odd]) => [{ name: `/streets: ${letters} letters, near`, aim: '95 %' }, [even, odd]] as const,
);
const rows = [...tallies, ...ofBeginnings].map(([{ name, aim }, [even, odd]]) => [
  name,
  aim,
  even.asked,
  share(even.right, even.asked),
  odd.asked,
  share(odd.right, odd.asked),
]);
for (const row of rows.filter(([, , asked]) => asked !== 0)) console.log(row.join(' | '));
console.log(`${searches} searches, ${Math.round(microseconds / searches)} µs of processor time each`);
if (wanted === '' && wantedFile === '')
  replacePart('habits', [tableOf(['written as', 'aim', 'mended on', 'right', 'held out', 'right'], rows)]);
