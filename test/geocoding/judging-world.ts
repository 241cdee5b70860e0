/**
 * A made-up world in which every heuristic of place search has names that depend on it. Prominence is what
 * src/core/place-classification.ts derives from population, rank and number of names; positions lie far apart unless
 * set.
 */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { PlaceSearch, type PlaceSearchOptions } from '../../src/geocoding/search-places.ts';
import { layerOfKind, type Store } from '../../src/store/store.ts';
import type { NamedFeature } from '../support/build-layer.ts';
import { type SmallPlace, type SmallRegion, smallWorld } from '../support/small-world.ts';

type PlaceFields = Partial<SmallPlace> & Pick<SmallPlace, 'name' | 'population'>;

let nextId = 1;
function place(where: string, fields: PlaceFields): SmallPlace {
  const [country, admin1, admin2] = where.split('.');
  const id = nextId++;
  // Neighbours in the list are a thousand kilometres apart.
  const position = { lat: ((id * 17) % 120) - 60, lng: ((id * 37) % 340) - 170 };
  return { id, ...position, country, admin1, admin2, timezone: 'Etc/UTC', ...fields };
}

const names = (...all: string[]) => all.join(',');

const regions: readonly SmallRegion[] = [
  { country: 'US', code: 'TX', name: 'Texas', isoCode: 'US-TX' },
  { country: 'US', code: 'OH', name: 'Ohio', isoCode: 'US-OH' },
  { country: 'US', code: 'NY', name: 'New York', isoCode: 'US-NY' },
  { country: 'US', code: 'OK', name: 'Oklahoma', isoCode: 'US-OK' },
  { country: 'US', code: 'WX', name: 'Westmarch', isoCode: 'US-WX' },
  { country: 'US', code: 'QU', name: 'Quarterly' },
  { country: 'US', code: 'FI', name: 'Fifthly' },
  { country: 'US', code: 'ZX', name: 'Zexony', isoCode: 'US-ZX' },
  { country: 'US', parent: 'TX', code: '277', name: 'Lamar County' },
  { country: 'DE', code: '02', name: 'Bavaria' },
  { country: 'DE', code: '03', name: 'Nor' },
  { country: 'DE', code: '04', name: 'Nordland' },
  { country: 'DE', code: '05', name: 'Salzing' },
  { country: 'DE', parent: '05', code: '1', name: 'Hallau' },
  { country: 'DE', code: '06', name: 'Neyton' },
  { country: 'DE', code: '07', name: 'Ober (Alt) Land' },
  { country: 'DE', code: '58', name: 'Land der neun Worte die nur ein Name sind' },
  { country: 'DE', code: '59', name: 'Land der Worte die nur ein Name bleiben' },
  { country: 'DE', code: '10', name: 'Genova' },
  { country: 'CU', code: '11', name: 'Yukonia' },
  { country: 'CU', code: '12', name: 'Canterby' },
  { country: 'DE', parent: '02', code: '9', name: 'Oberkreis' },
  { country: 'FR', code: '11', name: 'Dreiecksland', isoCode: 'FR-J' },
  // One name in five countries.
  ...['AU', 'CU', 'DE', 'FR', 'US'].map((country) => ({ country, code: '55', name: 'Fivefold' })),
  // Twenty-five regions make `county` a common word.
  ...Array.from({ length: 25 }, (_, at) => ({
    country: 'US',
    parent: 'OH',
    code: `9${at}`,
    name: `N${String.fromCharCode(97 + at)}yton County`,
  })),
];

const feature = (layer: NamedFeature['layer'], name: string, prominence: number, more: Partial<NamedFeature> = {}) => ({
  layer,
  name,
  prominence,
  source: 'test',
  sourceId: name,
  knownNames: [],
  otherNames: [],
  namesIn: {},
  country: 'US',
  region: 'TX',
  lat: 30,
  lng: -100,
  ...more,
});

