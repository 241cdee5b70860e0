import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { ask, createOperation } from '../../src/api/execute.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import type { Store } from '../../src/store/store.ts';

const row = Type.Object({ name: Type.String(), region: Type.Unsafe<string | null>({ type: ['string', 'null'] }) });
const { query_ms } = endpoints.search.response.default.properties;
const schema = Type.Object({
  results: Type.Array(row),
  best: Type.Unsafe<{ name: string } | null>({ ...row, type: ['object', 'null'] }),
  tags: Type.Array(Type.String()),
  note: Type.Optional(Type.String()),
  query_ms,
});
/** What a caller gets of what a handler returns. */
function shape(answer: object): Record<string, unknown> {
  const response = { default: schema, a: schema, b: schema };
  const operation = createOperation('made', { ...endpoints.search, response, layers: [], handle: () => answer });
  return ask(operation, { q: 'x' }, { store: {} as Store, profile: 'default', now: 0, clientAddress: undefined });
}
const entry = { name: 'a"\u2028\ud800b', region: null };

test('exactly the fields of the schema are there, at every depth, in its order, without query_ms', () => {
  const answer = {
    extra: 1,
    tags: ['x'],
    best: { ...entry, extra: 2 },
    results: [{ region: null, name: 'n', extra: 3 }],
  };
  assert.equal(
    JSON.stringify(shape(answer)),
    '{"results":[{"name":"n","region":null}],"best":{"name":"a\\"\u2028\\ud800b","region":null},"tags":["x"]}',
  );
});

test('unknown fields are null and optional ones are left out', () => {
  assert.deepEqual(
    Object.entries(shape({ results: [], best: null, tags: [] })).filter(([, value]) => value !== undefined),
    [
      ['results', []],
      ['best', null],
      ['tags', []],
    ],
  );
  assert.equal(shape({ results: [], best: null, tags: [], note: '' }).note, '');
});

test('an answer that lacks a required field is an internal error', () => {
  assert.throws(() => shape({ results: [], best: null }), /lacks tags/);
  assert.throws(() => shape({ results: [{ name: 'n' }], best: null, tags: [] }), /lacks region/);
});
