/** What a change of an extract invalidates: no more than it may affect. */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ChangedContext } from '../../src/build/layers/streets/changes/changed-context.ts';
import { ChangedExtract } from '../../src/build/layers/streets/changes/changed-extract.ts';
import { dirtyCells } from '../../src/build/layers/streets/changes/dirty-cells.ts';
import { userStreetSources } from '../../src/build/layers/streets/sources.ts';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import { ChangeSet } from '../../src/sources/osm/change-file.ts';
import { ExtractBase } from '../../src/store/sqlite/extract-base.ts';
import { extractBaseName } from '../../src/store/sqlite/extract-base-schema.ts';
import { dataDirectory, firstVersion } from '../support/data-directory.ts';
import { changeFile } from '../support/osm-edits.ts';
import { pbfFile, type TestMap } from '../support/osm-writer.ts';
import { temporaryDirectory, temporaryFile } from '../support/temporary.ts';

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

/** A function that returns what an edit of the town invalidates. */
async function townChanged(t: TestContext) {
  const directory = temporaryDirectory(t);
  cpSync(join(await dataDirectory(t), firstVersion), directory, { recursive: true });
  const replication = { baseUrl: 'http://changes.example/', sequence: 1, timestamp: 1_700_000_000 };
  const path = temporaryFile(t, 'town.osm.pbf', pbfFile(town(), { replication }));
  const sources = await userStreetSources((kind) => (kind === 'osm-pbf' ? [path] : []));
  await buildStreetLevel({ directory, part: 'town', keepsExtract: true, progress() {} }, sources);
  const base = new ExtractBase(join(directory, extractBaseName('town')));
  t.after(() => base.close());
  return async (edit: (map: Map3) => unknown) => {
    const map = town();
    edit(map);
    const changes = await ChangeSet.read([temporaryFile(t, 'edit.osc.gz', changeFile(town(), map))]);
    const extract = new ChangedExtract(base, changes);
    return { extract, ...dirtyCells(base, extract, new ChangedContext(base, extract)) };
  };
}

test('a change that affects no record is ignored', async (t) => {
  const changed = await townChanged(t);
  const { extract } = await changed(({ nodes }) => Object.assign(nodes[3].tags!, { 'survey:date': '2026-11-23' }));
  assert.equal(extract.features.size, 0);
  const other = await changed(({ nodes }) => Object.assign(nodes[3].tags!, { 'addr:housenumber': '99' }));
  assert.equal(other.extract.features.size, 1);
});

test('another house of the same city invalidates only houses of its street', async (t) => {
  const changed = await townChanged(t);
  const { cities, streets, areas } = await changed(({ nodes }) =>
    nodes.push({ id: 900, lat: 52.45, lng: 13.351, tags: house('Ring', 70, 'Aburg') }),
  );
  assert.deepEqual([cities.size, areas.size], [0, 0]);
  assert.deepEqual([...new Set([...streets.values()].flatMap(({ names }) => [...names]))], ['Ring']);
});

test('houses of another city invalidate everything around them', async (t) => {
  const changed = await townChanged(t);
  const { cities } = await changed(({ nodes }) => {
    for (let at = 0; at < 80; at++)
      nodes.push({ id: 900 + at, lat: 52.45, lng: 13.351, tags: house('Ring', 70 + at, 'Cdorf') });
  });
  assert.ok(cities.size > 0);
});

test('a boundary that moves invalidates only the area between its old and new lines', async (t) => {
  const changed = await townChanged(t);
  const { areas } = await changed(({ nodes }) => {
    nodes.find(({ lat, lng }) => lat === 52.65 && lng === 13.4)!.lat = 52.64;
  });
  // 90 columns, of the two or three rows that the edge moves in and those next to them; the whole town has 40 rows.
  assert.ok(areas.size > 90 && areas.size < 600, `${areas.size} cells`);
});
