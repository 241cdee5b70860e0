/** Lists of places assembled from cached texts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileJsonWriter, JsonBody, KeptTexts } from '../../src/api/json-body.ts';
import { KeptRecord, keptRecord } from '../../src/endpoints/kept-record.ts';
import { Type } from '../../src/schema.ts';
import type { Store } from '../../src/store/store.ts';

const schema = Type.Object({
  results: Type.Array(
    Type.Object({
      name: Type.String(),
      km: Type.Number(),
      tags: Type.Array(Type.String()),
      note: Type.Optional(Type.String()),
    }),
  ),
  count: Type.Integer(),
  query_ms: Type.Integer(),
});
const store = {} as Store;

test('an answer has the same text whether its records are made, kept or some of both', () => {
  const writer = compileJsonWriter(schema);
  let made = 0;
  const make = (_: Store, ref: number) => {
    made++;
    return { tags: [`"${ref}`, 'ß'], name: `name ${ref}`, hidden: true, ...(ref % 2 ? { note: 'odd' } : {}) };
  };
  const answer = (refs: number[]) => {
    const results = refs.map((ref, at) => keptRecord(store, ref, { km: at / 8 }, make));
    return new JsonBody({ results, count: refs.length }, writer);
  };
  const text = (refs: number[]) => Buffer.from(answer(refs).bytes(7), 'latin1').toString();
  const plain = (refs: number[]) =>
    JSON.stringify({
      results: refs.map((ref, at) => ({
        name: `name ${ref}`,
        km: at / 8,
        tags: [`"${ref}`, 'ß'],
        ...(ref % 2 ? { note: 'odd' } : {}),
      })),
      count: refs.length,
      query_ms: 7,
    });
  for (const refs of [[1, 2, 3], [3, 2, 1], [1, 2, 3, 4], [], [4]]) {
    assert.equal(text(refs), plain(refs));
    assert.equal(JSON.stringify({ ...answer(refs).fields(), query_ms: 7 }), plain(refs));
  }
  const before = made;
  assert.equal(text([4, 3, 2, 1]), plain([4, 3, 2, 1]));
  assert.equal(made, before, 'all of them were known');
  // Enough others that some of these were evicted: lists of both kinds.
  for (let ref = 0; ref < 100_000; ref += 5) {
    const refs = [ref, 1, 2, ref + 1, 3];
    assert.equal(text(refs), plain(refs));
  }
});

test('an answer that is one record, and a list, has its text whether that is kept or not', () => {
  const writer = compileJsonWriter(schema);
  const make = (_: Store, ref: number) => ({ results: [{ name: `name ${ref}`, km: ref, tags: [] }], count: 1 });
  const own = {} as Store;
  // Far more than the table has slots: the last ones find theirs taken.
  for (let ref = 0; ref < 40_000; ref++) {
    const text = new JsonBody(keptRecord(own, ref, {}, make), writer).bytes(7);
    assert.equal(text, `{"results":[{"name":"name ${ref}","km":${ref},"tags":[]}],"count":1,"query_ms":7}`);
  }
});

test('no more texts are kept than the table has slots, and what is requested repeatedly stays', () => {
  const texts = new KeptTexts();
  const number = texts.numberOf({})!;
  const at = (ref: number, make: () => string[]) => texts.at(new KeptRecord(store, ref, {}, () => ({})), number, make);
  let made = 0;
  const favourite = () => at(123, () => [`made ${made++}`]);
  favourite();
  for (let ref = 1000; ref < 200_000; ref++) {
    at(ref, () => [`${ref}`]);
    if (ref % 50 === 0) favourite();
  }
  assert.equal(made, 1);
  let kept = 0;
  for (let ref = 1000; ref < 200_000; ref++) {
    let isNew = false;
    const text = at(ref, () => {
      isNew = true;
      return [];
    });
    if (text !== undefined && !isNew) kept++;
  }
  assert.ok(kept <= 16_384 && kept > 8_000, `${kept} are kept`);
});

test('what nobody requests any more makes room for what is requested in turn', () => {
  const texts = new KeptTexts();
  const number = texts.numberOf({})!;
  const isKept = (ref: number) =>
    texts.at(new KeptRecord(store, ref, {}, () => ({})), number, () => ['']) !== undefined;
  for (let ref = 0; ref < 60_000; ref++) isKept(ref);
  const wanted = Array.from({ length: 5000 }, (_, at) => 100_000 + at);
  for (let round = 0; round < 200; round++) wanted.forEach(isKept);
  const kept = wanted.filter(isKept).length;
  assert.ok(kept > 4500, `${kept} of 5000 are kept`);
});
