import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  baseNumber,
  betweenNeighbours,
  normaliseHouseNumber,
  numberRange,
  onInterpolationRange,
  rangeHolds,
} from '../../src/core/address/house-number.ts';
import { readAddress } from '../../src/geocoding/address/interpret.ts';
import { bestName } from '../../src/geocoding/address/street-match.ts';
import { splitUnit } from '../../src/text/units.ts';
import { isGeneric, queryWords, streetKey } from '../../src/text/words.ts';

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

describe('names of streets', () => {
  for (const [language, name, written] of spellings) {
    test(`${language}: ${written} is ${name}`, () => {
      const words = queryWords(written);
      const match = bestName([name], words);
      assert.equal(match?.coverage, 1);
      assert.equal(match.used.size, words.length);
    });
  }

  test('there are abbreviations of at least 15 languages', () => {
    assert.ok(new Set(spellings.map(([language]) => language)).size >= 15);
  });

  test('names that may be different streets stay apart', () => {
    assert.notEqual(streetKey('Avenue S'), streetKey('Avenue South'));
    assert.equal(streetKey('Main Blvd.'), streetKey('MAIN BOULEVARD').replace('boulevard', 'blvd'));
    assert.equal(streetKey('Berliner Straße'), streetKey('Berlinerstrasse'));
    assert.equal(bestName(['Gartenweg'], queryWords('Bergweg'))?.coverage, 0.5);
    assert.equal(bestName(['Gartenweg'], queryWords('Bergstraße')), undefined);
  });

  test('what says only the kind of street is generic', () => {
    for (const word of ['street', 'weg', 'n', 'straat']) assert.ok(isGeneric([word]), word);
    for (const word of ['haupt', '42', 'rivera']) assert.ok(!isGeneric([word]), word);
  });
});

describe('house numbers', () => {
  test('spellings of one number are equal', () => {
    const same: readonly (readonly string[])[] = [
      ['12a', '12 A', '12A', '12-a', ' 12 a'],
      ['12-14', '12 - 14', '12–14'],
      ['5bis', '5 bis', '5 Bis'],
      ['5', 'N° 5', 'nº5', 'No. 5', '#5', '№ 5', 'д. 5', '005'],
      ['12k2', '12 корп. 2', '12к2', '12 к2', '12, корпус 2'],
      ['10/16s1', '10/16 с1', '10/16 стр. 1'],
      ['6729+1/2', '6729 1/2'],
    ];
    for (const [first, ...others] of same) for (const other of others) assert.equal(normaliseHouseNumber(other), first);
  });

  test('order and ranges', () => {
    assert.deepEqual(['12a', '45-10', 'n12', 'x'].map(baseNumber), [12, 45, 12, 0]);
    assert.deepEqual(numberRange('12-14'), { from: 12, to: 14 });
    assert.equal(numberRange('45-10'), undefined);
    assert.deepEqual(
      [11, 12, 13, 14, 16].map((number) => rangeHolds({ from: 12, to: 14 }, number)),
      [false, true, false, true, false],
    );
    assert.ok(rangeHolds({ from: 12, to: 15 }, 13));
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
    ['Calle Mayor N° 5, 28013 Madrid', '5'],
    ['100 Main St #5', '100'],
    ['100 Main St Apt 4B', '100'],
    ['Mariahilfer Str. 12/3/Top 5', '12/3'],
    ['Calle Mayor 7, 3º piso', '7'],
    ['ул. Арбат, д. 12, кв. 5', '12'],
    ['D-10115 Berlin Invalidenstr. 44', '44'],
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
      const found = readAddress(text).interpretations.map(({ houseNumber }) => houseNumber);
      assert.ok(found.includes(number), String(found));
      assert.equal(found.at(-1), undefined);
    });
  }

  test('the number is tried before the postal code', () => {
    const order = readAddress('Hauptstraße 12, 10827 Berlin').interpretations.map(({ houseNumber }) => houseNumber);
    assert.deepEqual(order, ['12', '10827', undefined]);
  });

  test('a unit alone stays, and so does a street named after one', () => {
    assert.equal(splitUnit('Flat 2').text, 'Flat 2');
    assert.equal(splitUnit('12 Unit Street').text, '12 Unit Street');
  });
});

describe('interpolation', () => {
  const house = (base: number, lat: number) => ({ base, lat, lng: 10 });
  test('lies between neighbours of the same side', () => {
    const houses = [house(1, 50), house(2, 50.01), house(5, 50.002), house(6, 50.03)];
    assert.ok(Math.abs(betweenNeighbours(houses, 3)!.lat - 50.001) < 1e-9);
    assert.equal(betweenNeighbours(houses, 7), undefined);
    assert.equal(betweenNeighbours(houses, 4), undefined, 'the even neighbours are 2 km apart');
  });

  test('follows a line, in either direction and across the antimeridian', () => {
    const bent = [10, 50, 10, 50.001, 10.001, 50.001];
    const middle = onInterpolationRange([[1, 9, 2, bent]], 5)!;
    assert.ok(middle.lat > 50.0005 && middle.lat <= 50.001);
    assert.equal(onInterpolationRange([[1, 9, 2, bent]], 4), undefined);
    assert.ok(Math.abs(onInterpolationRange([[9, 1, 2, bent]], 9)!.lat - 50) < 1e-9);
    const across = onInterpolationRange([[1, 3, 1, [179.9998, 0, -179.9998, 0]]], 2)!;
    assert.ok(Math.abs(Math.abs(across.lng) - 180) < 1e-9);
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
        assert.ok(readAddress(text).interpretations.length <= 7, text);
      }
    }
  }
});

test('a text too long to be a name or an address has no words, and so costs no look-ups', () => {
  for (const text of ['1 '.repeat(100), 'de la '.repeat(33), 'calle '.repeat(33), 'ﷺ'.repeat(200)]) {
    assert.deepEqual(queryWords(text), [], text);
    assert.deepEqual(readAddress(text).interpretations, [], text);
  }
  const longest =
    'Unidad 4, Departamento 12, Edificio Las Palmas, Avenida General José Gervasio Artigas 1234, Barrio Sur';
  assert.ok(queryWords(longest).length > 8);
});
