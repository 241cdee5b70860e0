import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { searchable } from '../../src/api/open.ts';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import weights from '../../src/geocoding/weights.json' with { type: 'json' };
import { openStreetFiles } from '../../src/store/sqlite/street-level.ts';
import type { CityNames } from '../../src/store/store.ts';
import { isGeneric, queryWords, streetKey } from '../../src/text/words.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { sourceOf } from '../support/small-streets.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const noPlaces: CityNames = { resolve: () => undefined, countriesNamed: () => [], regionsNamed: () => [] };
type Addresses = ReturnType<typeof searchable>['addresses'];

/** What a search says about its answers. */
function explained(addresses: Addresses, text: string) {
  let explanation: Parameters<NonNullable<Parameters<Addresses['search']>[1]>>[0] | undefined;
  const found = addresses.search({ text, limit: 10 }, (each) => {
    explanation = each;
  });
  return { found, interpretations: explanation?.interpretations ?? [], answers: explanation?.answers ?? [] };
}
const { addresses: nothing } = searchable({ streets: [], pois: [] }, noPlaces);
const interpretationsOf = (text: string) => explained(nothing, text).interpretations;

/** A name as the data has it, and as people write it: the second must find the first. */
const spellings: readonly (readonly [language: string, name: string, written: string])[] = [
  ['en', 'North Main Street', 'N Main St'],
  ['en', 'N MAIN ST', 'north main street'],
  ['en', 'Saint Paul Boulevard', 'St. Paul Blvd'],
  ['en', '42nd Street', '42 St'],
  ['en', 'First Avenue', '1st Ave'],
  ['de', 'Berliner Straße', 'berliner str.'],
  ['de', 'Berlinerstr.', 'Berliner Strasse'],
  ['de', 'Rathausplatz', 'Rathauspl.'],
  ['de', 'Mühlgasse', 'Muehlg.'],
  ['fr', 'Boulevard du Général de Gaulle', 'bd gal de gaulle'],
  ['fr', "Rue de l'Église", 'r eglise'],
  ['es', 'Avenida Presidente Nuestra Señora', 'Avda Pte Ntra Sra'],
  ['pt', 'Praça Doutor São João', 'Pç Dr S João'],
  ['it', 'Piazza San Marco', 'P.zza S. Marco'],
  ['it', 'Corso Vittorio Emanuele', 'c.so vittorio emanuele'],
  ['nl', 'Burgemeester de Vlugtlaan', 'Burg. Vlugt ln'],
  ['sv', 'Storgatan', 'Storg.'],
  ['no', 'Karl Johans gate', 'Karl Johans gt'],
  ['da', 'Sankt Pauls Plads', 'Skt Pauls Pl'],
  ['fi', 'Aleksanterinkatu', 'aleksanterin k.'],
  ['pl', 'Aleja Świętego Jana', 'al. Św. Jana'],
  ['cs', 'náměstí Míru', 'nám. Míru'],
  ['hu', 'Kossuth Lajos utca', 'Kossuth Lajos u.'],
  ['ro', 'Bulevardul Unirii', 'Bd. Unirii'],
  ['hr', 'Trg kralja Tomislava', 'T. kr. Tomislava'],
  ['ru', 'улица Льва Толстого', 'ul Lva Tolstogo'],
  ['ru', 'проспект Академика Сахарова', 'пр-т ак. Сахарова'],
  ['uk', 'вулиця Шевченка', 'вул. Шевченка'],
  ['bg', 'булевард Витоша', 'бул. Витоша'],
  ['el', 'Λεωφόρος Κηφισίας', 'Λεωφ. Κηφισιας'],
  ['tr', 'Atatürk Caddesi', 'Ataturk Cad.'],
  ['et', 'Narva maantee', 'Narva mnt'],
  ['id', 'Jalan Jenderal Sudirman', 'Jl Jenderal Sudirman'],
  ['ca', 'Passeig de Gràcia', 'Pg. Gràcia'],
];

type Streets = NonNullable<Parameters<typeof sourceOf>[0]['streets']>;

/** Searches the streets of names, each at a place of its own, and others; and houses by their street. */
async function addressesOf(
  t: TestContext,
  names: readonly string[],
  { houses = {}, others = [] }: { houses?: Readonly<Record<string, readonly string[]>>; others?: Streets } = {},
) {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  const where = (at: number) => ({ city: 'Irgendwo', country: 'DE', lat: 48 + at / 20, lng: 10 });
  const streets = names.map((name, at) => {
    const { lat, lng } = where(at);
    return { name, ...where(at), lines: [Float64Array.of(lng, lat, lng, lat + 0.001)] };
  });
  const addresses = Object.entries(houses).flatMap(([street, numbers], row) =>
    numbers.map((houseNumber, at) => ({
      ...{ street, houseNumber },
      ...{ ...where(names.length + row), lng: 10 + at / 10_000 },
    })),
  );
  const source = sourceOf({ streets: [...streets, ...others], addresses });
  await buildStreetLevel({ directory, progress() {}, part: 'named' }, [source]);
  const files = openStreetFiles(directory, [{ name: 'named', number: 1 }]);
  t.after(files.close);
  return searchable(files, noPlaces).addresses;
}