const features: readonly NamedFeature[] = [
  feature('water', 'Lake Worth', 30),
  feature('water', 'Worth', 31),
  feature('water', 'Fjordlake', 45, { country: 'FR', region: undefined }),
  feature('water', 'Quell', 45, { country: 'FR', region: undefined }),
  feature('peak', 'Worth', 20, { sourceId: 'peak' }),
  // Names without their kind: those of a park, and of what has them in its list, far from a namesake or beside it.
  feature('park', 'Zirion National Park', 60),
  feature('park', 'Zirion Garden', 70, { lat: 31 }),
  feature('water', 'Zirion River', 55, { lat: 32 }),
  feature('landmark', 'Harward University', 60, { knownNames: ['Harward'] }),
  feature('park', 'Bampf National Park', 60, { lat: 20.5, lng: 10 }),
  feature('park', 'Lesser National Park', 40, { lat: 33 }),
  feature('island', 'Isola', 70, { country: 'CU', region: undefined, lat: -50.2, lng: 40.1 }),
  feature('water', 'Lake Nordland', 75, { lat: 34, knownNames: ['Nordland'] }),
  feature('water', 'Lake Sulm', 50, { lat: 36 }),
  // An island that is its region.
  feature('island', 'Quarterly', 70, { region: 'QU', lat: 37 }),
];

const manyNames = Array.from({ length: 26 }, (_, at) => `Xy${String.fromCharCode(97 + at)}`);

