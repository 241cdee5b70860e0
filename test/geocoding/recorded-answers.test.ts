/**
 * Answers to very many texts, whole: what is answered with which confidence, and what was scored how much as which words.
 * Texts are made from the names of a world in the ways in which people type, mistype and leave out. They are those that were
 * recorded: after a wanted change `RECORD=1 node --test test/geocoding/recorded-answers.test.ts`, and read the difference.
 */
import { join } from 'node:path';
import { test } from 'node:test';
import { complete, type GeocodeOptions, geocode, type Hit } from '../../src/geocoding/geocode.ts';
import { featureLayers, type Store } from '../../src/store/store.ts';
import {
  assertRecorded,
  chosenTexts,
  doubled,
  replaced,
  swapped,
  typedAddresses,
  without,
} from '../support/recorded-lines.ts';
import { openSmallStore } from '../support/small-store.ts';
import { smallAddresses } from '../support/small-streets.ts';
import { judgingWorld, nameOf } from './judging-world.ts';

/** Ways to type a name: with the region and country it is in, and a name elsewhere. */
const ways: readonly ((name: string, region: string, country: string, other: string) => string)[] = [
  (name) => name,
  (name, region) => `${name}, ${region}`,
  (name, _, country) => `${country} ${name}`,
  (name, region) => `${without(name, 2)} ${region}`,
  (name) => doubled(name, 1),
  (name, _, country) => `${swapped(name, 2)} ${country}`,
  (name, region) => `${replaced(name, 3, 's')} ${without(region, 1)}`,
  (name) => replaced(name, 1, 'e'),
  (name, region) => `${name.replaceAll(' ', '')} ${region.toUpperCase()}`,
  (name) => `${name.slice(0, 2)} ${name.slice(2)}`,
  (name, region, country) => `${name} ${region}, ${country}`,
  (name, _, __, other) => `${name}, ${other}`,
  (name, region) => `${region}, ${replaced(name, 0, 'x')}`,
  (name) => `the city of ${name}`,
  (name) => `zobel ${name}`,
  (name) => `Lake ${name}`,
  (name) => `${name} airport`,
  (name, _, country) => `${swapped(without(name, 2), 3)} ${country}`,
  (name, region) => `${name} ${region.slice(0, 3)}`,
  (name) => name.slice(0, 5),
  (name) => name.split(' ').reverse().join(' '),
  (name) => name.slice(0, -2),
  (name, region) => `${name} in ${doubled(region, 2)}`,
  (name) => `${replaced(name, 2, 'a')}xq`,
];
/** Beginnings of what is typed, as suggestions are asked for. */
const beginnings: typeof ways = [
  (name) => name.slice(0, 2),
  (name) => name.slice(0, 4),
  (name) => without(name, 2).slice(0, 6),
  (name, region) => `${name} ${region.slice(0, 2)}`,
  (name, region) => `${name}, ${region.slice(0, 4)}`,
  (name, _, country) => `${country} ${name.slice(0, 3)}`,
  (name) => swapped(name, 3).slice(0, -1),
  (name) => name,
  (name, region) => `${replaced(name, 2, 'w')} ${region.slice(0, 3)}`,
];

/** Each name of a world in some of the ways, another few for the next name; of names alike three, and with `isLarge` of cities alone. */
function textsOf(
  { gazetteer, regions, countries }: Store,
  inWays: typeof ways,
  each: number,
  isLarge = false,
): string[] {
  const { facts } = gazetteer;
  const seen = new Map<string, number>();
  const all = Array.from({ length: facts.size }, (_, place) => place).filter((place) => {
    if (isLarge && facts.population(place) < 100_000) return false;
    const stem = gazetteer.nameOf(place).replace(/[\d ]+$/, '');
    seen.set(stem, (seen.get(stem) ?? 0) + 1);
    return seen.get(stem)! < 4;
  });
  const name = (at: number) => gazetteer.nameOf(all[at % all.length]);
  return all.flatMap((place, at) => {
    const region = facts.admin1(place) < 0 ? 'Texas' : regions.get(facts.admin1(place)).name;
    const country = countries.get(gazetteer.countryCode(facts.country(place)))?.name ?? '';
    return Array.from({ length: each }, (_, nth) =>
      inWays[(at * each + nth) % inWays.length](name(at), region, country, name(at + 7)),
    );
  });
}

