/** Repeated requests are answered as the first one was. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { execute } from '../../src/api/execute.ts';
import type { JsonBody } from '../../src/api/json-body.ts';
import { createOperation } from '../../src/api/operation.ts';
import { autocomplete } from '../../src/endpoints/autocomplete.ts';
import type { Endpoint, Profile } from '../../src/endpoints/endpoint.ts';
import { withRecords } from '../../src/endpoints/kept-record.ts';
import { search } from '../../src/endpoints/search.ts';
import type { Store } from '../../src/store/store.ts';
import { ask } from '../support/ask.ts';
import { openSmallStore } from '../support/small-store.ts';

let store: Store;
let remove: () => void;
before(async () => {
  ({ store, remove } = await openSmallStore());
});
after(() => remove());

test('in each profile, language and part, whichever was requested before', () => {
  const requests: [Profile, Record<string, string>][] = [
    ['default', {}],
    ['a', {}],
    ['b', {}],
    ['default', { lang: 'de' }],
    ['default', { offset: '1' }],
    ['default', { format: 'csv' }],
  ];
  for (const endpoint of [search, autocomplete] as Endpoint[]) {
    const operation = createOperation(endpoint.path, endpoint);
    const texts = [1, 2, 3, 4].map(() =>
      requests.map(([profile, more]) => {
        const context = { store, profile, now: 0, clientAddress: undefined };
        const { body } = execute(operation, { parameters: { q: 'ber', limit: '3', ...more } }, context);
        return typeof body === 'string' ? body : (body as JsonBody).bytes(7);
      }),
    );
    for (const again of texts) assert.deepEqual(again, texts[0]);
    assert.notEqual(texts[0][0], texts[0][1]);
    assert.match(texts[3][0], /"results":\[\{.*"query_ms":7\}$/);
  }
});

test('changing an answer does not change the answers of others', () => {
  const first = () => ask(autocomplete, store, { q: 'berl' }).results as { highlight: number[] }[];
  const [{ highlight }] = first();
  for (const _ of [1, 2, 3]) first()[0].highlight.push(99);
  assert.deepEqual(first()[0].highlight, highlight);
});

test('a repeated list with a point of interest is kept', () => {
  const context = { store, profile: 'default', now: 0, clientAddress: undefined } as const;
  const suggestions = () => autocomplete.handle({ q: 'trattoria ro', limit: 5, offset: 0, explain: false }, context);
  suggestions();
  const repeated = suggestions();
  assert.equal(suggestions(), repeated);
  assert.equal(withRecords(repeated as { results: { name: string }[] }).results[0].name, 'Trattoria Roma');
});
