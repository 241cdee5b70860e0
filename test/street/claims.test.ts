/** What a text says about where its address lies holds, or the answer is no exact match. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { StreetLevel } from '../../src/api/open.ts';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import { addressLines, assertRecorded, chosenTexts } from '../support/recorded-lines.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { sourceOf } from '../support/small-streets.ts';
import { citiesOf, openStreets } from '../support/street-engines.ts';

const munich = { city: 'Munich', country: 'DE', lat: 48.14, lng: 11.58 };
const houses = [
  { ...munich, street: 'Lindenweg', houseNumber: '7', postalCode: '80331' },
  { ...munich, street: 'Lindenweg', houseNumber: '9932', postalCode: '80331', lat: 48.15 },
  { ...munich, street: 'Lindenweg', houseNumber: '11', lat: 48.13 },
  { ...munich, street: 'Kastanienallee', houseNumber: '3' },
  { ...munich, street: '29', houseNumber: '5' },
  { ...munich, street: 'Doppelgasse', houseNumber: '1' },
  { street: 'Doppelgasse', houseNumber: '1', city: 'Aldheim', country: 'DE', lat: 50.01, lng: 9 },
  { ...munich, street: 'Kastanienallee', houseNumber: '5 bis' },
  { ...munich, street: 'Straße der Parise', houseNumber: '5 bis' },
  { ...munich, street: '17-й проезд Марьиной Рощи', houseNumber: '9' },
  { ...munich, street: 'Fliederweg', houseNumber: '7', city: 'Parisa' },
  { street: 'Ulmenweg', houseNumber: '5', city: 'Aldheim', country: 'DE', lat: 50.01, lng: 9 },
  { street: 'Ulmenweg', houseNumber: '6', city: 'Aldheim', country: 'DE', lat: 50.07, lng: 9 },
  { street: 'Oak Lane', houseNumber: '5', city: 'Springfield', admin1: 'IL', country: 'US', lat: 39.8, lng: -89.64 },
  { street: 'France Street', houseNumber: '5', city: 'Springfield', country: 'US', lat: 39.8, lng: -89.65 },
  { street: 'Pine Lane', houseNumber: '5', city: 'Springfield', country: 'US', lat: 39.8, lng: -89.63 },
  { street: 'Washington Lane', houseNumber: '5', city: 'Springfield', country: 'US', lat: 39.8, lng: -89.62 },
  { street: 'Elm Lane', houseNumber: '5', city: 'Bonham', country: 'US', lat: 33.66, lng: -95.56 },
  { street: 'Calle Zafiro', houseNumber: '5', city: 'Bayamo', country: 'PR', lat: 18.4, lng: -66.1 },
  { street: 'Holzweg', houseNumber: '5', country: 'DE', lat: 48.14, lng: 11.58 },
  { street: 'Erlenring', houseNumber: '5', city: 'Pasingen', country: 'DE', lat: 48.2, lng: 11.58 },
  { street: 'Erlenring', houseNumber: '95', city: 'Pasingen', country: 'DE', lat: 48.4, lng: 11.58 },
  { street: 'Eibenweg', houseNumber: '5', city: 'Zobelried', country: 'DE', lat: 50.071, lng: 9 },
  { street: 'Buchenweg', houseNumber: '5', city: 'Aldheim', country: 'DE', lat: 50.01, lng: 9 },
  { street: 'Buchenweg', houseNumber: '5', country: 'DE', lat: 50.071, lng: 9 },
  { street: 'Eschenring', houseNumber: '6', city: 'Monaco di Bavierra', country: 'DE', lat: 52.5, lng: 13.4 },
  { ...munich, street: 'Tokyoo', houseNumber: '5' },
  { ...munich, street: '2 de Tokyoo', houseNumber: '64' },
  { ...munich, street: 'Espenweg', houseNumber: '5', city: 'Münchbergs' },
  { street: 'Ahornring', houseNumber: '5', city: 'Pasingen', country: 'DE', lat: 48.4, lng: 11.58 },
  { ...munich, street: '2 de Tokyoo', houseNumber: '64a' },
  { street: 'Calle Rubi', houseNumber: '5', country: 'PR', lat: 18.4, lng: -66.1 },
  { street: 'Quince Lane', houseNumber: '5', country: 'US', lat: 34.55, lng: -91.97 },
  { street: 'Cedar Lane', houseNumber: '5', city: 'Springfield', admin1: 'MO', country: 'US', lat: 37.22, lng: -93.3 },
  { street: 'Via Emilia', houseNumber: '5', city: 'Carpi', country: 'IT', lat: 44.78, lng: 10.88 },
  { street: 'Sakurazaka', houseNumber: '5', city: 'Shibuya', country: 'JP', lat: 35.66, lng: 139.7 },
  { street: 'Aozaka', houseNumber: '5', city: 'Tokyo', country: 'JP', lat: 35.68, lng: 139.69 },
  { street: 'Vorstadtring', houseNumber: '5', city: 'Pasingen', country: 'DE', lat: 48.3, lng: 11.58 },
  { street: 'Midorizaka', houseNumber: '5', city: 'Tokyo', country: 'JP', lat: 35.661, lng: 139.7 },
  {
    street: 'Birch Lane',
    houseNumber: '5',
    city: 'Springfield',
    country: 'US',
    postalCode: '62704',
    lat: 39.8,
    lng: -89.61,
  },
  { street: 'Langedijk', houseNumber: '15', postalCode: '5411 LA', country: 'NL', lat: 51.7, lng: 5.67 },
  { street: 'Vaandriglaan', houseNumber: '15', postalCode: '5411 DA', country: 'NL', lat: 51.71, lng: 5.67 },
];

type Filters = { country?: string; city?: string; postalCode?: string; admitsContradiction?: true };
/** The text, the answer, and further parameters. */
const cases: Record<string, readonly (readonly [text: string, found: string | undefined, filters?: Filters])[]> = {
  'the house number stands beside the street, and no number is left out of an exact match': [
    ['Lindenweg 7, 9932', 'Lindenweg 7 partial'],
    ['Lindenweg 7 9932', 'Lindenweg 7 partial'],
    ['7 Lindenweg, 9932', 'Lindenweg 7 partial'],
    ['Lindenweg 7, 8001', 'Lindenweg 7 partial'],
    ['Lindenweg 7, Munich 7', 'Lindenweg 7 exact'],
    ['Lindenweg 7, 7', 'Lindenweg 7 exact'],
    ['Lindenweg 7, Munich 9', 'Lindenweg 7 exact'],
    ['Lindenweg 7a, 10115', 'Lindenweg 7a interpolated'],
    ['г Munich, проезд 17-й Марьиной Рощи, д 9', '17-й проезд Марьиной Рощи 9 exact'],
    ['Lindenweg 7, 80331', 'Lindenweg 7 exact'],
    ['Lindenweg 7, 10115', 'Lindenweg 7 partial'],
    ['Kastanienalee 5 bis', 'Kastanienallee 5 bis exact'],
    ['Straße der Paris 5 bis', 'Straße der Parise 5 bis exact'],
  ],
  'a code says nothing where the street has none': [
    ['Kastanienallee 3, 10115 Munich', 'Kastanienallee 3 exact'],
    ['Kastanienallee 3, 10115', 'Kastanienallee 3 partial'],
  ],
  'the letters of a code are part of it, though articles are written so': [
    ['5411 DA, 15', 'Vaandriglaan 15 exact'],
    ['5411LA 15', 'Langedijk 15 exact'],
  ],
  'a number alone is no street that lacks the number': [
    ['29 5', '29 5 exact'],
    ['1097SC 29', undefined],
    ['1097 SC 29', undefined],
    ['29 7', undefined],
  ],
  'the country holds': [
    ['Lindenweg 7, Germany', 'Lindenweg 7 exact'],
    ['Lindenweg 7, France', undefined],
    ['Lindenweg 7 France', undefined],
    ['Lindenweg 7, France', undefined, { country: 'DE' }],
    ['5 France Street, Springfield', 'France Street 5 exact'],
    ['Springfield, 5 Oak Lane, Zobel, US', 'Oak Lane 5 exact'],
    ['France Stret 5', 'France Street 5 exact'],
    ['Frankreich Lindenweg 7', 'Lindenweg 7 partial'],
    ['Frankreich, Lindenweg 7', undefined],
    ['France Street 5, Zobel, Springfield', 'France Street 5 exact'],
    ['Calle Zafiro 5, Bayamo, Zobel, United States', 'Calle Zafiro 5 exact'],
    ['Calle Zafiro 5, Bayamo, Zobel, United States, Zobel', 'Calle Zafiro 5 exact', { country: 'PR' }],
    ['Calle Rubi 5, USA', 'Calle Rubi 5 exact', { country: 'PR' }],
    ['Pine Lane 5, Zobel, Springfield, Missouri', 'Pine Lane 5 exact'],
    ['Pine Lane 5, Missouri', 'Pine Lane 5 exact', { country: 'US' }],
    ['Pine Lane 5, Zobel, Springfield, IL', 'Pine Lane 5 exact'],
    ['Pine Lane 5, Zobel, Springfield 62701, IL', 'Pine Lane 5 exact'],
    ['Pine Lane 5, IL', 'Pine Lane 5 exact', { country: 'US' }],
  ],
  'the region holds': [
    ['Lindenweg 7, Texas', undefined],
    ['5 Oak Lane, Illinois', 'Oak Lane 5 exact'],
    ['5 Oak Lane, Texas', 'Oak Lane 5 partial'],
    ['5 Oak Lane, Zobel, Springfield Illinois', 'Oak Lane 5 exact'],
    ['5 Oak Lane, Zobel, Illinois', 'Oak Lane 5 exact'],
    ['Lindenweg 7, Bavaria', 'Lindenweg 7 exact'],
    ['Eibenweg 5, Bavaria', 'Eibenweg 5 exact'],
    ['Quince Lane 5, England', 'Quince Lane 5 exact'],
    ['Via Emilia 5, MO', 'Via Emilia 5 exact'],
  ],
  'a town holds, with its country or without, and is not corrected': [
    ['Lindenweg 7, Berlin', undefined],
    ['Lindenweg 7, Berlin, Germany', undefined],
    ['Lindenweg 7 Berlin', undefined],
    ['Lindenweg 7 Berlin 10115', undefined],
    ['Lindenweg 7 Berlin, 10115', undefined],
    ['Lindenweg 7 Berlin 80331', undefined],
    ['Lindenweg 7 Berlin, 80331', undefined],
    ['Eschenring 6 Monaco di Baviera', undefined],
    ['5 Tokyo', 'Tokyoo 5 exact'],
    ['2 de Tokyo 64', '2 de Tokyoo 64 exact'],
    ['2 de Tokyo 64a', '2 de Tokyoo 64a exact'],
    ['Lindenweg 7 Paris', 'Lindenweg 7 exact', { country: 'DE' }],
    ['Lindenweg 7, Paris', undefined, { country: 'DE' }],
    ['Fliederweg 7, Parissa', 'Fliederweg 7 exact'],
    ['Fliederweg 7, Paris', undefined],
    ['Lindenweg 7, 75001 Paris', undefined],
    ['Lindenweg 7, 東京', undefined],
    ['Lindenweg 7, 동경', undefined],
    ['Holzweg 5, Paris', undefined],
    ['Quince Lane 5, Paris', undefined],
    ['Oak Lane 5 Paris United States of America', undefined],
    ['Washington Lane 5, Washington D.C.', undefined],
    ['Erlenring 5, Munich', 'Erlenring 5 exact'],
    ['Erlenring 95, Munich', 'Erlenring 95 partial'],
    ['Ahornring 5, Munich', 'Ahornring 5 partial'],
    ['Elm Lane 5, Paris', 'Elm Lane 5 exact', { country: 'US' }],
    ['Elm Lane 5, Paris, Texas', 'Elm Lane 5 exact'],
    ['Elm Lane 5, Paris, United States', 'Elm Lane 5 exact'],
    ['Lindenweg 7, Münchberg, Munich', 'Lindenweg 7 exact'],
    ['Lindenweg 7, Bezirk Zobel, Munich', 'Lindenweg 7 exact'],
  ],
  'a house in another town is reported, unless several towns have one': [
    ['Lindenweg 7, Berlin', 'Lindenweg 7 partial', { admitsContradiction: true }],
    ['Doppelgasse 1, Aldheim', 'Doppelgasse 1 exact', { admitsContradiction: true }],
    ['Lindenweg 7, Berlin', undefined, { admitsContradiction: true, postalCode: '10115' }],
    ['Doppelgasse 1, Berlin', undefined, { admitsContradiction: true }],
  ],
  'a metropolis has its suburbs, with a typo or a unit and as a parameter': [
    ['Vorstadtring 5, Munich', 'Vorstadtring 5 exact'],
    ['Vorstadtrign 5, Munich', 'Vorstadtring 5 exact'],
    ['Vorstadtring 5, 2. OG links, Munich', 'Vorstadtring 5 exact'],
    ['Zobel GmbH, Vorstadtring 5, Bezirk Zobel, Munich', 'Vorstadtring 5 exact'],
    ['Vorstadtring 5', 'Vorstadtring 5 exact', { city: 'Munich' }],
    ['Vorstadtrign 5', 'Vorstadtring 5 exact', { city: 'Munich' }],
  ],
  'of a smaller settlement elsewhere, the house is no exact match': [
    ['Lindenweg 7, Münchberg', 'Lindenweg 7 partial'],
    ['Lindenweg 8765, Münchberg', undefined],
    ['Midorizaka 5, Shibuya', 'Midorizaka 5 exact'],
    ['Sakurazaka 5, Tokyo', 'Sakurazaka 5 exact'],
    ['Aozaka 5, Shibuya', 'Aozaka 5 exact'],
    ['Eibenweg 5, Corvingen', 'Eibenweg 5 exact'],
    ['Buchenweg 5, Corvingen', 'Buchenweg 5 exact'],
    ['Oak Lane 5, Oakton', 'Oak Lane 5 partial'],
    ['Cedar Lane 5, Brookline', 'Cedar Lane 5 partial'],
    ['Espenweg 5, Münchberg', 'Espenweg 5 exact'],
    ['Ulmenweg 5, Corvingen', 'Ulmenweg 5 partial'],
    ['Ulmenweg 6, Corvingen', 'Ulmenweg 6 exact'],
  ],
  'a requested city and code are filters': [
    ['Midorizaka 5', 'Midorizaka 5 exact', { city: 'Shibuya' }],
    ['Ulmenweg 5', undefined, { city: 'Corvingen' }],
    ['Lindenweg 7', 'Lindenweg 7 exact', { postalCode: '80331' }],
    ['Lindenweg 11', 'Lindenweg null street', { postalCode: '80331' }],
    ['Birch Lane 5', 'Birch Lane 5 exact', { postalCode: '62704-1234' }],
    ['Birch Lane 5', undefined, { postalCode: '62705-1234' }],
  ],
};

