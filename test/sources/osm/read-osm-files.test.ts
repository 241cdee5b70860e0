/** Extracts of OpenStreetMap as files: cut ones, and those that are larger than the memory. */
import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import { test } from 'node:test';
import { readStreets } from '../../../src/sources/source-kinds.ts';
import { pbfFile, type TestNode } from '../../support/osm-writer.ts';
import { collect } from '../../support/street-batches.ts';
import { temporaryDirectory, temporaryFile } from '../../support/temporary.ts';
import { address, read } from './small-map.ts';

/** The files that this process has open, where the system says so. */
const openFiles = (): string[] =>
  process.platform !== 'linux'
    ? []
    : readdirSync('/proc/self/fd').flatMap((file) => {
        try {
          return readlinkSync(`/proc/self/fd/${file}`);
        } catch {
          return [];
        }
      });

test('ways keep the nodes that an extract has, and those without any are counted', async (t) => {
  const { streets, dropped } = await read(t, {
    nodes: [
      { id: 1, lat: 1, lng: 1 },
      { id: 2, lat: 1, lng: 2 },
    ],
    ways: [
      { id: 1, nodes: [1, 99, 2], tags: { highway: 'road', name: 'A' } },
      { id: 2, nodes: [98, 99], tags: { highway: 'road', name: 'B' } },
    ],
  });
  assert.deepEqual(
    streets.map(({ name, lines }) => [name, [...lines[0]]]),
    [['A', [1, 1, 2, 1]]],
  );
  assert.deepEqual(dropped, { 'way without any located node': 1 });
});

test('with little memory everything goes through temporary files, which are gone afterwards', async (t) => {
  const nodes: TestNode[] = [];
  for (let id = 1; id <= 30_000; id++)
    nodes.push({ id, lat: 47 + id * 1e-6, lng: 9, tags: id % 3 ? undefined : address(`Weg ${id % 700}`, `${id}`) });
  const ways = Array.from({ length: 15_000 }, (_, id) => ({
    id: id + 1,
    nodes: [((id * 7919) % 30_000) + 1, ((id * 104_729) % 30_000) + 1],
    tags: { highway: 'path', name: `Weg ${id % 700}` },
  }));
  const path = temporaryFile(t, 'x.osm.pbf', pbfFile({ nodes, ways }));
  const plenty = await collect((more) => readStreets('osm-pbf', path, more), {});
  const temporary = temporaryDirectory(t);
  const shares: number[] = [];
  const steps = new Set<string>();
  let seen: string[] = [];
  const little = await collect((more) => readStreets('osm-pbf', path, more), {
    memoryMb: 0.5,
    temporaryDirectory: temporary,
    progress(share: number, step: string) {
      shares.push(share);
      steps.add(step);
      seen = seen.concat(readdirSync(temporary, { recursive: true }) as string[], openFiles());
    },
  });
  assert.deepEqual(
    [...steps],
    ['reading relations', 'finding the nodes of ways', 'reading nodes and ways', 'making records'],
  );
  assert.ok(seen.some((path) => path.endsWith('node-locations')));
  // Of SQLite's files the system removes the names at once: that of what the records need, and that of the scan.
  const files = new Set(seen.filter((path) => path.startsWith(temporary) && path.endsWith(' (deleted)')));
  assert.ok(process.platform !== 'linux' || files.size >= 2, [...files].join());
  assert.deepEqual(readdirSync(temporary), []);
  const byName = (streets: { name: string }[]) => [...streets].sort((a, b) => a.name.localeCompare(b.name));
  assert.deepEqual({ ...little, streets: byName(little.streets) }, { ...plenty, streets: byName(plenty.streets) });
  assert.deepEqual(
    shares,
    [...shares].sort((a, b) => a - b),
  );
  assert.equal(shares.at(-1), 1);
});

test('temporary files are removed when reading is abandoned half-way', async (t) => {
  const temporary = temporaryDirectory(t);
  const path = temporaryFile(
    t,
    'x.osm.pbf',
    pbfFile({ nodes: [{ id: 1, lat: 1, lng: 1, tags: address('Weg', '1') }] }),
  );
  for await (const _ of readStreets('osm-pbf', path, { temporaryDirectory: temporary })) break;
  assert.deepEqual(readdirSync(temporary), []);
});
