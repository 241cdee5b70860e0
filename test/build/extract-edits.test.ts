/** Single edits of a town: its changes lead to what an import of the newer map does. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { countsOf, datasetFor, replication } from '../support/changed-extracts.ts';
import { changeFile } from '../support/osm-edits.ts';
import { pbfFile, type TestMap } from '../support/osm-writer.ts';
import { dumpPart } from '../support/street-level-dump.ts';
import { temporaryFile } from '../support/temporary.ts';

type Map3 = Required<TestMap>;

/** A town of one name with a boundary of some 40 by 60 km, two streets of 30 houses, and a village that is named otherwise far away. */
function town(): Map3 {
  const nodes: Map3['nodes'] = [];
  const node = (lat: number, lng: number, tags?: Record<string, string>) => {
    nodes.push({ id: nodes.length + 1, lat, lng, ...(tags && { tags }) });
    return nodes.length;
  };
  for (const [row, street] of ['Hauptstraße', 'Ring'].entries())
    for (let at = 0; at < 30; at++) node(52.45 + row * 0.002, 13.35 + at * 0.0005, house(street, at, 'Aburg'));
  for (let at = 0; at < 5; at++) node(52.2, 13.1 + at * 0.0005, house('Weg', at, 'Cdorf'));
  const corners = [
    [52.25, 13],
    [52.25, 13.9],
    [52.65, 13.9],
    [52.65, 13.4],
    [52.65, 13],
  ].map(([lat, lng]) => node(lat, lng));
  const around = { id: 1, nodes: [...corners, corners[0]], tags: { boundary: 'administrative' } };
  const tags = { type: 'boundary', boundary: 'administrative', admin_level: '8', name: 'Aburg' };
  return { nodes, ways: [around], relations: [{ id: 1, members: [{ type: 'way', id: 1, role: 'outer' }], tags }] };
}

const house = (street: string, at: number, city: string) => ({
  ...{ 'addr:housenumber': String(at + 1), 'addr:street': street, 'addr:city': city },
});

/** The town after an edit, by the changes of the older extract, and by an import of the newer one. */
async function assertFollowed(t: TestContext, edit: (map: Map3) => unknown) {
  const { directory, build, apply } = await datasetFor(t);
  const map = town();
  edit(map);
  await build('changed', temporaryFile(t, 'town.osm.pbf', pbfFile(town(), { replication })));
  const changed = await apply('changed', [temporaryFile(t, 'edit.osc.gz', changeFile(town(), map))]);
  const fresh = await build('fresh', temporaryFile(t, 'newer.osm.pbf', pbfFile(map)));
  assert.deepEqual(countsOf(changed), countsOf(fresh));
  const [got, expected] = ['changed', 'fresh'].map((part) => dumpPart(directory, part, ['DE']));
  assert.ok(expected.streets.length >= 3);
  assert.deepEqual(got, expected);
}

test('a change that affects no record', (t) =>
  assertFollowed(t, ({ nodes }) => Object.assign(nodes[3].tags!, { 'survey:date': '2026-11-23' })));

test('another number', (t) =>
  assertFollowed(t, ({ nodes }) => Object.assign(nodes[3].tags!, { 'addr:housenumber': '99' })));

test('another house of the same city', (t) =>
  assertFollowed(t, ({ nodes }) => nodes.push({ id: 900, lat: 52.45, lng: 13.351, tags: house('Ring', 70, 'Aburg') })));

test('houses of another city', (t) =>
  assertFollowed(t, ({ nodes }) => {
    for (let at = 0; at < 80; at++)
      nodes.push({ id: 900 + at, lat: 52.45, lng: 13.351, tags: house('Ring', 70 + at, 'Cdorf') });
  }));

test('a boundary that moves', (t) =>
  assertFollowed(t, ({ nodes }) => {
    nodes.find(({ lat, lng }) => lat === 52.65 && lng === 13.4)!.lat = 52.64;
  }));
