import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemaFaults, Type } from '../../src/schema.ts';

const schema = Type.Object(
  {
    port: Type.Integer({ minimum: 0, maximum: 65535 }),
    level: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['low', 'high'] })),
    name: Type.Optional(Type.Union([Type.String({ maxLength: 3 }), Type.Null()])),
    lists: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 2 })),
    origin: Type.Optional(Type.String({ pattern: '^https?://' })),
    texts: Type.Optional(Type.Unsafe<object>({ type: 'object', additionalProperties: { type: 'string' } })),
    plans: Type.Optional(Type.Record(Type.String(), Type.Object({ calls: Type.Number() }))),
  },
  { additionalProperties: false },
);

test('a value that fits has no fault', () => {
  for (const value of [
    { port: 0 },
    { port: 65535, level: 'low', name: null, lists: ['a'], plans: { free: { calls: 0.5 } } },
    { port: 1, name: '😀😀😀', origin: 'http://a', plans: {} },
  ]) {
    assert.deepEqual(schemaFaults(schema, value), []);
  }
});

test('every fault is reported with its place', () => {
  for (const [value, instancePath, message] of [
    [[], '', 'must be object'],
    [null, '', 'must be object'],
    [{}, '', 'must have the property port'],
    [{ port: '1' }, '/port', 'must be integer'],
    [{ port: 1.5 }, '/port', 'must be integer'],
    [{ port: -1 }, '/port', 'must be >= 0'],
    [{ port: 65536 }, '/port', 'must be <= 65535'],
    [{ port: 1, level: 'middle' }, '/level', 'must be one of low, high'],
    [{ port: 1, name: 7 }, '/name', 'must be string or null'],
    [{ port: 1, name: 'long' }, '/name', 'must not have more than 3 characters'],
    [{ port: 1, lists: [] }, '/lists', 'must not have fewer than 1 items'],
    [{ port: 1, lists: ['a', 'b', 'c'] }, '/lists', 'must not have more than 2 items'],
    [{ port: 1, lists: ['a', ''] }, '/lists/1', 'must not have fewer than 1 characters'],
    [{ port: 1, origin: 'ftp://a' }, '/origin', 'must match ^https?://'],
    [{ port: 1, texts: { a: 'b', c: 5 } }, '/texts/c', 'must be string'],
    [{ port: 1, plans: { 'a/b': { calls: 'x' } } }, '/plans/a~1b/calls', 'must be number'],
    [{ port: 1, toString: 2 }, '', 'must not have the property "toString"'],
    [JSON.parse('{"port":1,"__proto__":{}}'), '', 'must not have the property "__proto__"'],
  ] as const) {
    assert.deepEqual(schemaFaults(schema, value), [{ instancePath, message }], JSON.stringify(value));
  }
});

test('all faults are reported, not only the first', () => {
  assert.equal(schemaFaults(schema, { port: -1, level: 'x', other: 1 }).length, 3);
});

test('a hostile value does not become a list of its faults', () => {
  const items = Type.Array(Type.Object({ name: Type.String(), number: Type.Integer(), layers: Type.Number() }));
  assert.equal(schemaFaults(items, Array(100).fill({})).length, 20);
  assert.equal(
    schemaFaults(schema, Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`x${i}`, 1]))).length,
    20,
  );
});

test('a schema with an unknown keyword is refused, not treated as satisfied', () => {
  assert.throws(() => schemaFaults(Type.Number({ multipleOf: 2 }), 3), /does not know the keyword multipleOf/);
});