const places = (): readonly SmallPlace[] => {
  nextId = 1;
  return [
    // Namesakes in regions.
    place('US.OH', { name: 'Springfield', population: 60_000 }),
    place('US.TX', { name: 'Springfield', population: 20_000 }),
    place('US.TX.277', { name: 'Paris', population: 25_000 }),
    place('FR', { name: 'Paris', population: 2_000_000, featureCode: 'PPLC', otherNames: names('Parigi', 'Lutetia') }),
    place('FR', { name: 'Lyon', population: 500_000 }),
    // Kinds of names: an inner one, a romanised one, a known one, another one, each the main one of something smaller.
    place('US.WX', { name: 'Los Angulos', population: 4_000_000 }),
    place('DE.02', { name: 'Angulos', population: 9_000 }),
    place('FR', { name: 'Moskowa', population: 3_000_000, otherNames: 'mosukuwa' }),
    place('DE.02', { name: 'Mosukuwa', population: 9_000 }),
    place('DE.02', { name: 'Kenningen', population: 150_000, otherNames: 'Kenning' }),
    place('FR', { name: 'Kenning', population: 9_000 }),
    place('DE.02', { name: 'Andersheim', population: 90_000, otherNames: 'Odderby' }),
    place('FR', { name: 'Odderby', population: 100 }),
    // A name that is the main one of a larger namesake: meant less often.
    place('FR', { name: 'Guangsho', population: 9_000_000, otherNames: names('Cantonia', 'Guangshow') }),
    place('US.OH', { name: 'Cantonia', population: 70_000 }),
    place('FR', { name: 'Cantonjo', population: 20_000_000, featureCode: 'PPLC', otherNames: 'Cantonja' }),
    place('US.OH', { name: 'Cantonja', population: 200_000 }),
    place('FR', { name: 'Teeniess', population: 150_000, otherNames: 'Teenie' }),
    place('US.OH', { name: 'Teenie', population: 1_000 }),
    // Cities with the names of their regions.
    place('US.NY', { name: 'New York City', population: 8_000_000, otherNames: names('New York', 'NYC') }),
    place('US.NY', { name: 'Buffalo', population: 250_000 }),
    place('US.OK', {
      name: 'Oklahoma City',
      population: 800_000,
      featureCode: 'PPLA',
      otherNames: names('Oklahoma', 'Okla', 'Okie', 'Okc', 'Oklahama', 'Okelahoma', 'Oklahom', 'Oklahomo', 'Oclahoma'),
    }),
    // One holds just a quarter of its region's people, another less.
    place('US.QU', { name: 'Quarterly City', population: 100_000, otherNames: 'Quarterly' }),
    place('US.QU', { name: 'Restville', population: 300_000 }),
    place('US.FI', { name: 'Fifthly City', population: 100_000, otherNames: 'Fifthly' }),
    place('US.FI', { name: 'Morerest', population: 300_100 }),
    place('CU', { name: 'Wexby City', population: 200_000, otherNames: 'Wexby' }),
    place('US.OK', { name: 'Tulsa', population: 2_600_000 }),
    // Names with connectors, type words, or words of a feature.
    place('US.TX', { name: 'De Leona', population: 4_000 }),
    place('US.TX', { name: 'Leona', population: 5_000 }),
    place('US.TX', { name: 'Dodge City', population: 4_000 }),
    place('US.TX', { name: 'Dodge', population: 5_000 }),
    // Unmatched words.
    place('FR', { name: 'Abcdefgh', population: 1_000 }),
    place('FR', { name: 'Xyzzy', population: 2_000_000 }),
    place('FR', { name: 'Ab Cd', population: 2_000 }),
    place('FR', { name: 'Efgh', population: 10_000 }),
    place('US.OH', { name: 'Barville', population: 3_000 }),
    place('US.TX', { name: 'Barville Quartersid', population: 3_000 }),
    // Context that is a prefix, or shortened.
    place('DE.03', { name: 'Salem', population: 1_000 }),
    place('DE.04', { name: 'Salem', population: 50_000 }),
    place('FR', { name: 'Lamar', population: 10 }),
    place('US.TX.277', { name: 'Lamarville', population: 900_000 }),
    // Near a larger place.
    place('FR', { name: 'Großstadt', population: 800_000, lat: 45, lng: 4 }),
    place('FR', { name: 'Shibu', population: 3_000, lat: 45.1, lng: 4.1 }),
    place('DE.02', { name: 'Shibu', population: 9_000, lat: 48, lng: 11 }),
    place('DE.03', { name: 'Shibu', population: 2_500 }),
    place('FR', { name: 'Ohi', population: 700_000, lat: 44, lng: 0 }),
    place('FR', { name: 'Kawa', population: 3_000, lat: 44.1, lng: 0.1 }),
    place('US.OH', { name: 'Kawa', population: 3_200 }),
    place('FR', { name: 'Nor', population: 90_000, lat: 43, lng: -4 }),
    place('FR', { name: 'Shibu', population: 4_000, lat: 43.1, lng: -4.1 }),
    // 39.5 km north and east of a larger place, and 40.5 km east of it.
    place('FR', { name: 'Northend', population: 300, lat: 45.3552, lng: 4 }),
    place('FR', { name: 'Eastend', population: 300, lat: 45, lng: 4.5024 }),
    place('FR', { name: 'Faraway', population: 300, lat: 45, lng: 4.5151 }),
    // Countries and regions with the names of their towns.
    place('LU', { name: 'Luxembourg', population: 120_000, featureCode: 'PPLC', otherNames: names('Lux', 'Luxe') }),
    place('DE.05', { name: 'Salzing', population: 100_000, featureCode: 'PPLA3' }),
    place('DE.05.1', { name: 'Hallau', population: 5_000 }),
    place('DE.05.1', { name: 'Kleinhof', population: 2_000 }),
    place('DE.06', { name: 'Gnarl', population: 500 }),
    place('DE.07', { name: 'Oberling', population: 500 }),
    place('DE.58', { name: 'Neunling', population: 500 }),
    place('IM', { name: 'Douglas', population: 26_000 }),
    place('AU', { name: 'Sidney', population: 1_000 }),
    place('FR', { name: 'Au', population: 90_000 }),
    place('US.ZX', { name: 'Zexville', population: 3_000 }),
    place('FR', { name: 'Zx', population: 100 }),
    place('FR', { name: 'Bavaria', population: 100 }),
    place('DE.02', { name: 'Munich', population: 1_300_000, otherNames: names('München', 'Monaco di Baviera') }),
    place('FR', { name: 'Germany', population: 5_000 }),
    place('NZ', { name: 'Farm', population: 1 }),
    place('FR', { name: 'Aotea', population: 10_000 }),
    place('FR', { name: 'Nordlang', population: 9_000 }),
    place('BR', { name: 'Braslia', population: 200_000, featureCode: 'PPLC' }),
    place('BR', { name: 'Rio', population: 6_000_000 }),
    // Prefixes, words between and words left out.
    place('DE.02', { name: 'Rothenburg ob der Tauber', population: 11_000 }),
    place('DE.02', { name: 'Rothenburg Tauber Tal', population: 8_000 }),
    place('DE.02', { name: 'Rothenberga', population: 3_000 }),
    place('DE.02', { name: 'Rothen', population: 20 }),
    ...Array.from({ length: 25 }, (_, at) => place(`US.OH.9${at}`, { name: `Hamlet ${at}`, population: 30 })),
    // Queried in Cyrillic: usual letters before unusual ones, and a letter left out before other letters.
    place('FR', { name: 'Vonar', population: 3_000 }),
    place('FR', { name: 'Bonar', population: 4_000 }),
    place('FR', { name: 'Каарса', population: 3_000 }),
    place('FR', { name: 'Karsa', population: 3_500 }),
    place('DE.02.9', { name: 'Kreisling', population: 400 }),
    // Suggestions: small ones that rank before larger ones, or the other way round.
    place('FR', { name: 'Trombello', population: 50_000 }),
    place('FR', { name: 'Grandville', population: 150_000, otherNames: 'Trombert' }),
    place('FR', { name: 'Trovo', population: 5_000 }),
    place('FR', { name: 'Grandvalley', population: 99_000, otherNames: 'Grandvalley-sur-Tro,Trosure,Trosur' }),
    place('FR', { name: 'Grimmi', population: 1_000 }),
    place('FR', { name: 'Grimmistadt', population: 90_000 }),
    place('FR', { name: 'Langebro', population: 110_000 }),
    place('FR', { name: 'Langebeck', population: 95_000, featureCode: 'PPLC' }),
    place('FR', { name: 'Moburg', population: 100_000 }),
    place('FR', { name: 'Mobeck', population: 99_000, featureCode: 'PPLC', otherNames: names('Xa', 'Xb', 'Xc', 'Xd') }),
    place('FR', { name: 'Millicity', population: 1_000_000 }),
    place('FR', { name: 'Millicent', population: 990_000, otherNames: 'Xmill' }),
    place('FR', { name: 'Fjordlund', population: 10_000 }),
    place('FR', { name: 'Quinn', population: 1_000 }),
    // A namesake of a larger place, far from what lies near that.
    place('CU', { name: 'Großstadt', population: 700_000 }),
    // A town with its region's name in another language, and one whose other name begins with a region's.
    place('US.ZX', { name: 'Zexony Falls', population: 2_000 }),
    // Four of one name, the last two with a village nearby.
    ...[9, 8, 7, 6].map((people, at) =>
      place('CU', { name: 'Quadropolis', population: people * 10_000, lat: -50, lng: 20 * at }),
    ),
    place('CU', { name: 'Thirdvale', population: 300, lat: -50.1, lng: 40 }),
    place('CU', { name: 'Fourthvale', population: 300, lat: -50.1, lng: 60 }),
    place('DE.59', { name: 'Bleibling', population: 500 }),
    place('FR.11', { name: 'Dreieck', population: 500 }),
    place('DE.10', { name: 'Genove', population: 2_000, otherNames: 'Genova' }),
    place('FR', { name: 'Obststadt', population: 900_000, otherNames: 'Zexony Apple' }),
    ...['AU', 'CU', 'DE', 'FR', 'US'].map((country, at) =>
      place(`${country}.55`, { name: `Fifthtown ${at}`, population: 50 - at }),
    ),
    // So many of one name that no longer one is meant by it, and one less.
    ...Array.from({ length: 20 }, () => place('CU', { name: 'Twentyby', population: 5 })),
    place('CU', { name: 'Twentybyton', population: 5 }),
    ...Array.from({ length: 19 }, () => place('CU', { name: 'Nineby', population: 5 })),
    place('CU', { name: 'Ninebyton', population: 5 }),
    // More of one name than are examined, within a few kilometres from south to north.
    ...Array.from({ length: 405 }, (_, at) =>
      place('CU', { name: 'Sanmigel', population: 5, lat: 20 + at / 10_000, lng: -80 }),
    ),
    // A part of a city that has the name of a region.
    place('FR', { name: 'Fifthly', population: 300_000, lat: 44, lng: 2 }),
    place('FR', { name: 'Velsor', population: 800, lat: 44.05, lng: 2.05 }),
    place('US.FI', { name: 'Velsor', population: 5_000 }),
    place('DE.02', { name: 'Zirion', population: 50_000 }),
    place('DE.02', { name: 'Harward', population: 50_000 }),
    place('CU', { name: 'Bampf', population: 5_000, lat: 20, lng: 10 }),
    place('DE.02', { name: 'Lesser', population: 50_000 }),
    // A small region with a well-known city, one with a very well-known one, and their namesakes.
    place('CU.11', { name: 'Weißroß', population: 40_000, featureCode: 'PPLA', otherNames: names(...manyNames) }),
    place('FR', { name: 'Yukonia', population: 600_000 }),
    place('CU.12', { name: 'Kristkirk', population: 200_000, featureCode: 'PPLA', otherNames: names(...manyNames) }),
    place('FR', { name: 'Oberkreis', population: 100 }),
    place('CU', { name: 'South Harbour', population: 30_000 }),
    place('FR', { name: 'Canterby', population: 5_000_000 }),
    // Another name of a country, which is not far more prominent.
    place('US.WX', { name: 'Quexland', population: 4_000_000 }),
    place('CU', { name: 'Sulm', population: 2_000 }),
    place('FR', { name: 'Kwa', population: 5 }),
    place('US.OH', { name: 'Kwa', population: 5_000 }),
    place('CN', { name: 'Wuxi', population: 50_000, otherNames: '우시' }),
    // A word that is no small one between those of a name.
    place('FR', { name: 'Wexelfels unter Quoll', population: 110 }),
    place('FR', { name: 'Wexelfels Quoll Tal', population: 80 }),
  ];
};

