/** Airports with codes that OurAirports' large and medium ones lack, and what both lists have. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { airportFeature, airportFeatures } from '../../src/build/layers/world/features.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import { type Airport, codedAirports, withCodedAirports } from '../../src/sources/default-data.ts';
import { ask } from '../support/ask.ts';
import { smallWorld } from '../support/small-world.ts';

const coded = codedAirports();
const listed = (more: Partial<Airport>): Airport => ({ ...coded[0], source: undefined, region: 'FR-IDF', ...more });

test('the table has thousands of airports, each with a code of three letters of its own', () => {
  assert.ok(coded.length > 9000);
  assert.equal(new Set(coded.map(({ iata }) => iata)).size, coded.length);
  for (const { iata, name, country, lat, lng } of coded) {
    assert.match(iata, /^[A-Z]{3}$/);
    assert.match(country, /^[A-Z]{2}$/, iata);
    assert.ok(name !== '' && Math.abs(lat) <= 90 && Math.abs(lng) <= 180, iata);
  }
});

test('an airport of both lists is one, with the names and codes of both; one far away with its code is another', () => {
  const kupang = coded.find(({ iata }) => iata === 'KOE')!;
  const airport = listed({ ...kupang, source: undefined, name: 'El Tari', iata: '', ident: 'WATT', icao: '' });
  const [both, ...others] = withCodedAirports([airport], [kupang]);
  assert.deepEqual(others, []);
  assert.deepEqual([both.name, both.iata, both.icao], ['El Tari', 'KOE', 'WATT']);
  assert.ok(airportFeature(both).knownNames.includes(kupang.name));
  assert.equal(withCodedAirports([{ ...airport, lat: 60 }], [kupang]).length, 2);
  assert.equal(airportFeature(kupang).source, 'opentraveldata');
});

test('an airport is called by its town without International too, and the better known it is the more languages name it', () => {
  const mexico = coded.find(({ iata }) => iata === 'MEX')!;
  const { knownNames, prominence } = airportFeature(mexico);
  assert.ok(knownNames.includes('Mexico City Airport'));
  assert.ok(prominence > airportFeature({ ...mexico, otherNames: [] }).prominence);
});

test('an airport is not known by the own name of another one in its country, which means that one', () => {
  const base = { iata: '', icao: '', municipality: 'Tripoli', hasScheduledFlights: true };
  const own = 'Tripoli International Airport';
  const named = (name: string, country: string) =>
    listed({ ...base, name, country, hasScheduledFlights: name !== own });
  const [mitiga, , abroad] = airportFeatures([named('Mitiga Airport', 'LY'), named(own, 'LY'), named('Kleyat', 'LB')]);
  assert.deepEqual(
    [mitiga, abroad].map(({ knownNames }) => knownNames.includes(own)),
    [false, true],
  );
  assert.ok(mitiga.knownNames.includes('Tripoli Airport'));
});

test('an airport has the name of the requested language, in Chinese in the characters that are asked for', async (t) => {
  const narita = coded.find(({ iata }) => iata === 'NRT')!;
  const airport = listed({ ...narita, namesIn: {}, otherNames: [], ident: 'RJAA' });
  const features = withCodedAirports([airport], [narita]).map(airportFeature);
  const place = { id: 1, name: 'Narita', country: 'JP', lat: 35.8, lng: 140.3, population: 1, timezone: 'Asia/Tokyo' };
  const { store, close } = await smallWorld([place], undefined, features);
  t.after(close);
  const named = (lang: string | undefined) =>
    ask(endpoints.search, store, { q: 'NRT', ...(lang && { lang }) }).results as { name: string }[];
  for (const [lang, name] of [
    [undefined, 'Narita International Airport'],
    ['en', 'Narita International Airport'],
    ['de', 'Flughafen Tokio-Narita'],
    ['ja', '成田国際空港'],
    ['zh', '成田国际机场'],
    ['zh-TW', '成田國際機場'],
    ['ar', 'مطار ناريتا الدولي'],
    ['nl', 'Narita International Airport'],
  ] as const)
    assert.equal(named(lang)[0]?.name, name, `${lang}`);
});
