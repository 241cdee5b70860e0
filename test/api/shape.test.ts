import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileShape } from '../../src/api/answer-body.ts';
import { nullable, queryMs } from '../../src/endpoints/parameters.ts';
import { Type } from '../../src/schema.ts';

const row = Type.Object({ name: Type.String(), region: nullable(Type.String()) });
const shape = compileShape(
  Type.Object({
    results: Type.Array(row),
    best: Type.Unsafe<{ name: string } | null>({ ...row, type: ['object', 'null'] }),
    tags: Type.Array(Type.String()),
    note: Type.Optional(Type.String()),
    ...queryMs,
  }),
);
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
