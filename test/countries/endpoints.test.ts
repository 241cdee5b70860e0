import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import type { WhereaboutsError } from '../../src/errors.ts';
import type { Endpoint, Profile } from '../support/ask.ts';
import { ask } from '../support/ask.ts';
import { smallWorld } from './small-world.ts';

const { admin, countries, countriesAll, country } = endpoints;

/** Asks endpoints of the small world. */
async function asker(t: TestContext) {
  const { store } = await smallWorld(t);
  // biome-ignore lint/suspicious/noExplicitAny: answers of all shapes are read.
  return (endpoint: Endpoint, raw: Record<string, unknown>, profile: Profile = 'default'): any =>
    ask(endpoint, store, raw, { profile });
}

const refused = (code: string, detail: RegExp) => (error: WhereaboutsError) => {
  assert.equal(error.code, code);
  assert.match(error.message, detail);
  return true;
};

test('/countries returns the first countries by name; a smaller limit returns a prefix', async (t) => {
  const ask = await asker(t);
  const all = ask(countries, {});
  assert.deepEqual(all, {
    results: [
      { iso2: 'AG', iso3: 'ATG', name: 'Antigua and Barbuda' },
      { iso2: 'DE', iso3: 'DEU', name: 'Germany' },
      { iso2: 'IS', iso3: 'ISL', name: 'Iceland' },
    ],
    count: 3,
  });
  assert.deepEqual(ask(countries, { limit: '2' }, 'a'), { results: all.results.slice(0, 2), count: 2 });
});

test('/countries refuses a limit outside 1 to 249', async (t) => {
  const ask = await asker(t);
  for (const limit of ['0', '250', '-1', '1.5', 'all', '']) {
    assert.throws(() => ask(countries, { limit }), refused('invalid_parameter', /whole number from 1 to 249/));
  }
});

test('/countries/all returns exactly the seven fields in every profile', async (t) => {
  const ask = await asker(t);
  for (const profile of ['default', 'a', 'b'] as const) {
    const { results, count } = ask(countriesAll, {}, profile);
    assert.equal(count, 3);
    assert.deepEqual(results[1], {
      iso2: 'DE',
      iso3: 'DEU',
      name: 'Germany',
      capital: 'Berlin',
      currency: 'EUR',
      phone_code: '+49',
      is_eu: true,
    });
  }
});

test('/country/{code} takes any case and returns the fields of each profile', async (t) => {
  const ask = await asker(t);
  const shared = {
    name: 'Germany',
    iso2: 'DE',
    iso3: 'DEU',
    capital: 'Berlin',
    currency: 'EUR',
    currency_symbol: '€',
    phone_code: '+49',
    languages: ['German'],
    flag: '🇩🇪',
  };
  const onlyA = { continent: 'Europe', timezone: 'Europe/Berlin', region: 'Western Europe' };
  const onlyB = { is_eu: true, population: 84_000_000 };
  assert.deepEqual(ask(country, { code: 'de' }), { ...shared, ...onlyA, ...onlyB });
  assert.deepEqual(ask(country, { code: 'De' }, 'a'), { ...shared, ...onlyA });
  assert.deepEqual(ask(country, { code: 'DE' }, 'b'), { ...shared, ...onlyB });
});

test('/country/{code} distinguishes unassigned codes (404) from malformed ones (400)', async (t) => {
  const ask = await asker(t);
  for (const code of ['ZZ', 'xk', 'EU']) {
    assert.throws(() => ask(country, { code }), refused('country_not_found', /not one of the 249/));
  }
  assert.throws(() => ask(country, { code: 'uk' }), refused('country_not_found', /the United Kingdom is GB$/));
  for (const code of ['D', 'DEUX', '12', 'D1', 'Ä1', '🇩🇪', "D'", 'ßß', '\u0000']) {
    assert.throws(() => ask(country, { code }), refused('invalid_parameter', /expected/));
  }
  assert.throws(() => ask(country, { code: 'DEU' }), refused('invalid_parameter', /alpha-2 code of Germany is DE/));
});

