/**
 * Files that are broken on purpose or made to exhaust a reader: none may take more than its share of memory or time,
 * and each must end in one line. Those that unpack to much are made as streams of one repeated piece.
 */
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { PbfWriter } from 'pbf';
import { pbfBlob, pbfFile } from './osm-writer.ts';
import { zipFile } from './zip-writer.ts';

const mb = 1 << 20;
const csvHeader = 'LON,LAT,NUMBER,STREET\n';
const map = { nodes: [{ id: 1, lat: 1, lng: 1, tags: { name: 'x', place: 'city' } }] };
const goodPbf = pbfFile(map);
const banHeader = 'id;id_fantoir;numero;rep;nom_voie;code_postal;code_insee;nom_commune;x;y;lon;lat\n';

/** Gzip members one after the other unpack to their texts one after the other, so a bomb is quickly made. */
const gzipOf = (head: string, piece: string, times: number) =>
  Buffer.concat([gzipSync(head), ...new Array<Buffer>(times).fill(gzipSync(piece, { level: 9 }))]);

/** A PBF blob whose header announces that many bytes. */
function blobHeader(type: string, dataSize: number): Buffer {
  const header = new PbfWriter();
  header.writeStringField(1, type);
  header.writeVarintField(3, dataSize);
  const bytes = Buffer.from(header.finish());
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** A data blob with a zlib stream, which may say another size than it has. */
function zlibBlob(rawSize: number, packed: Buffer): Buffer {
  const blob = new PbfWriter();
  blob.writeVarintField(2, rawSize);
  blob.writeBytesField(3, packed);
  const bytes = Buffer.from(blob.finish());
  return Buffer.concat([blobHeader('OSMData', bytes.length), bytes]);
}

/** A block whose one dense group has a node id field of a length that reaches past the end. */
function blockWithBrokenLength(): Buffer {
  const block = new PbfWriter();
  block.writeBytesField(2, Buffer.from([0x12, 0xff, 0xff, 0xff, 0xff, 0x0f]));
  return Buffer.from(block.finish());
}

/** A block as large as the format allows, full of entries of a byte or two. */
function fullBlock(what: 'nodes' | 'texts' | 'refs'): Buffer {
  const block = new PbfWriter();
  if (what === 'texts') block.writeBytesField(1, Buffer.alloc(30 * mb, Buffer.from([0x0a, 0])));
  const numbers = Buffer.alloc(10 * mb, 2);
  if (what !== 'refs') {
    const dense = new PbfWriter();
    for (const field of [1, 8, 9]) dense.writeBytesField(field, numbers);
    block.writeMessage(2, (nodes: Uint8Array, group) => group.writeBytesField(2, nodes), dense.finish());
  }
  if (what === 'refs') {
    const way = new PbfWriter();
    way.writeVarintField(1, 1);
    way.writeBytesField(8, numbers);
    block.writeMessage(2, (bytes: Uint8Array, group) => group.writeBytesField(3, bytes), way.finish());
  }
  return Buffer.from(block.finish());
}

/** A local header and directory entry that lie about the size: APPNOTE 6.3, as zip-writer.ts writes them. */
function lyingZip(): Buffer {
  const bytes = zipFile({ 'a.csv': csvHeader + '1,1,1,x\n'.repeat(1000) });
  const directory = bytes.indexOf(Buffer.from('PK\x01\x02'));
  bytes.writeUInt32LE(10, directory + 24);
  return bytes;
}

const deepJson = (depth: number) => `${'{"properties":'.repeat(depth)}1${'}'.repeat(depth)}`;
const osmXml = (content: string) => `<?xml version="1.0"?>\n<osm version="0.6">${content}`;
const repeated = (piece: string, bytes: number) => piece.repeat(Math.ceil(bytes / piece.length));

/** Name of each file, which determines its kind, and how its bytes are made. */
export const hostileFiles: Readonly<Record<string, () => Buffer | string>> = {
  // Text tables.
  'endless-field.csv.gz': () => gzipOf(`${csvHeader}1,1,1,"`, repeated('a', mb), 400),
  'endless-row.csv.gz': () => gzipOf(`${csvHeader}1,1,1`, repeated(',x', mb), 400),
  'endless-header.csv.gz': () => gzipOf('LON,LAT', repeated('x', mb), 400),
  'zeros.csv.gz': () => gzipOf('', '\0'.repeat(mb), 400),
  'endless-line.geojson.gz': () => gzipOf('{"properties":{"street":"', repeated('a', mb), 400),
  'deep.geojson': () => deepJson(1_000_000),
  'collection.geojson': () => '{"type":"FeatureCollection","features":[]}\n',
  'pbf-called.csv': () => goodPbf,
  'html-called.csv': () => '<!DOCTYPE html>\n<html><body>Not found</body></html>\n',
  'empty.csv': () => '',
  'unclosed.csv': () => `${csvHeader}1,1,1,"x\n`,
  'stray-quote.csv': () => `${csvHeader}1,1,1"x",x\n`,
  'wrong-columns.csv': () => 'a,b,c\n1,2,3\n',
  'cut.csv.gz': () => gzipSync(csvHeader + '1,1,1,x\n'.repeat(50_000)).subarray(0, 60),
  'endless-field.bag.csv': () =>
    `openbareruimte;huisnummer;huisletter;toevoeging;postcode;woonplaats;lat;lon\n"${repeated('a', 3 * mb)}`,
  'adresses-99.csv': () => `${banHeader}"${repeated('a', 3 * mb)}`,
  // Archives.
  'slip.zip': () => zipFile({ '../../slip.csv': `${csvHeader}1,1,1,x\n` }),
  'absolute.zip': () => zipFile({ '/etc/x.csv': `${csvHeader}1,1,1,x\n` }),
  'nothing.zip': () => zipFile({ 'readme.md': 'nothing' }),
  'cut.zip': () => zipFile({ 'x.csv': csvHeader }).subarray(0, 30),
  'bomb.zip': () => zipFile({ 'us/ca/x.csv': Buffer.alloc(200 * mb, 'a') }),
  'lying.zip': lyingZip,
  // OpenStreetMap, PBF.
  'html-called.osm.pbf': () => '<!DOCTYPE html>\n<html><body>Too many requests</body></html>\n',
  'empty.osm.pbf': () => '',
  'cut.osm.pbf': () => goodPbf.subarray(0, goodPbf.length - 5),
  'gzip-called.osm.pbf': () => gzipSync(goodPbf),
  'huge-header.osm.pbf': () => Buffer.from([0x7f, 0xff, 0xff, 0xff, 0x0a, 0x09]),
  'huge-blob.osm.pbf': () => Buffer.concat([goodPbf, blobHeader('OSMData', 0x7fff_ffff)]),
  'negative-blob.osm.pbf': () => Buffer.concat([goodPbf, blobHeader('OSMData', -1)]),
  'bomb.osm.pbf': () => Buffer.concat([goodPbf, zlibBlob(1000, deflateSync(Buffer.alloc(300 * mb)))]),
  'honest-bomb.osm.pbf': () => Buffer.concat([goodPbf, zlibBlob(300 * mb, deflateSync(Buffer.alloc(300 * mb)))]),
  'zeros-blob.osm.pbf': () => Buffer.concat([goodPbf, zlibBlob(32 * mb, deflateSync(Buffer.alloc(32 * mb)))]),
  'broken-length.osm.pbf': () => Buffer.concat([goodPbf, pbfBlob('OSMData', blockWithBrokenLength())]),
  'many-nodes.osm.pbf': () => Buffer.concat([goodPbf, pbfBlob('OSMData', fullBlock('nodes'))]),
  'many-texts.osm.pbf': () => Buffer.concat([goodPbf, pbfBlob('OSMData', fullBlock('texts'))]),
  'many-refs.osm.pbf': () => Buffer.concat([goodPbf, pbfBlob('OSMData', fullBlock('refs'))]),
  'no-header.osm.pbf': () => goodPbf.subarray(goodPbf.indexOf('OSMData') - 6),
  'line-ends-in-a-feature.osm.pbf': () => pbfFile(map, { features: ['Two\nlines'] }),
  'history.osm.pbf': () => pbfFile(map, { features: ['HistoricalInformation'] }),
  // OpenStreetMap, XML.
  'entities.osm': () =>
    `<?xml version="1.0"?><!DOCTYPE osm [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>\n<osm version="0.6"><node id="1" lat="1" lon="1"><tag k="name" v="&b;"/></node></osm>`,
  'endless-attribute.osm.gz': () => gzipOf('<osm version="0.6"><node id="', repeated('a', mb), 400),
  'endless-text.osm.gz': () => gzipOf('<osm version="0.6">', repeated('a ', mb), 400),
  'endless-doctype.osm.gz': () => gzipOf('<!DOCTYPE osm [', repeated('<!ENTITY a "b">', mb), 400),
  'endless-object.osm.gz': () => gzipOf(osmXml('<way id="1">'), repeated('<nd ref="1"/>', mb), 400),
  'endless-tags.osm.gz': () => gzipOf(osmXml('<node id="1" lat="1" lon="1">'), repeated('<tag k="a" v="b"/>', mb), 400),
  'deep.osm.gz': () => gzipOf('<osm version="0.6">', repeated('<node id="1" lat="1" lon="1">', mb), 100),
  'other-root.osm': () => '<html><body/></html>',
  'cut.osm': () => osmXml('<node id="1" lat="1" lon="1"><tag k="name"'),
  'change.osm': () => '<osmChange version="0.6"><create/></osmChange>',
  'ways-first.osm': () => osmXml('<way id="1"><nd ref="1"/></way><node id="1" lat="1" lon="1"/></osm>'),
  'not-numbers.osm': () => osmXml('<node id="one" lat="north" lon="1"/></osm>'),
  'bomb.osm.zst': () => zstdCompressSync(Buffer.alloc(300 * mb, ' ')),
  'cut.osm.bz2': () => Buffer.from('425a6839314159265359', 'hex'),
  // Parquet and MMDB.
  'html-called.parquet': () => '<!DOCTYPE html>\n<html></html>\n',
  'cut.parquet': () => 'PAR1PAR1',
  'huge-footer.parquet': () =>
    Buffer.concat([Buffer.from('PAR1'), Buffer.from([0xff, 0xff, 0xff, 0x7f]), Buffer.from('PAR1')]),
  'zero-footer.parquet': () =>
    Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(16), Buffer.from([16, 0, 0, 0]), Buffer.from('PAR1')]),
  'html-called.mmdb': () => '<!DOCTYPE html>\n<html></html>\n',
  'marker-only.mmdb': () => Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'),
  'deep-line.geojson': () => '['.repeat(3_000_000),
  // GeoNames and geoBoundaries.
  'endless-line-postal.txt.gz': () => gzipOf('DE\t', repeated('a', mb), 400),
  'geoBoundaries-x.geojson': () =>
    '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"shapeType":"ADM1","shapeName":"x"},"geometry":{"type":"Polygon","coordinates":[[[1,2],[3',
  'geoBoundaries-bomb.geojson.gz': () => gzipOf('{"type":"Feature","properties":{', repeated(' ', mb), 1500),
};