/** What is asked besides the names of a world: kinds, codes, houses, positions, other scripts and keyboards. */
const smallTexts: readonly string[] = [
  // How a house was found is in its confidence.
  ...[
    'Hauptstraße 13, Berlin',
    'Hauptstraße 20 Berlin',
    'Queens Boulevard & West 42nd Street, Springfield',
    'Queens Boulevard and West 42nd Street, Springfield, Missouri',
    '10 Downing Street, Paris',
    '10 Downing Street, 75002 London',
    'Downing Lane 10 London',
    '10 Downing Road, London, England',
    'Zwick & Sons Ltd, Hauptstraße 12a, Berlin',
    'Zwick, Zobel & Sons Ltd, Quux, Downing Street 10, London',
    'Hauptstrasze 12a Berlin',
    'Downnig Street 10, London SW1A 2AA',
  ],
  ...['627 01', '62-701', '101 15', 'SW1A 2AB', 'Bethnal 62701', '62701 Chatham', '75001 Paris France'],
  ...[
    '10115',
    '10115 Berlin',
    'Berlin 10115',
    'D-10115',
    'SW1A',
    'sw1a london',
    '62701 springfield il',
    '75001, France',
  ],
  ...[
    '80331 Munich',
    '80331 Berlin',
    '75460 texas',
    '100-0001',
    '〒1000001',
    '10115 Paris',
    'zip 62701',
    '1011',
    '99999 berlin',
  ],
  ...[
    'Hauptstraße 1',
    'Hauptstr. 3 Berlin',
    'hauptstrasse 12a, münchen',
    '10 Downing St',
    '10 Downing Street, London SW1A 2AA',
  ],
  ...[
    'Downing Stret 10',
    'Rue de la Paix 5 bis, Paris',
    '9 rue de la pai',
    'West 42nd Street 12 Springfield MO',
    'W 42 St',
  ],
  ...[
    'Straße des 17. Juni 135',
    'Queens Blvd 45-10',
    'Queens Boulevard & West 42nd Street',
    'Hauptstraße',
    'улица Арбат 14',
  ],
  ...[
    'Bullerbü 3',
    'Mannerheimvägen 20',
    'T Street SE 1745 Washington',
    'Hauptstraße 1 Paris',
    'Hauptstraße 500',
    'haupstrase berlin',
  ],
  ...[
    'Trattoria Roma',
    'trattoria berlin',
    'restaurant in Berlin',
    'sushi near munich',
    'Charite',
    'Gare du Nord Paris',
    'hospital',
    'Zur Post',
  ],
  ...[
    '48.8566, 2.3522',
    '52°31′N 13°24′E',
    'geo:52.5,13.4',
    '9F4MGC2M+V5',
    'GC2M+V5 Berlin',
    '52,52 13,41',
    '95, 200',
    '12 34',
  ],
  ...[
    'Лондон',
    'Париж франция',
    'берлин',
    '東京',
    '渋谷区 東京',
    'とうきょう',
    'パリ',
    'Ьгтшср',
    'ьюнхен',
    'باريس',
    'Βερολίνο',
    '巴黎',
    '런던',
  ],
  ...[
    'Monaco di Baviera',
    'Londra',
    'Londres inglaterra',
    'Washington D.C.',
    'washington dc',
    'DC',
    'IL',
    'springfield mo',
    'uk',
    'usa paris',
  ],
  ...[
    'hotels in Paris',
    'things to do in munich',
    'weather london',
    'the',
    'hello world',
    'null',
    'x',
    '???',
    'berlin berlin',
    'N London',
  ],
  ...[
    'South Munich',
    'paris texas usa',
    'paris tx 75460',
    'munchen',
    'muenchen',
    'MUNICH',
    'münchberg bavaria',
    'berlin, munich, paris',
  ],
  ...[
    'Paris, Deutschland',
    'shibuya',
    'tokyo shibuya',
    'tokio japan',
    'state of texas',
    'lamar county',
    'bayern',
    'ile de france',
    'england',
  ],
  ...[
    'CDG',
    'cdg',
    'ORY',
    'TXL',
    'BER',
    'LHR london',
    'London Heathrow',
    'THE',
    'MAN',
    'man',
    'BAD',
    'EGLL',
    'airport munich',
    'munich flughafen',
  ],
  ...[
    '東京都千代田区千代田1-1',
    '東京都渋谷区渋谷1-1',
    'Zobelweg 5, München',
    '12 Park Lane, London',
    'Milano via Dante 3',
    'London Park Lane 12',
    'Park Lane 12 London',
  ],
  ...[
    'Paris (France)',
    'Paris / London',
    'paris;berlin',
    'Springfield, Missouri, USA',
    'Missouri Springfield',
    'berlin 52.5',
    'berlin!!!',
    '<b>berlin</b>',
    'near berlin',
  ],
  ...[
    'Tratoria Rma, Berlin',
    'Triattoria Roma berlin',
    'Zur Pst Münchberg',
    'Berlin, Trattoria Roma',
    'berlin charité',
    'paris gare du nord',
    'Zur Post',
  ],
  ...[
    'Berlin Zobelstraße 5',
    'Munich Rue Zobel 3',
    'London Zobel Street 5',
    'Berlin 92',
    'Arbat 92 Berlin',
    'Bullerbü 92',
    'Springfield 45',
    'paris rue 5',
  ],
];
const worldTexts: readonly string[] = [
  ...[
    'Springfield Lake Worth',
    'Lake Worth Springfield',
    'Dodge Lake Worth Texas',
    'Worth Bampf National Park',
    'Bampf National Park Bampf',
  ],
  ...[
    'Isola',
    'Isola cuba',
    'Isola island',
    'Nordland lake',
    'Zirion river texas',
    'Harward university',
    'Texas Bavaria',
    'Germany Bavaria Munich',
  ],
  ...[
    'Oberkreis Kreisling',
    'Fifthly Velsor',
    'Velsor Fifthly',
    'Nordland Salem',
    'Lamar County Lamar',
    'Munich (Bavaria)',
    'Munich Germany (Texas)',
  ],
];
const smallBeginnings: readonly string[] = [
  ...[
    '1',
    '10',
    '101',
    '8033',
    '10115 b',
    'sw1',
    'haupt',
    'Hauptstr',
    'hauptstraße b',
    'hauptstraße 1',
    'Hauptstraße 1, Mu',
    'down',
    'downing st',
  ],
  ...[
    'rue de',
    '5 rue de la p',
    'West 42',
    'tratt',
    'sush',
    'gare du',
    'char',
    'restau',
    '48.8, 2.',
    '52.5, 13.4',
    'Пари',
    'лонд',
    '東',
    'とう',
    'pari',
  ],
  ...[
    'spri',
    'springfield i',
    'springfield, mi',
    'munch',
    'müncg',
    'monaco d',
    'wash',
    'washington d',
    'uni',
    'unt',
    'france p',
    'xyz',
    'lodn',
  ],
  ...[
    'berlin h',
    'berlin haupts',
    'queens bou',
    'queens boulevard spr',
    'bayern m',
    'paris te',
    'par',
    'b',
    'the l',
    'new',
    '渋',
    'паи',
    'сз',
  ],
  ...[
    'berlin char',
    'münchberg zur p',
    'berlin, tratt',
    'trattoria roma be',
    'gare du nord pa',
    'charite berl',
    'hotel mü',
    'cafe de la fr',
    'parisa',
  ],
];

