/** What stops a new dataset before it replaces the current one. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildDataset } from '../../src/build/pipeline.ts';
import { datasetVersions, rollBack } from '../../src/build/versions.ts';
import { currentVersion, DatasetError } from '../../src/store/manifest.ts';
import { dataDirectory, firstVersion, runProgram } from '../support/data-directory.ts';
import { pbfFile } from '../support/osm-writer.ts';
import { temporaryFile } from '../support/temporary.ts';

/** Houses of a street in Berlin. */
const street = (houses: number) =>
  pbfFile({
    nodes: Array.from({ length: houses }, (_, at) => ({
      id: at + 1,
      lat: 52.4 + at * 0.001,
      lng: 13.3,
      tags: { 'addr:housenumber': String(at + 1), 'addr:street': 'Gasse', 'addr:city': 'Berlin', 'addr:country': 'DE' },
    })),
  });

/** Houses by country, in a street of each. */
const housesOf = (counts: Record<string, number>) =>
  pbfFile({
    nodes: Object.entries(counts).flatMap(([country, count], row) =>
      Array.from({ length: count }, (_, at) => ({
        id: row * 10_000 + at + 1,
        lat: 52.4 + at * 1e-4,
        lng: 13.3 + row / 100,
        tags: {
          'addr:housenumber': String(at + 1),
          'addr:street': `Gasse ${country}`,
          'addr:city': 'Berlin',
          'addr:country': country,
        },
      })),
    ),
  });

const build = (
  directory: string,
  file: string,
  more: { acceptLoss?: boolean; maxLossPercent?: number; warn?(fault: string): void } = {},
) =>
  buildDataset({
    dataDirectory: directory,
    tasks: [{ layer: 'streets', part: 'town', userFiles: { 'osm-pbf': [file] }, inputs: {} }],
    keptParts: [],
    keepSources: true,
    progress() {},
    ...more,
  });

test('a source that lost half of its records is not made current; --accept-loss goes on', async (t) => {
  const directory = await dataDirectory(t);
  const file = temporaryFile(t, 'town.osm.pbf', street(100));
  const { version } = await build(directory, file, { acceptLoss: true });
  writeFileSync(file, street(50));
  await assert.rejects(build(directory, file), (error) => {
    assert.ok(error instanceof DatasetError);
    assert.match(error.message, /part town, layer addresses: addresses fell from 100 to 50 \(-50%\)/);
    assert.match(error.message, /part town, layer addresses, DE: records fell from 100 to 50/);
    assert.match(error.message, /--accept-loss.*"whereabouts rollback \d+T\d+Z" serves it as it is/);
    return true;
  });
  assert.equal(currentVersion(directory), version);
  const refused = (await datasetVersions(directory)).at(-1)!;
  assert.equal(refused.distrusted, 'refused');

  const warnings: string[] = [];
  const accepted = await build(directory, file, { acceptLoss: true, warn: (fault) => warnings.push(fault) });
  assert.equal(currentVersion(directory), accepted.version);
  assert.equal(warnings.length, 2);
});

test('a dataset that was built and refused can still be served, without another build', async (t) => {
  const directory = await dataDirectory(t);
  const file = temporaryFile(t, 'town.osm.pbf', street(100));
  await build(directory, file, { acceptLoss: true });
  writeFileSync(file, street(50));
  await assert.rejects(build(directory, file), DatasetError);
  const { version } = (await datasetVersions(directory)).at(-1)!;
  await rollBack(directory, version);
  assert.equal(currentVersion(directory), version);
});

test('a source that lost all its records is named, and one that lost none is not', async (t) => {
  const directory = await dataDirectory(t);
  const file = temporaryFile(t, 'empty.osm.pbf', pbfFile({ nodes: [{ id: 1, lat: 1, lng: 1 }] }));
  await assert.rejects(build(directory, file), /empty\.osm\.pbf has no records/);
  assert.equal(currentVersion(directory), firstVersion);
});

test('a failing probe of the user stops the build; an unreadable one is refused before it', async (t) => {
  const directory = await dataDirectory(t);
  const file = temporaryFile(t, 'town.osm.pbf', street(100));
  const probes = (expected: unknown) =>
    writeFileSync(
      join(directory, 'probes.json'),
      JSON.stringify([
        {
          layer: 'addresses',
          ask: 'address?q=Gasse+7+Berlin',
          expect: { 'results.0.lat': expected, 'results.0.city': 'Berlin' },
        },
      ]),
    );
  probes([52.4, 52.41]);
  const warnings: string[] = [];
  await build(directory, file, { acceptLoss: true, warn: (fault) => warnings.push(fault) });
  assert.ok(
    warnings.every((fault) => !fault.includes('address?q')),
    warnings.join(),
  );
  probes([10, 11]);
  await assert.rejects(
    build(directory, file),
    /layer addresses: address\?q=Gasse\+7\+Berlin has results\.0\.lat 52\.406, expected 10 to 11/,
  );
  writeFileSync(join(directory, 'probes.json'), '[{"layer":"clouds"}]');
  await assert.rejects(build(directory, file), /probes\.json: \/probes\/0/);
});