test('a house with its number scores more than one between others, and that more than its street', async (t) => {
  const crossing = (name: string, line: Float64Array) => ({
    ...{ name, city: 'Irgendwo', country: 'DE', lat: 47, lng: 10, lines: [line] },
  });
  const others = [
    crossing('Alphaweg', Float64Array.of(10, 46.999, 10, 47, 10, 47.001)),
    crossing('Betaweg', Float64Array.of(9.999, 47, 10, 47, 10.001, 47)),
  ];
  const houses = { 'Untere Zobelgasse': ['10', '14', '20-24', '30'] };
  const addresses = await addressesOf(t, [], { houses, others });
  const points = (text: string) => explained(addresses, text).answers[0].contributions;
  const falling = (...points: number[]) =>
    assert.ok(
      points.every((each, at) => at === 0 || each < points[at - 1]),
      points.join(),
    );
  const [exact, range, door, between, street] = ['10', '22', '30/2', '12', '99'].map(
    (number) => points(`Untere Zobelgasse ${number}`).houseMatch,
  );
  falling(exact, range, door, between, street);
  assert.equal(points('Alphaweg & Betaweg').houseMatch, exact);
  // The words between two streets, and before them, are neither countries nor towns.
  for (const text of ['corner of Alphaweg and Betaweg', 'Alphaweg y Betaweg']) {
    const [{ components = [] }] = addresses.search({ text, limit: 1, hasComponents: true });
    const typed = components.filter(({ input }) => input !== null);
    const told = typed.map(({ component, status }) => `${component} ${status}`);
    assert.deepEqual(told, ['street confirmed'], text);
  }
  // Of the name all, what distinguishes it, and what does not.
  falling(
    ...['Untere Zobelgasse', 'Zobelgasse', 'Zobel', 'Untere Gasse'].map((name) => points(`${name} 10`).nameMatch),
  );
  // Words that nothing explains.
  const unexplainedBy = (words: number) =>
    points(`${'xyzzy '.repeat(words)}, Untere Zobelgasse 10, Irgendwo`).unexplained;
  falling(...[0, 1, 2, 9, 20].map(unexplainedBy));
  const { answers } = explained(addresses, 'Untere Zobelgasse 10');
  const { nameMatch, houseMatch, spelling, unexplained } = answers[0].contributions;
  assert.equal(answers[0].score, nameMatch + houseMatch + spelling + unexplained);
  assert.ok(spelling > points('Unt. Zobelg. 10').spelling, 'a name written as typed decides between equals');
});

describe('names of streets', () => {
  test('a name is found as people write it, all of it by all that they typed', async (t) => {
    const addresses = await addressesOf(
      t,
      spellings.map(([, name]) => name),
    );
    for (const [language, name, written] of spellings) {
      const { found, answers } = explained(addresses, written);
      const at = found.findIndex(({ street }) => street === name);
      assert.ok(at >= 0, `${language}: ${written} is ${name}`);
      const { contributions } = answers[at];
      assert.deepEqual([contributions.nameMatch, contributions.unexplained], [weights.streetName, 0], written);
    }
  });

  test('there are abbreviations of at least 15 languages', () => {
    assert.ok(new Set(spellings.map(([language]) => language)).size >= 15);
  });

  test('names that may be different streets stay apart', () => {
    assert.notEqual(streetKey('Avenue S'), streetKey('Avenue South'));
    assert.equal(streetKey('Main Blvd.'), streetKey('MAIN BOULEVARD').replace('boulevard', 'blvd'));
    assert.equal(streetKey('Berliner Straße'), streetKey('Berlinerstrasse'));
  });

  test('what says only the kind of street is generic', () => {
    for (const word of ['street', 'weg', 'n', 'straat']) assert.ok(isGeneric([word]), word);
    for (const word of ['haupt', '42', 'rivera']) assert.ok(!isGeneric([word]), word);
  });
});