const directory = mkdtempSync(join(tmpdir(), 'whereabouts-claims-'));
let level: StreetLevel;
before(async () => {
  await buildSmallDataset(directory);
  for (const name of readdirSync(directory)) if (/^(streets|pois).*\.sqlite$/.test(name)) rmSync(join(directory, name));
  await buildStreetLevel({ directory, progress() {} }, [sourceOf({ addresses: houses })]);
  const cities = citiesOf(directory);
  level = openStreets(directory, cities, undefined, { withMadePlaces: true });
});
after(() => {
  level.close();
  rmSync(directory, { recursive: true });
});

for (const [rule, rows] of Object.entries(cases)) {
  describe(rule, () => {
    for (const [text, expected, filters = {}] of rows) {
      test(`${text} ${JSON.stringify(filters)}`, () => {
        const [first] = level.addresses.search({ text, ...filters, limit: 5 });
        assert.equal(first && `${first.street} ${first.houseNumber} ${first.matchType}`, expected);
      });
    }
  });
}

test('the texts, and the houses typed and mistyped in many ways, are answered as recorded', () => {
  const typed = houses.map(
    ({ street, houseNumber: number, city = '', country, postalCode: code = '', admin1 = '' }) => {
      return { street, number, city, country, code, region: admin1 };
    },
  );
  const texts = Object.values(cases).flatMap((rows) => rows.map(([text]) => text));
  assertRecorded(
    join(import.meta.dirname, 'recorded-claims.txt'),
    addressLines(level, typed, texts, chosenTexts('claims')),
  );
});
