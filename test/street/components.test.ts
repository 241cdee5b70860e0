/** What /address says of each part of a query, and addresses in fields. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import type { Store } from '../../src/store/store.ts';
import { ask, refusal } from '../support/ask.ts';
import { openSmallStore } from '../support/small-store.ts';

const { address } = endpoints;

type Row = Record<string, unknown>;
type Component = Record<'component' | 'input' | 'value' | 'status', string | null>;

describe('the components of an address', () => {
  let store: Store;
  let remove: () => void;
  before(async () => ({ store, remove } = await openSmallStore()));
  after(() => remove());

  /** The verdict, and the parts that were typed: `city München confirmed`. */
  const told = (parameters: Row) => {
    const { results, verdict } = ask(address, store, parameters);
    const [row] = results as Row[];
    assert.equal(verdict, row?.verdict ?? 'none');
    const typed = ((row?.components ?? []) as Component[]).filter(({ input }) => input !== null);
    return [verdict, ...typed.map(({ component, input, status }) => `${component} ${input} ${status}`)];
  };
  const cases: readonly (readonly [query: Row, verdict: string, ...parts: string[]])[] = [
    [{ q: '10 Downing Street' }, 'exact', 'house_number 10 confirmed', 'street Downing Street confirmed'],
    [
      { q: '10 Downing Stret, Apt 4, London SW1A 2AA, United Kingdom' },
      'exact',
      'house_number 10 confirmed',
      'street Downing Stret corrected',
      'city London confirmed',
      'postal_code SW1A 2AA confirmed',
      'country United Kingdom confirmed',
      'unit Apt 4 missing',
    ],
    [
      { q: 'Zobel Ltd, 10 Downing Street, London' },
      'partial',
      'other Zobel Ltd unread',
      'house_number 10 confirmed',
      'street Downing Street confirmed',
      'city London confirmed',
    ],
    [
      { q: 'Paris GmbH, 10 Downing Street, London' },
      'partial',
      'other Paris GmbH unread',
      'house_number 10 confirmed',
      'street Downing Street confirmed',
      'city London confirmed',
    ],
    // A firm of several words before a street that is named without its kind.
    [
      { q: 'Zobel Trading Ltd, 10 Downing, London' },
      'partial',
      'other Zobel Trading Ltd unread',
      'house_number 10 confirmed',
      'street Downing confirmed',
      'city London confirmed',
    ],
    // The words beside the number are the street's, those of a firm before them are not.
    [
      { q: 'Downing Ltd, 10 Downing Street, London' },
      'partial',
      'other Downing Ltd unread',
      'house_number 10 confirmed',
      'street Downing Street confirmed',
      'city London confirmed',
    ],
    // One edited word alone says little, and what a field has besides the name is reported.
    [{ q: 'Downinf 10' }, 'partial', 'street Downinf corrected', 'house_number 10 confirmed'],
    [{ q: 'down' }, 'partial', 'street down corrected'],
    [
      { street: 'Downing Street 999', house_number: '10', city: 'London' },
      'partial',
      'house_number 10 confirmed',
      'street Downing Street confirmed',
      'other 999 unread',
      'city London confirmed',
    ],
    [
      { street: 'Downing Street, Apt 4', house_number: '10', city: 'London' },
      'exact',
      'house_number 10 confirmed',
      'street Downing Street confirmed',
      'city London confirmed',
      'unit Apt 4 missing',
    ],
    [
      { street: 'Downing Street', house_number: '10 Apt 4', city: 'London' },
      'exact',
      'house_number 10 confirmed',
      'street Downing Street confirmed',
      'city London confirmed',
      'unit Apt 4 missing',
    ],
    [{ city: 'London', house_number: '10' }, 'partial', 'house_number 10 missing', 'city London confirmed'],
    [
      { q: '10 Downing Street', city: 'London' },
      'exact',
      'house_number 10 confirmed',
      'street Downing Street confirmed',
      'city London confirmed',
    ],
    [
      { street: 'Downnig Street', house_number: '10', city: 'London', postal_code: 'EC1A 1BB' },
      'partial',
      'house_number 10 confirmed',
      'street Downnig Street corrected',
      'postal_code EC1A 1BB contradicted',
      'city London confirmed',
    ],
    [{ q: 'Zobel Trading Ltd, Downing 20001' }, 'none'],
    [{ q: 'Zobel Platz 77, 10 Downing' }, 'none'],
    // A town before the street is one where no other is named.
    [
      { q: 'Paris, 10 Downing Street, London' },
      'partial',
      'other Paris unread',
      'house_number 10 confirmed',
      'street Downing Street confirmed',
      'city London confirmed',
    ],
    [
      { q: 'Munich, Straße des 17. Juni 135' },
      'partial',
      'city Munich contradicted',
      'street Straße des 17. Juni confirmed',
      'house_number 135 confirmed',
    ],
    [
      { q: 'Hauptstraße 1, 10827 München' },
      'partial',
      'street Hauptstraße confirmed',
      'house_number 1 confirmed',
      'postal_code 10827 confirmed',
      'city München contradicted',
    ],
    [
      { q: 'Straße des 17. Juni 135, Munich' },
      'partial',
      'street Straße des 17. Juni confirmed',
      'house_number 135 confirmed',
      'city Munich contradicted',
    ],
    [
      { q: 'Hauptstraße 5, Berlin' },
      'partial',
      'street Hauptstraße confirmed',
      'house_number 5 inferred',
      'city Berlin confirmed',
    ],
    [
      { q: 'Hauptstraße 900, Berlin' },
      'partial',
      'street Hauptstraße confirmed',
      'house_number 900 missing',
      'city Berlin confirmed',
    ],
    [{ q: 'Zobelgasse 7' }, 'none'],
    [
      { q: '12 W 42 St, Springfield IL' },
      'exact',
      'house_number 12 confirmed',
      'street W 42 St confirmed',
      'city Springfield confirmed',
      'admin1 IL confirmed',
    ],
    [
      { q: '135 Straße des 17. Juni, Monaco di Baviera, Bavaria' },
      'partial',
      'house_number 135 confirmed',
      'street Straße des 17. Juni confirmed',
      'city Monaco di Baviera contradicted',
      'admin1 Bavaria contradicted',
    ],
    // In fields.
    [
      { street: 'Hauptstrasse', house_number: '1', city: 'München', postal_code: '10115', unit: '2. OG' },
      'partial',
      'house_number 1 confirmed',
      'street Hauptstrasse confirmed',
      'postal_code 10115 contradicted',
      'city München confirmed',
      'unit 2. OG missing',
    ],
    [
      { street: 'Hauptstrase 1', city: 'Munich', country: 'DE' },
      'exact',
      'house_number 1 confirmed',
      'street Hauptstrase corrected',
      'city Munich confirmed',
    ],
    [
      { postal_code: 'SW1A 2AA', house_number: '10' },
      'exact',
      'house_number 10 confirmed',
      'postal_code SW1A 2AA confirmed',
    ],
    [
      { street: 'Straße des 17. Juni', house_number: '135', city: 'Munich', admin1: 'Bavaria' },
      'partial',
      'house_number 135 confirmed',
      'street Straße des 17. Juni confirmed',
      'city Munich contradicted',
      'admin1 Bavaria contradicted',
    ],
    [
      { street: 'Zobelgasse', house_number: '7', city: 'Berlin' },
      'partial',
      'street Zobelgasse missing',
      'house_number 7 missing',
      'city Berlin confirmed',
    ],
    [{ city: 'Paris', admin1: 'Texas' }, 'exact', 'city Paris confirmed', 'admin1 Texas confirmed'],
  ];
  for (const [query, verdict, ...parts] of cases) {
    it(`of ${JSON.stringify(query)}`, () => assert.deepEqual(told(query), [verdict, ...parts]));
  }

  it('include what the record adds', () => {
    const [row] = ask(address, store, { q: '10 Downing Street' }).results as Row[];
    const added = (row.components as Component[]).filter(({ input }) => input === null);
    assert.deepEqual(
      added.map(({ component, value, status }) => [component, value, status]),
      [
        ['postal_code', 'SW1A 2AA', 'inferred'],
        ['city', 'London', 'inferred'],
        ['admin1', 'England', 'inferred'],
        ['country', 'GB', 'inferred'],
      ],
    );
  });

  it('says that only the town of an address in fields was found', () => {
    const [row] = ask(address, store, { city: 'Paris', admin1: 'Texas' }).results as Row[];
    assert.deepEqual([row.match_type, row.street, row.city, row.country], ['place', null, 'Paris', 'US']);
    assert.deepEqual(ask(address, store, { street: 'Zobelgasse', city: 'Zobelstadt' }).results, []);
  });

  it('returns the unit of a text', () => {
    const unit = (q: string) => (ask(address, store, { q }).results as Row[])[0]?.unit;
    assert.deepEqual(
      ['10 Downing Street, Flat 3', '10 Downing Street', 'Hauptstr. 1, 2. OG links, München'].map(unit),
      ['Flat 3', null, '2. OG links'],
    );
  });

  it('refuses fields beside q, and a query with neither', () => {
    assert.deepEqual(refusal(address, store, { q: '10 Downing Street', house_number: '10' }).parameters, [
      'house_number',
    ]);
    assert.deepEqual(refusal(address, store, { house_number: '10' }).parameters, ['q']);
  });

  it('are of the default profile only, which alone answers despite a wrong town', () => {
    const query = { q: 'Straße des 17. Juni 135, Munich', country: 'DE' };
    for (const profile of ['a', 'b'] as const) {
      const { results, ...rest } = ask(address, store, query, { profile });
      assert.deepEqual(results, []);
      assert.equal('verdict' in rest, false);
    }
  });
});