describe('interpret of a text', () => {
  const numbers: readonly (readonly [text: string, number: string])[] = [
    ['Hauptstraße 12', '12'],
    ['12 Main Street', '12'],
    ['5 bis rue de la Paix 75002 Paris', '5bis'],
    ['Avenida 18 de Julio 1200', '1200'],
    ['Straße des 17. Juni 135', '135'],
    ['10 42nd Street', '10'],
    ['45-10 Queens Blvd', '45-10'],
    ['Ruyschstraat 66 1 hoog, Amsterdam', '66-1'],
    ['Flat 3, 12 High Street', '12-3'],
    ['Calle Mayor N° 5, 28013 Madrid', '5'],
    ['100 Main St #5', '100'],
    ['100 Main St Apt 4B', '100'],
    ['Mariahilfer Str. 12/3/Top 5', '12/3'],
    ['Calle Mayor 7, 3º piso', '7'],
    ['ул. Арбат, д. 12, кв. 5', '12'],
    ['D-10115 Berlin Invalidenstr. 44', '44'],
    ['18 de Julio 1234 CP 11100', '1234'],
    ['18 de Julio 1234, C.P. 11100', '1234'],
    ['Via Roma 12 CAP 20121', '12'],
    ['Unit 12/345 Main St', '345'],
    ['3/12 High Street, Auckland', '12'],
    ['Lot 2/7 Elm Rd', '7'],
    ['Strada Lalelelor nr. 12, bl. 3, sc. A, et. 2, ap. 7', '12'],
    ['Vesterbrogade 12, 2. th, 1620 København', '12'],
    ['ul. Prosta 12 m. 5, Warszawa', '12'],
    ['Calle Mayor 7, 3º izda, 28013 Madrid', '7'],
    ['30 West 26th Street Sixth Floor', '30'],
    ['16½ Windward Road', '16+1/2'],
    ['улица 189 6/1', '6/1'],
    ['Atatürk Cad. No:5 D:3', '5'],
    ['Rákóczi út 12. 2. em. 3', '12'],
    ['PO Box 123, 5 Main St', '5'],
  ];
  for (const [text, number] of numbers) {
    test(`${text}: ${number} is among them`, () => {
      const found = interpretationsOf(text).map(({ house_number }) => house_number);
      assert.ok(found.includes(number), String(found));
      assert.equal(found.at(-1), null);
    });
  }

  test('the number is tried before the postal code', () => {
    const order = interpretationsOf('Hauptstraße 12, 10827 Berlin').map(({ house_number }) => house_number);
    assert.deepEqual(order, ['12', '10827', null]);
  });

  test('a unit alone stays, and so does one with the only number, and a street named after one', () => {
    const first = (text: string) => [interpretationsOf(text)[0].house_number, ...interpretationsOf(text)[0].words];
    assert.deepEqual(first('Flat 2'), ['2', 'flat']);
    assert.deepEqual(first('12 Unit Street'), ['12', 'unit', 'street']);
    assert.deepEqual(first('Main Street Unit 5'), ['5', 'main', 'street', 'unit']);
    // It may be the number of a door.
    assert.deepEqual(first('12 Main Street Unit 5'), ['12-5', 'main', 'street']);
    assert.equal(interpretationsOf('12 Main Street Unit 5')[1].house_number, '12');
  });
});

/** Work that a text of the longest length allowed makes, whatever it is: the number of its interpret, and that it ends. */
test('no text of 200 characters keeps the reader busy', () => {
  const parts = [
    '1aaaa',
    'a',
    '1',
    '1-',
    '12 корп. ',
    'Unit 1a',
    '#1',
    'ste ',
    '3º ',
    "1'",
    'P.O. box ',
    ' 1/2',
    'N.Y. ',
  ];
  for (const head of ['', '1', 'Unit 1', '5 a #1']) {
    for (const part of parts) {
      for (const tail of ['', '1234', '/', '°x', ', 10115 Berlin']) {
        const text = `${head}${part.repeat(200)}`.slice(0, 200 - tail.length) + tail;
        assert.ok(interpretationsOf(text).length <= 7, text);
      }
    }
  }
});

test('a text too long to be a name or an address has no words, and so costs no look-ups', () => {
  for (const text of ['1 '.repeat(100), 'de la '.repeat(33), 'calle '.repeat(33), 'ﷺ'.repeat(200)]) {
    assert.deepEqual(queryWords(text), [], text);
    assert.deepEqual(interpretationsOf(text), [], text);
  }
  const longest =
    'Unidad 4, Departamento 12, Edificio Las Palmas, Avenida General José Gervasio Artigas 1234, Barrio Sur';
  assert.ok(queryWords(longest).length > 8);
});

test('little words of a town’s name in short are no code of a country: Krems a.d. Donau is not in Andorra', () => {
  const { words } = interpretationsOf('Ringstraße 4, 3500 Krems a.d. Donau').find((each) => each.house_number === '4')!;
  assert.deepEqual(words, ['ring', 'strasse', '3500', 'krems', 'donau']);
});
