/** Administrative areas from OpenStreetMap, geoBoundaries and Overture's divisions; streets from its segments. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { detectSource } from '../../src/build/user-files.ts';
import { readAreas, readStreets } from '../../src/sources/source-kinds.ts';
import { pbfFile, type TestMap, type TestNode } from '../support/osm-writer.ts';
import { divisionsFile, ring, segmentsFile } from '../support/overture-writer.ts';
import { sharedData } from '../support/shared-data.ts';
import { collect, type ReadOptions } from '../support/street-batches.ts';
import { temporaryFile } from '../support/temporary.ts';

type AdminAreaRecord = ReturnType<typeof readAreas> extends AsyncIterable<infer Area> ? Area : never;

async function all(read: (options: ReadOptions) => AsyncIterable<AdminAreaRecord>) {
  const dropped: Record<string, number> = {};
  const areas: AdminAreaRecord[] = [];
  const count = (reason: string, times = 1) => {
    dropped[reason] = (dropped[reason] ?? 0) + times;
  };
  for await (const area of read({ dropped: count })) areas.push(area);
  return { areas, dropped };
}

/** Corners of a square as nodes and the way around them. */
function square(first: number, lat: number, lng: number, size: number): { nodes: TestNode[]; ring: number[] } {
  const at = (y: number, x: number, index: number) => ({ id: first + index, lat: lat + y * size, lng: lng + x * size });
  const nodes = [at(0, 0, 0), at(0, 1, 1), at(1, 1, 2), at(1, 0, 3)];
  return { nodes, ring: [first, first + 1, first + 2, first + 3, first] };
}

test('OpenStreetMap: boundaries of levels 2 to 11 are polygons with holes, with their codes and names', async (t) => {
  const [town, hole, island] = [square(1, 47, 9, 1), square(11, 47.4, 9.4, 0.2), square(21, 50, 9, 0.1)];
  const boundary = (level: string, more = {}) => ({
    type: 'boundary',
    boundary: 'administrative',
    admin_level: level,
    ...more,
  });
  const outer = (id: number) => ({ type: 'way' as const, id, role: 'outer' });
  const map: TestMap = {
    nodes: [...town.nodes, ...hole.nodes, ...island.nodes],
    ways: [
      { id: 1, nodes: town.ring },
      { id: 2, nodes: hole.ring.slice(0, 3) },
      { id: 3, nodes: hole.ring.slice(2) },
      { id: 4, nodes: island.ring },
    ],
    relations: [
      {
        id: 1,
        members: [outer(1), { type: 'way', id: 2, role: 'inner' }, { type: 'way', id: 3, role: 'inner' }, outer(4)],
        tags: boundary('4', { name: 'Land', 'name:en': 'Country', 'ISO3166-2': 'AT-8' }),
      },
      { id: 2, members: [outer(4)], tags: boundary('10', { name: 'Insel' }) },
      { id: 3, members: [outer(4)], tags: boundary('2', { name: 'Staat', 'ISO3166-1:alpha2': 'AT' }) },
      { id: 4, members: [outer(2)], tags: boundary('8', { name: 'Cut' }) },
      { id: 5, members: [outer(4)], tags: boundary('8') },
      { id: 6, members: [outer(4)], tags: boundary('12', { name: 'Too fine' }) },
    ],
  };
  const path = temporaryFile(t, 'x.osm.pbf', pbfFile(map));
  const { areas, dropped } = await all((options) => readAreas('osm-pbf', path, options));
  assert.deepEqual(
    areas.map(({ polygons, ...area }) => ({
      ...area,
      rings: polygons.map((rings) => rings.map((ring) => ring.length / 2)),
    })),
    [
      {
        level: 4,
        name: 'Land',
        names: { en: 'Country' },
        isoCode: 'AT-8',
        country: 'AT',
        sourceId: 'r1',
        rings: [[5, 5], [5]],
      },
      { level: 10, name: 'Insel', sourceId: 'r2', rings: [[5]] },
      { level: 2, name: 'Staat', isoCode: 'AT', country: 'AT', sourceId: 'r3', rings: [[5]] },
    ],
  );
  assert.deepEqual([...areas[1].polygons[0][0]], [9, 50, 9.1, 50, 9.1, 50.1, 9, 50.1, 9, 50]);
  assert.deepEqual(dropped, { 'boundary cut off by the extract': 1 });
});

