import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nullable, queryMs } from '../../src/endpoints/parameters.ts';
import { compileSerialiser } from '../../src/http/serialise.ts';
import { Type } from '../../src/schema.ts';

const row = Type.Object({ name: Type.String(), region: nullable(Type.String()) });
const write = compileSerialiser(
  Type.Object({
    results: Type.Array(row),
    best: Type.Unsafe<{ name: string } | null>({ ...row, type: ['object', 'null'] }),
    tags: Type.Array(Type.String()),
    note: Type.Optional(Type.String()),
    ...queryMs,
  }),
);
const entry = { name: 'a"\u2028\ud800b', region: null };

test('exactly the fields of the schema are written, at every depth, in its order, then query_ms', () => {
  const answer = {
    extra: 1,
    tags: ['x'],
    best: { ...entry, extra: 2 },
    results: [{ region: null, name: 'n', extra: 3 }],
  };
  assert.equal(
    write(answer, 7),
    '{"results":[{"name":"n","region":null}],"best":{"name":"a\\"\u2028\\ud800b","region":null},"tags":["x"],"query_ms":7}',
  );
});

test('unknown fields are null and optional ones are left out', () => {
  assert.equal(write({ results: [], best: null, tags: [] }, 0), '{"results":[],"best":null,"tags":[],"query_ms":0}');
  assert.match(write({ results: [], best: null, tags: [], note: '' }, 0), /"note":""/);
});

test('an answer that lacks a required field is an error of ours', () => {
  assert.throws(() => write({ results: [], best: null }, 0), /lacks tags/);
  assert.throws(() => write({ results: [{ name: 'n' }], best: null, tags: [] }, 0), /lacks region/);
});