test('the command lists what was lost in plain lines and exits with 1', async (t) => {
  const directory = await dataDirectory(t);
  const file = temporaryFile(t, 'empty.osm.pbf', pbfFile({ nodes: [{ id: 1, lat: 1, lng: 1 }] }));
  const { status, stderr } = runProgram(directory, 'build', '--keep-sources', '--source', file, '--layer', 'streets');
  assert.equal(status, 1, stderr);
  assert.match(
    stderr,
    /^whereabouts: the new dataset was not made current; fix .*:\n {2}.*empty\.osm\.pbf has no records$/m,
  );
  assert.doesNotMatch(stderr, /\n\s+at /);
});

test('a loss up to the limit or of a handful of records is ignored; a missing layer or country is not', async (t) => {
  const directory = await dataDirectory(t);
  const file = temporaryFile(t, 'town.osm.pbf', housesOf({ AT: 903, LI: 9, DE: 88 }));
  await build(directory, file, { acceptLoss: true });
  /** What is said of the addresses of other houses in place of these, which stay. */
  const losses = async (counts: Record<string, number>, maxLossPercent?: number) => {
    writeFileSync(
      file,
      Object.keys(counts).length > 0 ? housesOf(counts) : pbfFile({ nodes: [{ id: 1, lat: 1, lng: 1 }] }),
    );
    const warnings: string[] = [];
    const warn = (fault: string) => warnings.push(fault);
    const before = currentVersion(directory)!;
    await build(directory, file, { acceptLoss: true, ...(maxLossPercent && { maxLossPercent }), warn });
    await rollBack(directory, before);
    return warnings.flatMap((fault) => /layer addresses(.*)$/.exec(fault)?.[1] ?? []);
  };
  assert.deepEqual(await losses({ AT: 860, LI: 3, DE: 87 }), []);
  assert.deepEqual(await losses({ AT: 861, DE: 88 }), [
    ': addresses fell from 1,000 to 949 (-5%)',
    ', LI: records fell from 9 to 0 (-100%)',
  ]);
  assert.deepEqual(await losses({}), [
    ': addresses fell from 1,000 to 0 (-100%)',
    ', AT: records fell from 903 to 0 (-100%)',
    ', LI: records fell from 9 to 0 (-100%)',
    ', DE: records fell from 88 to 0 (-100%)',
  ]);
  assert.deepEqual(await losses({ AT: 452, LI: 5, DE: 44 }, 50), []);
  // A code that is no country any more, as an older program counted it.
  const path = join(directory, currentVersion(directory)!, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  for (const { layers } of manifest.parts) layers.addresses.countries.AN = 70;
  writeFileSync(path, JSON.stringify(manifest));
  assert.deepEqual(await losses({ AT: 903, LI: 9, DE: 88 }), []);
});

test('a probe accepts a value or a range, and fails on a missing value or an endpoint without its layer', async (t) => {
  const directory = await dataDirectory(t);
  const path = join(directory, firstVersion, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  delete manifest.layers.postal;
  writeFileSync(path, JSON.stringify(manifest));
  const probes: [ask: string, expect: object][] = [
    ['search?q=berlin', { 'results.0.country': 'DE', 'results.0.lat': [52, 53] }],
    ['search?q=berlin', { 'results.99.country': 'DE' }],
    ['postal?code=10115&country=DE', { count: 1 }],
    ['nothing', {}],
  ];
  const listed = probes.map(([ask, expect]) => ({ layer: 'addresses', ask, expect }));
  writeFileSync(join(directory, 'probes.json'), JSON.stringify(listed));
  const warnings: string[] = [];
  const file = temporaryFile(t, 'town.osm.pbf', street(100));
  await build(directory, file, { acceptLoss: true, warn: (fault) => warnings.push(fault) });
  const ofProbes = warnings.filter((fault) => fault.startsWith('layer addresses: '));
  assert.equal(ofProbes.length, 3, warnings.join('\n'));
  assert.match(ofProbes[0], /has results\.99\.country missing, expected "DE"/);
  assert.match(ofProbes[1], /failed: .*needs the layer "postal"/);
  assert.match(ofProbes[2], /there is no endpoint "nothing"/);
});

test('the built-in probes use layers whose answers never change', () => {
  const root = join(import.meta.dirname, '../..');
  const probes: { layer: string }[] = JSON.parse(readFileSync(join(root, 'sources/probes.json'), 'utf8'));
  assert.ok(probes.length > 10);
  for (const { layer } of probes) assert.ok(['world', 'zones', 'boundaries', 'postal', 'ip'].includes(layer), layer);
  assert.ok(readFileSync(join(root, 'docs/updating.md'), 'utf8').includes('sources/probes.json'));
});