/** Opens the world for one test. */
export async function judgingWorld(t: TestContext) {
  const countryNames = new Map([
    ['BR', ['Brasilien', 'Brasil']],
    ['DE', ['Deutschland', 'Quexland']],
    ['AU', ['AUS']],
    ['NZ', ['Aotea']],
    ['LU', ['卢森堡']],
  ]);
  const { store, close } = await smallWorld(places(), undefined, features, { regions, countryNames });
  t.after(close);
  return store;
}

/** Which of two ranks first for a text, and the weights that decide it. */
export type Order = readonly [weights: string, text: string, first: string, second: string];

/** Fails with every order that the names found for its text do not have. */
export function assertOrders(orders: readonly Order[], namesFor: (text: string) => readonly string[]): void {
  const wrong = orders.flatMap(([weights, text, ...inOrder]) => {
    const names = namesFor(text);
    const [first, second] = inOrder.map((name) => names.indexOf(name));
    return first >= 0 && first < second ? [] : `${weights}: ${text}: ${names.slice(0, 10).join('; ')}`;
  });
  assert.deepEqual(wrong, []);
}

/** Options that exclude nothing. */
export const everything: PlaceSearchOptions = {
  country: undefined,
  type: undefined,
  near: undefined,
  bbox: undefined,
  layers: new Set([
    'country',
    'region',
    'subregion',
    'place',
    'water',
    'peak',
    'island',
    'airport',
    'park',
    'landmark',
  ]),
  isFuzzy: true,
};