test('/admin returns short codes, and ISO codes where there are some', async (t) => {
  const ask = await asker(t);
  const record = (name: string, code: string, iso_code: string | null) => ({
    name,
    code,
    level: 1,
    iso_code,
    country: 'DE',
    parent: null,
  });
  assert.deepEqual(ask(admin, { country: 'de' }), {
    results: [
      record('Atlantis', '99', null),
      record('Bavaria', 'BY', 'DE-BY'),
      record('Hesse', 'HE', 'DE-HE'),
      record('State of Berlin', 'BE', 'DE-BE'),
    ],
    country: 'DE',
    count: 4,
  });
});

test('/admin in profile a has the country once, in b in every record, with prefixed codes', async (t) => {
  const ask = await asker(t);
  const a = ask(admin, { country: 'DE' }, 'a');
  assert.deepEqual(a.results[1], { name: 'Bavaria', code: 'BY', level: 1 });
  assert.deepEqual(Object.keys(a), ['results', 'count', 'country']);
  const b = ask(admin, { country: 'DE' }, 'b');
  assert.deepEqual(b.results[0], { name: 'Atlantis', code: 'DE-99', level: 1, country: 'DE' });
  assert.deepEqual(b.results[1], { name: 'Bavaria', code: 'DE-BY', level: 1, country: 'DE' });
  assert.deepEqual(Object.keys(b), ['results', 'count']);
});

test('/admin level 2: codes of the source, unique with their prefix', async (t) => {
  const ask = await asker(t);
  const { results } = ask(admin, { country: 'DE', level: '2' });
  assert.deepEqual(results[0], {
    name: 'Ämter',
    code: '091',
    level: 2,
    iso_code: null,
    country: 'DE',
    parent: 'HE',
  });
  const prefixed = ask(admin, { country: 'DE', level: 2 }, 'b').results.map(({ code }: { code: string }) => code);
  assert.deepEqual(prefixed, ['DE-HE-091', 'DE-HE-064', 'DE-BY-097', 'DE-BY-091']);
});

test('/admin parent may be a code or a name in any language', async (t) => {
  const ask = await asker(t);
  for (const parent of ['BY', 'de-by', 'Bayern', 'Бавария']) {
    const { results } = ask(admin, { country: 'DE', level: 2, parent });
    assert.deepEqual(
      results.map(({ name }: { name: string }) => name),
      ['Swabia', 'Upper Bavaria'],
      parent,
    );
  }
});

test('/admin refuses a parent that does not exist or does not fit, and says what to do', async (t) => {
  const ask = await asker(t);
  assert.throws(
    () => ask(admin, { country: 'DE', level: 2, parent: 'XX' }),
    refused('invalid_parameter', /parent is "XX".*\/v1\/admin\?country=DE/),
  );
  assert.throws(
    () => ask(admin, { country: 'DE', parent: 'BY' }),
    refused('invalid_parameter', /parent requires level=2/),
  );
  for (const level of ['0', '3', 'two']) {
    assert.throws(() => ask(admin, { country: 'DE', level }), refused('invalid_parameter', /from 1 to 2/));
  }
  assert.throws(() => ask(admin, {}), refused('missing_parameter', /country is required/));
  assert.throws(() => ask(admin, { country: 'ZZ' }), refused('invalid_parameter', /249 assigned/));
  // A code that ISO has not assigned but places have is a filter like any other.
  assert.deepEqual(
    (ask(admin, { country: 'XK' }) as { results: { name: string }[] }).results.map(({ name }) => name),
    ['Ferizaj'],
  );
});

test('/admin of a country without regions is an empty list, not an error', async (t) => {
  const ask = await asker(t);
  assert.deepEqual(ask(admin, { country: 'AG' }), { results: [], country: 'AG', count: 0 });
});