const everyLayer: GeocodeOptions['layers'] = new Set([
  ...(['country', 'region', 'subregion', 'place', 'postal', 'street', 'address', 'poi'] as const),
  ...featureLayers,
]);

/** An answer as it is compared: `name confidence`, with what says more than its name. */
function shown(store: Store, { place, area, layer, address, poi, confidence, postal, isOnlyTown }: Hit): string {
  const number = area === undefined ? place : area + store.gazetteer.facts.size;
  const record = address && `${address.street} ${address.houseNumber} ${address.city} ${address.matchType}`;
  const name = record ?? poi?.name ?? (number === undefined ? layer : nameOf(store, number));
  return [name, postal?.postalCode, isOnlyTown && 'only town', confidence]
    .filter((part) => part !== undefined && part !== false)
    .join(' ');
}

/** The answers to a text, and behind `|` how the first candidates came about. */
function line(store: Store, kind: string, text: string, more: Partial<GeocodeOptions> = {}): string {
  const trace: NonNullable<Parameters<typeof geocode>[3]> = {};
  const options = { layers: everyLayer, fuzzy: true, limit: 5, ...more };
  const hits = (kind === 'search' ? geocode : complete)(store, text, options, trace);
  const judged = (trace.answers ?? []).slice(0, 3).map(({ name, typed, score }) => `${typed}→${name} ${score}`);
  const parts = [hits.map((hit) => shown(store, hit)).join('; '), judged.join('; '), trace.addresses?.step];
  return `${kind} ${text}: ${parts.filter(Boolean).join(' | ')}`.replaceAll('\n', '⏎');
}

