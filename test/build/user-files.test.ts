import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findUserFiles } from '../../src/build/user-files.ts';
import { chooseBuilders, refuseUnread } from '../../src/commands/run-build.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** A typical folder: sources of several kinds, notes, and other files. */
function folder(t: TestContext) {
  const root = temporaryDirectory(t);
  mkdirSync(join(root, 'us/ca'), { recursive: true });
  for (const name of [
    ...['us/ca/alameda.csv', 'us/ca/orange.geojson', 'us/ca/orange.geojson.meta', 'li.osm.pbf', 'notes.docx'],
    ...['.hidden.csv', 'half.osm.pbf.part', 'half.osm.pbf.part.json'],
  ]) {
    writeFileSync(join(root, name), 'x');
  }
  return { root, at: (...names: string[]) => names.map((name) => join(root, name)) };
}

test('a folder stands for every file in it and below whose kind is recognised; the others are named', async (t) => {
  const { root, at } = folder(t);
  const passedOver: string[] = [];
  const files = await findUserFiles([root], (path) => passedOver.push(path));
  assert.deepEqual(files, {
    'osm-pbf': at('li.osm.pbf'),
    openaddresses: at('us/ca/alameda.csv', 'us/ca/orange.geojson'),
  });
  assert.deepEqual(passedOver, at('notes.docx'));
});

test('a pattern, a file and a folder together yield each file once', async (t) => {
  const { root, at } = folder(t);
  symlinkSync(join(root, 'li.osm.pbf'), join(root, 'same.osm.pbf'));
  const files = await findUserFiles([join(root, '*.osm.pbf'), join(root, 'us'), join(root, 'us/ca/alameda.csv')]);
  assert.deepEqual(files, {
    'osm-pbf': at('li.osm.pbf'),
    openaddresses: at('us/ca/alameda.csv', 'us/ca/orange.geojson'),
  });
});

test('an explicit kind takes precedence, for a file and for a folder', async (t) => {
  const { root, at } = folder(t);
  assert.deepEqual(await findUserFiles([`ban=${join(root, 'us/ca/alameda.csv')}`]), { ban: at('us/ca/alameda.csv') });
  const files = await findUserFiles([`openaddresses=${join(root, 'us')}`]);
  assert.deepEqual(files, { openaddresses: at('us/ca/alameda.csv', 'us/ca/orange.geojson') });
});

test('unreadable arguments are reported with what was found and what was expected', async (t) => {
  const { root } = folder(t);
  const empty = temporaryDirectory(t);
  const unknown = temporaryDirectory(t);
  writeFileSync(join(unknown, 'x.docx'), 'x');
  const emptyFile = join(root, 'empty.txt');
  writeFileSync(emptyFile, '');
  for (const [source, message] of [
    [join(root, 'away.csv'), /there is no file .*away\.csv; a source is a file, a folder, a pattern .* or an http/],
    [join(root, '*.gml'), /no file matches .*\*\.gml/],
    ['-', /cannot be read from standard input.*; write it to a file first/],
    ['s3://overturemaps-us-west-2/release', /cannot be fetched, only http and https addresses can/],
    ['csv=x.csv', /"csv" is not a kind of source; expected one of .*openaddresses/],
    [emptyFile, /empty\.txt is empty; download it again/],
    [empty, /has no files/],
    [unknown, /has no file of a recognised kind; pass the files as kind=file/],
    [join(unknown, 'x.docx'), /the kind of the source .*x\.docx cannot be detected; pass it as kind=/],
  ] as const) {
    await assert.rejects(findUserFiles([source]), { name: 'UsageError', message }, source);
  }
});

test('layers that are built together are selected by any of their names, several at once', () => {
  const chosen = (names?: string[]) => chooseBuilders(names).map(({ name }) => name);
  assert.deepEqual(chosen(['addresses']), ['streets']);
  assert.deepEqual(chosen(['pois', 'streets']), ['streets']);
  assert.deepEqual(chosen(['ip,world', 'pois']), ['world', 'ip', 'streets']);
  // The records of the world have the zones of their positions.
  assert.deepEqual(chosen(), ['zones', 'world', 'boundaries', 'postal', 'ip', 'streets']);
  assert.throws(() => chooseBuilders(['address']), {
    name: 'UsageError',
    message:
      'there is no layer "address"; expected one of world, zones, boundaries, postal, ip, addresses, streets, pois',
  });
});

test('a source that no requested layer uses is refused, not ignored', () => {
  refuseUnread({ files: { 'osm-pbf': ['li.osm.pbf'] } }, ['world', 'pois']);
  assert.throws(() => refuseUnread({ files: { 'osm-pbf': ['li.osm.pbf'] } }, ['world']), {
    name: 'UsageError',
    message:
      /li\.osm\.pbf belongs to the layer addresses, streets, pois, boundaries, which --layer does not name; add --layer addresses/,
  });
});

test('a link to a file in a folder is read, once; links to folders and to nothing are named', async (t) => {
  const { root, at } = folder(t);
  const elsewhere = temporaryDirectory(t);
  writeFileSync(join(elsewhere, 'monaco.osm.pbf'), 'x');
  symlinkSync(join(elsewhere, 'monaco.osm.pbf'), join(root, 'monaco.osm.pbf'));
  symlinkSync(join(root, 'li.osm.pbf'), join(root, 'us/same.osm.pbf'));
  symlinkSync(elsewhere, join(root, 'folder'));
  symlinkSync(join(elsewhere, 'gone.csv'), join(root, 'gone.csv'));
  const ignored: string[] = [];
  const files = await findUserFiles([root], (path, why) => ignored.push(`${path}: ${why}`));
  assert.deepEqual(files['osm-pbf'], at('li.osm.pbf', 'monaco.osm.pbf'));
  assert.deepEqual(ignored.sort(), [
    `${join(root, 'folder')}: it is a link to a folder; name that folder as a source`,
    `${join(root, 'gone.csv')}: it is no file`,
    `${join(root, 'notes.docx')}: its kind is not recognised`,
  ]);
});
