import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { readStreets } from '../../../src/sources/source-kinds.ts';
import { pbfFile, type TestMap, type TestNode, xmlFile } from '../../support/osm-writer.ts';
import { collect } from '../../support/street-batches.ts';
import { temporaryFile } from '../../support/temporary.ts';

/** Enough objects for several blocks, with ways across them. */
function manyHouses(count: number): TestMap {
  const nodes: TestNode[] = [];
  for (let id = 1; id <= count; id++) {
    const tags =
      id % 7 === 0 ? { 'addr:street': `Allee "${id % 5}" & <Co>`, 'addr:housenumber': String(id) } : undefined;
    nodes.push({ id, lat: 47 + id * 1e-6, lng: 9 + id * 1e-6, tags });
  }
  const ways = [1, 2, 3].map((id) => ({
    id,
    nodes: [id, Math.floor(count / 2), count],
    tags: { highway: 'residential', name: `Weg ${id}` },
  }));
  return { nodes, ways };
}

const map = manyHouses(30_000);
const small = manyHouses(50);

test('XML yields the same records as PBF, over many blocks', async (t) => {
  const fromPbf = await collect((options) =>
    readStreets('osm-pbf', temporaryFile(t, 'x.osm.pbf', pbfFile(map)), options),
  );
  const fromXml = await collect((options) => readStreets('osm-xml', temporaryFile(t, 'x.osm', xmlFile(map)), options));
  assert.equal(fromXml.addresses.length, Math.floor(30_000 / 7));
  assert.deepEqual(fromXml, fromPbf);
});

test('packed XML is recognised by its content, not its name', async (t) => {
  const plain = await collect((options) => readStreets('osm-xml', temporaryFile(t, 'x.osm', xmlFile(small)), options));
  for (const packed of [gzipSync(xmlFile(small)), zstdCompressSync(xmlFile(small))]) {
    assert.deepEqual(
      await collect((options) => readStreets('osm-xml', temporaryFile(t, 'download', packed), options)),
      plain,
    );
  }
});

// `bzip2 -9` of one node named bzip.
const bzip2 = Buffer.from(
  'QlpoOTFBWSZTWSB5UWAAABGZgFAB56c2r90QIABIaTSGTI9T0QyZAGpMTJp6AgyNNPSU2lR8MbKBrgYTZIKGEhKciHXPh+2pN/DHOu2/Yi3Qr3/' +
    'NKEhTQ7mUA+C1qkewcwgeRdyRThQkCB5UWAA=',
  'base64',
);

test('bzip2 is read, and noticed when it is cut short', async (t) => {
  const none = await collect((options) => readStreets('osm-xml', temporaryFile(t, 'x.osm.bz2', bzip2), options));
  assert.deepEqual([none.addresses, none.pois, none.dropped], [[], [], {}]);
  const cut = temporaryFile(t, 'x.osm.bz2', bzip2.subarray(0, bzip2.length - 20));
  await assert.rejects(
    collect((options) => readStreets('osm-xml', cut, options)),
    { name: 'SourceError', message: /damaged or truncated/ },
  );
});

test('positions that are none, such as metres, and texts that are not in UTF-8 are not read as something else', async (t) => {
  const [first] = small.nodes!.filter(({ tags }) => tags);
  const away = (lng: number) => ({ nodes: [{ ...first, lng }] });
  for (const lng of [250, 535_000.5, -4e12]) {
    const { addresses, dropped } = await collect((options) =>
      readStreets('osm-xml', temporaryFile(t, 'x.osm', xmlFile(away(lng))), options),
    );
    assert.deepEqual([addresses, dropped['object outside the world']], [[], 1], String(lng));
  }
  const latin = Buffer.from(xmlFile(small).replaceAll('Allee', 'Straße'), 'latin1');
  await assert.rejects(
    collect((options) => readStreets('osm-xml', temporaryFile(t, 'latin.osm', latin), options)),
    { name: 'SourceError', message: /latin\.osm is not in UTF-8 after byte 0 unpacked; convert it/ },
  );
});

test('objects that an editor has deleted are left out', async (t) => {
  const xml = xmlFile(small)
    .replace('<node id="7"', '<node visible="false" id="7"')
    .replace('<node id="14"', '<node action="delete" id="14"');
  const { addresses } = await collect((options) => readStreets('osm-xml', temporaryFile(t, 'x.osm', xml), options));
  assert.deepEqual(
    addresses.map(({ sourceId }) => sourceId),
    ['n21', 'n28', 'n35', 'n42', 'n49'],
  );
});

test('nodes of an editor come in any order', async (t) => {
  const shuffled = { ...small, nodes: [...small.nodes!].reverse() };
  const sorted = await collect((options) => readStreets('osm-xml', temporaryFile(t, 'x.osm', xmlFile(small)), options));
  const { streets } = await collect((options) =>
    readStreets('osm-xml', temporaryFile(t, 'x.osm', xmlFile(shuffled)), options),
  );
  assert.deepEqual(streets, sorted.streets);
});

test('a file cut short is refused, packed or not', async (t) => {
  const xml = Buffer.from(xmlFile(small));
  const gzip = gzipSync(xml);
  const files = [10, 100, 1000, xml.length - 20, xml.length - 2].map((length) => xml.subarray(0, length));
  files.push(...[5, 20, 200, gzip.length - 1].map((length) => gzip.subarray(0, length)));
  for (const bytes of files) {
    const path = temporaryFile(t, 'x.osm', bytes);
    await assert.rejects(
      collect((options) => readStreets('osm-xml', path, options)),
      (error: Error) =>
        error.name === 'SourceError' && error.message.includes(path) && error.message.includes('download it again'),
      `${bytes.length} bytes`,
    );
  }
});

const refusals: [string, string, RegExp][] = [
  ['an empty file', '', /is empty.*download it again/],
  ['a web page', '<html><body>503</body></html>', /root element is <html>, expected <osm>/],
  ['a change file', '<osmChange version="0.6"></osmChange>', /change file.*applied to its extract/],
  ['text', 'id;name\n1;x\n', /not a valid OSM XML file/],
  ['a node without a position', '<osm><node id="1" lat="" lon="9"/></osm>', /lat of node 1 is '', expected a number/],
  ['ways before nodes', '<osm><way id="1"><nd ref="1"/></way><node id="1" lat="1" lon="1"/></osm>', /osmium sort/],
];
for (const [what, text, message] of refusals) {
  test(`${what} is refused with the remedy`, async (t) => {
    const path = temporaryFile(t, 'x.osm', text);
    await assert.rejects(
      collect((options) => readStreets('osm-xml', path, options)),
      { name: 'SourceError', message },
    );
  });
}

test('a missing file is reported as such', async () => {
  await assert.rejects(
    collect((options) => readStreets('osm-xml', '/no/such/file.osm', options)),
    /cannot be opened: ENOENT/,
  );
});