/** The answers to a text, best first: `Paris US.TX`, or the name and layer of an area. */
export function found(
  world: Pick<Store, 'gazetteer' | 'regions'>,
  text: string,
  options: Partial<PlaceSearchOptions> = {},
  count = 10,
) {
  return new PlaceSearch(world.gazetteer, text, { ...everything, ...options }).found.best(count).map((candidate) => ({
    ...candidate,
    name: nameOf(world, candidate.ref),
    sum: candidate.parts.textMatch + candidate.parts.contextMatch + candidate.parts.nameMatch,
  }));
}

/** A place's name with its country and codes of regions, an area's or feature's with its layer. */
export function nameOf({ gazetteer, regions }: Pick<Store, 'gazetteer' | 'regions'>, ref: number): string {
  const { facts, nameOf, nameOfArea, countryCode, areaFacts } = gazetteer;
  if (ref < facts.size) {
    const codes = [facts.admin1(ref), facts.admin2(ref)].flatMap((at) => (at < 0 ? [] : regions.get(at).sourceCode));
    const layer = layerOfKind(facts.type(ref));
    return `${nameOf(ref)} ${[countryCode(facts.country(ref)), ...codes].join('.')}${layer === 'place' ? '' : ` ${layer}`}`;
  }
  const { admin1, admin2 } = areaFacts(ref - facts.size);
  return `${nameOfArea(ref - facts.size)} ${admin2 >= 0 ? 'subregion' : admin1 >= 0 ? 'region' : 'country'}`;
}

/** Candidates of an empty search, to which a test adds. */
export const candidatesOf = (gazetteer: Store['gazetteer'], filter: Partial<PlaceSearchOptions> = {}) =>
  new PlaceSearch(gazetteer, '', { ...everything, ...filter }).found;

/** What the words of a text are as context, as they are typed; with `isOpen` the last is being typed. */
export const latticeOf = (gazetteer: Store['gazetteer'], text: string, isOpen = false) =>
  new PlaceSearch(gazetteer, text, { ...everything, isFuzzy: false, isOpen }).lattice;