test('OpenStreetMap: the municipalities of Liechtenstein', async (t) => {
  const path = sharedData(t, 'osm/liechtenstein-2024.osm.pbf');
  if (!path) return;
  const { areas } = await all((options) => readAreas('osm-pbf', path, options));
  const codes = areas.filter(({ level, country }) => level === 8 && country === 'LI').map(({ isoCode }) => isoCode);
  assert.deepEqual(
    codes.sort(),
    Array.from({ length: 11 }, (_, at) => `LI-${String(at + 1).padStart(2, '0')}`),
  );
});

const geoFeature = (shapeType: string, properties: object, geometry: object) => ({
  type: 'Feature',
  properties: { shapeID: 'x1', shapeGroup: 'LIE', shapeType, ...properties },
  geometry,
});

test('geoBoundaries: names, ISO codes and polygons of a level, packed or not', async (t) => {
  const text = JSON.stringify({
    type: 'FeatureCollection',
    crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:OGC:1.3:CRS84' } },
    features: [
      geoFeature('ADM1', { shapeName: 'Vaduz', shapeISO: 'LI-11' }, { type: 'Polygon', coordinates: [ring] }),
      geoFeature(
        'ADM1',
        { shapeName: 'Zwei', shapeISO: '' },
        { type: 'MultiPolygon', coordinates: [[ring], [ring, ring]] },
      ),
      geoFeature('ADM1', { shapeName: '' }, { type: 'Polygon', coordinates: [ring] }),
    ],
  });
  for (const [name, bytes] of [
    ['geoBoundaries-LIE-ADM1.geojson', text],
    ['geoBoundaries-LIE-ADM1.geojson.gz', gzipSync(text)],
  ] as const) {
    const path = temporaryFile(t, name, Buffer.from(bytes));
    const { areas, dropped } = await all((options) => readAreas('geoboundaries', path, options));
    assert.deepEqual(
      areas.map(({ level, name, isoCode, country, polygons }) => [
        level,
        name,
        isoCode,
        country,
        polygons.map((p) => p.length),
      ]),
      [
        [4, 'Vaduz', 'LI-11', 'LI', [1]],
        [4, 'Zwei', undefined, undefined, [1, 2]],
      ],
    );
    assert.deepEqual([...areas[0].polygons[0][0]], ring.flat());
    assert.deepEqual(dropped, { 'boundary without a name': 1 });
  }
  assert.equal(
    await detectSource(temporaryFile(t, 'geoBoundaries-LIE-ADM1.geojson', Buffer.from(text))),
    'geoboundaries',
  );
});

test('geoBoundaries: other GeoJSON is refused with what was found', async (t) => {
  const text = JSON.stringify({
    type: 'Feature',
    properties: { name: 'x' },
    geometry: { type: 'Polygon', coordinates: [ring] },
  });
  const path = temporaryFile(t, 'geoBoundaries-x.geojson', Buffer.from(text));
  await assert.rejects(
    all((options) => readAreas('geoboundaries', path, options)),
    (error: Error) => error.name === 'SourceError' && /shapeType/.test(error.message),
  );
});

test("Overture's divisions: land areas with their level and code; a broken shape is dropped", async (t) => {
  const path = temporaryFile(t, 'division_area.parquet', divisionsFile());
  const { areas, dropped } = await all((options) => readAreas('overture', path, options));
  assert.deepEqual(
    areas.map(({ polygons, ...area }) => area),
    [
      { level: 2, name: 'Liechtenstein', isoCode: 'LI', country: 'LI', sourceId: 'd1' },
      { level: 4, name: 'Vaduz', isoCode: 'LI-11', country: 'LI', sourceId: 'd2' },
    ],
  );
  assert.deepEqual([...areas[0].polygons[0][0]], ring.flat());
  assert.deepEqual(dropped, { 'boundary of the sea': 1, 'boundary without a polygon': 1 });
});

test("Overture's transportation: named roads are streets with their class", async (t) => {
  const path = temporaryFile(t, 'segment.parquet', segmentsFile());
  const { streets, dropped } = await collect((options) => readStreets('overture', path, options));
  assert.deepEqual(
    streets.map(({ name, highwayType, lines, lat, lng }) => [
      name,
      highwayType,
      lines.length,
      lat,
      Number(lng.toFixed(3)),
    ]),
    [
      ['Städtle', 'pedestrian', 1, 47.1, 9.55],
      ['A 13', 'motorway_link', 1, 47.1, 9.55],
    ],
  );
  assert.deepEqual(dropped, {
    'street without a name': 1,
    'street that is a railway or a waterway': 1,
    'street without a line': 1,
  });
});
