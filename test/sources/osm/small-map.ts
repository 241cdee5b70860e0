/** Small maps of OpenStreetMap as files that are read. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { readStreets } from '../../../src/sources/source-kinds.ts';
import { pbfFile, type TestMap, type TestNode } from '../../support/osm-writer.ts';
import { collect } from '../../support/street-batches.ts';
import { temporaryFile } from '../../support/temporary.ts';

/** What a map yields, which must be the same with hardly any memory. */
export async function read(t: TestContext, map: TestMap, options = {}) {
  const path = temporaryFile(t, 'x.osm.pbf', pbfFile(map));
  const records = await collect((more) => readStreets('osm-pbf', path, more), { ...options, memoryMb: 1e-4 });
  assert.deepEqual(await collect((more) => readStreets('osm-pbf', path, more), options), records);
  return records;
}

/** Four corners and the way around them. */
export function square(
  firstId: number,
  south: number,
  west: number,
  size: number,
): { nodes: TestNode[]; ring: number[] } {
  const corners = [
    [0, 0],
    [0, 1],
    [1, 1],
    [1, 0],
  ];
  const wrap = (lng: number) => (lng > 180 ? lng - 360 : lng);
  const nodes = corners.map(([y, x], index) => ({
    id: firstId + index,
    lat: south + y * size,
    lng: wrap(west + x * size),
  }));
  return { nodes, ring: [...nodes.map(({ id }) => id), firstId] };
}

export const address = (street: string, houseNumber: string, more = {}) => ({
  'addr:street': street,
  'addr:housenumber': houseNumber,
  ...more,
});
