/** How rivers are joined from the pieces of their water. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RiverCollector } from '../../src/build/layers/boundaries/rivers.ts';
import { orientedRing } from '../../src/core/region-index/ring.ts';

const box = (west: number, south: number, width: number, height: number) =>
  Float64Array.of(west, south, west + width, south, west + width, south + height, west, south + height, west, south);

/** A river of pieces that are 300 m long, every 3 km to the east from (10, 50). */
function piecesOf(count: number): RiverCollector {
  const rivers = new RiverCollector();
  for (let piece = 0; piece < count; piece++) rivers.add([box(10 + piece * 0.04, 50, 0.004, 0.003)]);
  return rivers;
}
/** West and east end, rounded to a fifth of a degree. */
const endsOf = (xy: Float64Array) => [xy[0], xy.at(-2)!].map((lng) => Math.round(lng * 5) / 5).sort();

test('pieces in a row are one line from end to end', () => {
  const [river, ...others] = piecesOf(51).finish([]);
  assert.equal(others.length, 0);
  assert.deepEqual(endsOf(river.xy), [10, 12]);
  assert.ok(Math.abs(river.length - 2 * Math.cos((50 * Math.PI) / 180)) < 0.01, `${river.length}`);
  assert.equal(river.toZoom, 9);
});

test('a tributary ends where it joins the longer river', () => {
  const rivers = piecesOf(51);
  for (let piece = 1; piece < 20; piece++) rivers.add([box(11, 50 + piece * 0.03, 0.004, 0.003)]);
  const [main, tributary, ...others] = rivers.finish([]).sort((one, other) => other.length - one.length);
  assert.equal(others.length, 0);
  assert.deepEqual(endsOf(main.xy), [10, 12]);
  const lats = [tributary.xy[1], tributary.xy.at(-1)!];
  assert.ok(Math.abs(Math.min(...lats) - 50) < 0.01, 'it begins on the other line');
  assert.ok(Math.abs(Math.max(...lats) - 50.57) < 0.01);
});

test('ponds and short ditches are no rivers', () => {
  assert.equal(piecesOf(8).finish([]).length, 0);
  assert.equal(new RiverCollector().finish([]).length, 0);
});

test('a line of the coarser source is drawn where there are no pieces, joins them, and ends at a lower zoom', () => {
  const coarse = Float64Array.of(10, 50.02, 14, 50.02);
  const [pieces, rest, ...others] = piecesOf(51)
    .finish([coarse])
    .sort((one, other) => other.toZoom - one.toZoom);
  assert.equal(others.length, 0);
  assert.deepEqual([endsOf(pieces.xy), pieces.toZoom], [[10, 12], 9]);
  assert.deepEqual([endsOf(rest.xy), rest.toZoom], [[12, 14], 8]);
  assert.equal(pieces.length, rest.length, 'one river');
  const lats = pieces.xy.filter((_, at) => at % 2 === 1 && pieces.xy[at - 1] < 11.9);
  assert.ok(
    lats.every((lat) => lat < 50.01),
    'where there are pieces, they say where it is',
  );
});

test('narrow water along pieces is a piece of a river, a lake and a broad river are not', () => {
  const rivers = piecesOf(51);
  const across = Array.from({ length: 51 }, (_, at) => 10 + at / 50);
  const broad = Float64Array.from([
    ...across.flatMap((lng) => [lng, 40]),
    ...across.reverse().flatMap((lng) => [lng, 40.03]),
    ...[10, 40],
  ]);
  rivers.add([broad]);
  assert.equal(rivers.isPiece(orientedRing(box(10.04, 50, 0.004, 0.003), false)), true);
  assert.equal(rivers.isPiece(orientedRing(box(10.2, 50.2, 0.3, 0.008), false)), false, 'an elongated lake');
  assert.equal(rivers.isPiece(orientedRing(broad, false)), false);
  assert.deepEqual(
    rivers.finish([]).map(({ toZoom }) => toZoom),
    [9, 7],
  );
});