test('texts are answered as recorded', async (t) => {
  const world = await judgingWorld(t);
  const { store: small, remove } = await openSmallStore();
  t.after(remove);
  const addressed = { otherLayers: everyLayer };
  const near = { lat: 45, lng: 4 };
  function* lines(): Generator<string> {
    for (const text of textsOf(world, ways, 3)) yield line(world, 'search', text);
    for (const [at, text] of textsOf(world, ways, 1).entries())
      yield line(world, 'search', text, [{ near }, { home: 'FR' }, { country: 'US' }][at % 3]);
    for (const text of worldTexts) yield line(world, 'search', text);
    for (const text of worldTexts) yield line(world, 'complete', text.slice(0, -3));
    for (const text of textsOf(world, beginnings, 2)) yield line(world, 'complete', text);
    for (const [at, text] of textsOf(world, beginnings, 1).entries())
      yield line(world, 'complete', text, [{ near }, { home: 'DE' }, { country: 'US' }][at % 3]);
    for (const text of textsOf(small, ways, ways.length, true)) yield line(small, 'search', text, addressed);
    for (const text of smallTexts) {
      yield line(small, 'search', text, addressed);
      yield line(small, 'search', text, { fuzzy: false, limit: 2 });
      yield line(small, 'search', text, { country: 'DE', near: { lat: 48.1, lng: 11.5 } });
    }
    const houses = smallAddresses.map(
      ({ street, houseNumber, city = '', country = '', admin1 = '', postalCode = '' }) => {
        return { street: street ?? '', number: houseNumber, city, country, region: admin1, code: postalCode };
      },
    );
    const typed = typedAddresses(houses, 10);
    for (const text of typed) yield line(small, 'search', text, addressed);
    for (const text of typed) yield line(small, 'complete', text.slice(0, 14), { near: { lat: 52.4, lng: 13.4 } });
    for (const text of textsOf(small, beginnings, beginnings.length, true)) yield line(small, 'complete', text);
    for (const text of smallBeginnings) {
      yield line(small, 'complete', text);
      yield line(small, 'complete', text, { near: { lat: 48.8, lng: 2.3 }, limit: 10 });
    }
    for (const data of ['world', 'small'])
      for (const { kind, text, more = {} } of chosenTexts(data)) {
        const { layers, otherLayers, ...others } = more as { layers?: Hit['layer'][]; otherLayers?: 'every' };
        const options = { ...others, ...(layers && { layers: new Set(layers) }), ...(otherLayers && addressed) };
        yield line(data === 'world' ? world : small, kind, text, options);
      }
  }
  assertRecorded(join(import.meta.dirname, 'recorded-answers.txt'), lines());
});
