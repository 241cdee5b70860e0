/** Repeated requests are answered as the first one was. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createOperation, execute } from '../../src/api/execute.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import type { Store } from '../../src/store/store.ts';
import type { Endpoint, Profile } from '../support/ask.ts';
import { ask } from '../support/ask.ts';
import { openSmallStore } from '../support/small-store.ts';

const { autocomplete, place, postal, search } = endpoints;

let store: Store;
let remove: () => void;
before(async () => {
  ({ store, remove } = await openSmallStore());
});
after(() => remove());

const caching = { tag: 'tag', known: undefined };

/** An endpoint with a text that counts how often it is asked. */
function counted(endpoint: Endpoint) {
  let asked = 0;
  const handle = (...parameters: Parameters<Endpoint['handle']>) => {
    asked++;
    return endpoint.handle(...parameters);
  };
  const operation = createOperation(endpoint.path, { ...endpoint, handle });
  const answer = (parameters: Record<string, string>, profile: Profile = 'default', of: Store = store) => {
    const context = { store: of, profile, now: 0, clientAddress: undefined, caching };
    const { body } = execute(operation, { parameters }, context);
    return typeof body === 'string' ? body : body!.bytes(7);
  };
  return { answer, asked: () => asked };
}

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
    const { answer } = counted(endpoint);
    const texts = [1, 2, 3, 4].map(() =>
      requests.map(([profile, more]) => answer({ q: 'ber', limit: '3', ...more }, profile)),
    );
    for (const again of texts) assert.deepEqual(again, texts[0]);
    assert.notEqual(texts[0][0], texts[0][1]);
    assert.match(String(texts[3][0]), /"results":\[\{.*"query_ms":7\}$/);
  }
});

/** Codes of Germany, which are looked up soonest. */
const ofGermany = (code: number) => ({ code: `${code}`, country: 'DE' });

test('from the third time on nothing is looked up, until thousands of others were asked for', () => {
  const { answer, asked } = counted(postal as Endpoint);
  for (let time = 0; time < 9; time++) answer(ofGermany(10_115));
  assert.equal(asked(), 2);
  for (let code = 20_000; code < 22_100; code++) answer(ofGermany(code));
  answer(ofGermany(10_115));
  assert.equal(asked(), 2 + 2_100 + 1);
});

test('an answer of more than 8 KB is not kept', () => {
  /** How often a place is asked for whose name makes the answer that long. */
  const askedFor = (length: number) => {
    let name = '';
    const named: Endpoint['handle'] = (...given) => ({ ...(place as Endpoint).handle(...given), name });
    const { answer, asked } = counted({ ...(place as Endpoint), handle: named });
    const ask = () => answer({ id: '2950159' }, 'default', { ...store, manifest: { ...store.manifest } });
    const manifest = { ...store.manifest };
    name = 'x'.repeat(length - ask().length);
    for (let time = 0; time < 9; time++)
      assert.equal(answer({ id: '2950159' }, 'default', { ...store, manifest }).length, length);
    return asked() - 1;
  };
  assert.equal(askedFor(8_192), 2);
  assert.equal(askedFor(8_193), 9);
});

test('what is asked for now and then stays among others, and so do the last thousand', () => {
  const { answer, asked } = counted(postal as Endpoint);
  for (let time = 0; time < 3; time++) answer(ofGermany(10_117));
  for (let code = 30_000; code < 35_000; code++) {
    answer(ofGermany(code));
    if (code % 1_000 === 0) answer(ofGermany(10_117));
  }
  assert.equal(asked(), 2 + 5_000);
  for (let code = 34_100; code < 35_000; code++) for (let time = 0; time < 2; time++) answer(ofGermany(code));
  assert.equal(asked(), 2 + 5_000 + 900, 'they were known, and are kept with the second answer');
});

test('an answer without street-level data that are away is not kept, and each version has its own', () => {
  const { answer, asked } = counted(search as Endpoint);
  const partial: Store = { ...store, manifest: { ...store.manifest }, isPartial: true };
  for (let time = 0; time < 4; time++) answer({ q: 'berlin' }, 'default', partial);
  assert.equal(asked(), 4);
  const other: Store = { ...store, manifest: { ...store.manifest } };
  for (let time = 0; time < 4; time++) answer({ q: 'berlin' }, 'default', other);
  assert.equal(asked(), 6);
});

test('changing an answer does not change the answers of others', () => {
  const first = () => ask(autocomplete, store, { q: 'berl' }).results as { highlight: number[] }[];
  const [{ highlight }] = first();
  for (const _ of [1, 2, 3]) first()[0].highlight.push(99);
  assert.deepEqual(first()[0].highlight, highlight);
});
