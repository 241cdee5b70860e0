import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import type { Store } from '../../src/store/store.ts';
import { ask, refusal } from '../support/ask.ts';
import { openSmallStore } from '../support/small-store.ts';

const { postal, validate } = endpoints;

describe('/postal and /validate', () => {
  let store: Store;
  let remove: () => void;
  before(async () => ({ store, remove } = await openSmallStore()));
  after(() => remove());

  describe('/postal', () => {
    it('returns the places of a code in any spelling', () => {
      const expected = {
        results: [
          {
            postal_code: '10115',
            place: 'Berlin',
            admin1: 'Berlin',
            admin2: null,
            country: 'DE',
            lat: 52.532,
            lng: 13.384,
            accuracy: 'point',
            radius_km: null,
            source: 'geonames-postal',
          },
        ],
        count: 1,
        coverage: null,
      };
      for (const code of ['10115', ' 10115 ', 'D-10115', 'de 101 15', '１０１１５', '١٠١١٥'])
        assert.deepEqual(ask(postal, store, { code, country: 'de' }), expected);
    });

    it('names place and region in the language', () => {
      const results = ask(postal, store, { code: '10115', country: 'de', lang: 'ru' }).results as Record<
        string,
        unknown
      >[];
      assert.deepEqual([results[0].place, results[0].admin1], ['Берлин', 'Берлин']);
    });

    it('reads letters and digits of every script', () => {
      const codesOf = (code: string, country: string) =>
        (ask(postal, store, { code, country }).results as { postal_code: string }[]).map((row) => row.postal_code);
      assert.deepEqual(codesOf('〒100-0001', 'JP'), ['100-0001']);
      assert.deepEqual(codesOf('१०११५', 'DE'), ['10115']);
      for (const none of ['–', '〒']) assert.deepEqual(codesOf(none, 'JP'), []);
    });

    it('answers a whole British code with its outward part', () => {
      const { results } = ask(postal, store, { code: 'sw1a1aa', country: 'GB' }) as {
        results: { postal_code: string }[];
      };
      assert.deepEqual(
        results.map(({ postal_code }) => postal_code),
        ['SW1A'],
      );
    });

    it('returns an empty list for an unknown or invalid code of the country, and reports how many it has', () => {
      for (const code of ['99999', 'SW1A 1AA', "'; DROP TABLE x", '🙂', '\ud800'])
        assert.deepEqual(ask(postal, store, { code, country: 'DE' }), {
          results: [],
          count: 0,
          coverage: { country: 'DE', postal: store.postal!.countByCountry().DE, level: 'partial' },
        });
      const [none] = [ask(postal, store, { code: '10000', country: 'XK' }).coverage];
      assert.deepEqual(none, { country: 'XK', postal: 0, level: 'none' });
    });

    it('requires a code and a country', () => {
      assert.deepEqual(refusal(postal, store, {}).parameters, ['code', 'country']);
      assert.equal(refusal(postal, store, { code: '10115', country: 'ZZ' }).code, 'invalid_parameter');
    });

    it('has exactly the specification’s fields in a and b', () => {
      const fields = ['postal_code', 'place', 'admin1', 'admin2', 'country', 'lat', 'lng'];
      for (const profile of ['a', 'b'] as const) {
        const record = postal.response[profile].properties.results as unknown as { items: { properties: object } };
        assert.deepEqual(Object.keys(record.items.properties), fields);
        assert.deepEqual(Object.keys(postal.response[profile].properties), ['results', 'count', 'query_ms']);
      }
    });
  });

  describe('/validate', () => {
    const valid = (city: string, country: string, postal_code?: string) =>
      ask(validate, store, { city, country, ...(postal_code === undefined ? {} : { postal_code }) });

    const known = { valid: true, status: 'valid', coverage: null };
    const unknown = () => ({
      valid: false,
      status: 'unknown',
      coverage: { country: 'DE', postal: store.postal!.countByCountry().DE, level: 'partial' },
    });

    it('knows a city in any language, with or without one of its codes', () => {
      for (const city of ['Munich', 'MÜNCHEN', 'monaco di baviera', 'Мюнхен']) {
        const normalized = { city: 'Munich', admin1: 'Bavaria', country: 'DE' };
        assert.deepEqual(valid(city, 'DE'), { ...known, normalized: { ...normalized, postal_code: null } });
        assert.deepEqual(valid(city, 'DE', '80331'), {
          ...known,
          normalized: { ...normalized, postal_code: '80331' },
        });
      }
    });

    it('refuses another city’s code and keeps both canonical', () => {
      assert.deepEqual(valid('Berlin', 'DE', 'D-80331'), {
        valid: false,
        status: 'mismatch',
        coverage: null,
        normalized: { city: 'Berlin', postal_code: '80331', admin1: 'Berlin', country: 'DE' },
      });
    });

    it('returns null for the unknown, and reports how many codes it has', () => {
      assert.deepEqual(valid('Nirgendwo', 'DE'), {
        ...unknown(),
        normalized: { city: null, postal_code: null, admin1: null, country: 'DE' },
      });
      assert.deepEqual(valid('Berlin', 'DE', '00000'), {
        ...unknown(),
        normalized: { city: 'Berlin', postal_code: null, admin1: 'Berlin', country: 'DE' },
      });
    });

    it('picks the city that the code belongs to among those of one name', () => {
      assert.deepEqual(valid('Springfield', 'US', '62701-0001'), {
        ...known,
        normalized: { city: 'Springfield', postal_code: '62701', admin1: 'Illinois', country: 'US' },
      });
    });

    it('knows a city by its name and what it lies in', () => {
      const { normalized } = valid('Springfield, IL', 'US', '62701');
      assert.deepEqual(normalized, { city: 'Springfield', postal_code: '62701', admin1: 'Illinois', country: 'US' });
      assert.equal(valid('Springfield, IL', 'US', '10115').valid, false);
    });

    it('refuses a code without the shape of the country’s codes', () => {
      const { status, coverage } = valid('Berlin', 'DE', 'SW1A 1AA');
      assert.deepEqual([status, (coverage as { level: string }).level], ['mismatch', 'partial']);
    });

    it('has no count', () => {
      const fields = ['valid', 'normalized', 'status', 'coverage', 'query_ms'];
      assert.deepEqual(Object.keys(validate.response.default.properties), fields);
      assert.deepEqual(Object.keys(validate.response.a.properties), ['valid', 'normalized', 'query_ms']);
    });
  });
});

describe('a dataset without postal codes', () => {
  it('still validates cities, and says what it lacks for codes', async () => {
    const { store, remove } = await openSmallStore({ without: ['postal'] });
    assert.equal(ask(validate, store, { city: 'Berlin', country: 'DE' }).valid, true);
    assert.equal(
      refusal(validate, store, { city: 'Berlin', country: 'DE', postal_code: '10115' }).code,
      'dataset_missing',
    );
    remove();
  });
});
