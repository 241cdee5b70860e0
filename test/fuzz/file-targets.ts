/** Readers of files and streams: downloads, user tables, packs, settings. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { loadConfig } from '../../src/config.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import { answerLines, geocode } from '../../src/geocode/geocode.ts';
import { directoryStore, readPointer, readPublished } from '../../src/publish/publish.ts';
import { geonamesPostal } from '../../src/sources/geonames.ts';
import { readShape } from '../../src/sources/parquet-rows.ts';
import { readGeobuf } from '../../src/sources/polygon-files.ts';
import { readAreas, readStreets, type StreetKind } from '../../src/sources/source-kinds.ts';
import { readManifest } from '../../src/store/manifest.ts';
import { readPack, writePack } from '../../src/store/packed/pack-file.ts';
import { fileReader } from '../ip/small-ip.ts';
import type { Endpoint } from '../support/ask.ts';
import { writeMmdb } from '../support/mmdb-writer.ts';
import { pbfFile, type TestMap, xmlFile } from '../support/osm-writer.ts';
import { divisionsFile, segmentsFile } from '../support/overture-writer.ts';
import { openSmallStore } from '../support/small-store.ts';
import { workbook } from '../support/workbook.ts';
import { zipFile } from '../support/zip-writer.ts';
import type { MakeTarget, Target } from './targets.ts';

const refusals = ['SourceError', 'UsageError', 'MmdbError', 'DatasetError', 'BrokenInput'];

/** A target that reads a file of a name. `seeds` may need a directory to be made in. */
const reading =
  (
    name: string,
    seeds: Target['seeds'] | ((directory: string) => Target['seeds']),
    words: readonly string[],
    run: (path: string, directory: string) => unknown,
  ): MakeTarget =>
  () => {
    const directory = mkdtempSync(join(tmpdir(), 'whereabouts-fuzz-'));
    const path = join(directory, name);
    return {
      seeds: typeof seeds === 'function' ? seeds(directory) : seeds,
      words,
      refusals,
      run(bytes) {
        writeFileSync(path, bytes);
        return run(path, directory);
      },
      close: async () => rmSync(directory, { recursive: true }),
    };
  };

async function drain(records: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of records);
}
const street = (kind: StreetKind) => (path: string) => drain(readStreets(kind, path, { memoryMb: 16 }));

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/** A user's table, as a stream, of which a column is a parameter of the endpoint. */
const table =
  (seeds: Target['seeds'], words: readonly string[], endpoint = endpoints.search as Endpoint): MakeTarget =>
  async () => {
    const { store, remove } = await openSmallStore();
    const job = { store, endpoint, map: new Map(), fixed: {}, prefix: 'result_' };
    return {
      seeds,
      words,
      refusals,
      run: (bytes) =>
        geocode({
          ...job,
          input: Readable.from([bytes]),
          output: nowhere(),
          limitPerRow: 1,
          isResumed: false,
          onBug(_row, error) {
            throw error;
          },
        }),
      close: async () => remove(),
    };
  };

/** A stream in a container whose checks a changed byte would not pass: the bytes are those inside. */
const inside =
  (pack: (bytes: Buffer) => Buffer, target: MakeTarget): MakeTarget =>
  async () => {
    const inner = await target();
    return { ...inner, run: (bytes) => inner.run(pack(bytes)) };
  };

const square = [11, 53, 10.9, 53, 10.9, 53.1, 11, 53.1, 11, 53];
const nodes: TestMap['nodes'] = [
  { id: 1, lat: 53, lng: 11, tags: { 'addr:housenumber': '5', 'addr:street': 'Gasse', 'addr:city': 'Ort' } },
  { id: 2, lat: 53, lng: 10.9, tags: { amenity: 'cafe', name: 'Krug' } },
  { id: 3, lat: 53.1, lng: 10.9 },
  { id: 4, lat: 53.1, lng: 11, tags: { place: 'city', name: 'Ort' } },
];
const map: TestMap = {
  nodes,
  ways: [
    { id: 1, nodes: [1, 2, 3, 4, 1], tags: { boundary: 'administrative', admin_level: '8', name: 'Ort' } },
    { id: 2, nodes: [1, 2, 3], tags: { highway: 'residential', name: 'Gasse' } },
    { id: 3, nodes: [1, 2], tags: { 'addr:interpolation': 'odd' } },
  ],
  relations: [
    {
      id: 1,
      members: [{ type: 'way', id: 1, role: 'outer' }],
      tags: { type: 'boundary', boundary: 'administrative', admin_level: '4', name: 'Land', 'ISO3166-2': 'DE-XX' },
    },
  ],
};
const osmWords = ['addr:place', 'addr:interpolation', 'associatedStreet', 'multipolygon', '1-9', '5a;6', 'admin_level'];
const xmlWords = [
  '<',
  '/>',
  '">',
  '&amp;',
  '&#0;',
  '&lt',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?x',
  '<tag k="',
  ' ref="',
];
const change = `<osmChange version="0.6"><create><node id="9" lat="1" lon="2" version="1"><tag k="name" v="x"/></node></create>
<modify><way id="1" version="2"><nd ref="1"/><nd ref="2"/></way></modify><delete><relation id="1" version="3"/></delete></osmChange>`;
const csv =
  'LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\n11,53,5,"Gasse ""x""",,Ort,,,12345,1,a\n';
const csvWords = [',', ';', '\t', '"', '""', '\r\n', '\n', '\r', '\ufeff', '-0', '1e99', 'NaN'];
const feature = `${JSON.stringify({
  type: 'Feature',
  properties: { number: '5', street: 'Gasse', city: 'Ort', postcode: '12345' },
  geometry: { type: 'Point', coordinates: [11, 53] },
})}\n`;
const area = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { shapeName: 'Land', shapeISO: 'DE-XX', shapeID: '1', shapeGroup: 'DEU', shapeType: 'ADM1' },
      geometry: {
        type: 'Polygon',
        coordinates: [[square.slice(0, 2), square.slice(2, 4), square.slice(4, 6), square.slice(0, 2)]],
      },
    },
  ],
});
const jsonWords = [
  'null',
  '[]',
  '{}',
  '1e999',
  '"__proto__"',
  '"type":',
  '"coordinates":[[',
  '"MultiPolygon"',
  '\\ud800',
];
const sheetXml =
  '<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>' +
  '<row r="1"><c r="A1" t="inlineStr"><is><t>q</t></is></c><c r="B1"><v>45000</v></c></row>' +
  '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" s="1"><v>45000.5</v></c><c r="C2" t="b"><v>1</v></c></row></sheetData></worksheet>';
const parquetOf = (name: string) => readFileSync(new URL(`../sources/overture/${name}.parquet`, import.meta.url));
const record = { country: { iso_code: 'DE', names: { en: 'Germany' } }, location: { latitude: 52.5, longitude: 13.4 } };

/** Reads MMDB files as a build does; made by the first of them. */
let reader: ReturnType<typeof fileReader> | undefined;

export const fileTargets: Readonly<Record<string, MakeTarget>> = {
  'OpenStreetMap PBF': reading(
    'x.osm.pbf',
    [pbfFile(map, { packing: 'raw' }), pbfFile(map)],
    osmWords,
    street('osm-pbf'),
  ),
  'areas of OpenStreetMap PBF': reading('x.osm.pbf', [pbfFile(map, { packing: 'raw' })], osmWords, (path) =>
    drain(readAreas('osm-pbf', path, { memoryMb: 16 })),
  ),
  'OpenStreetMap XML': reading('x.osm', [xmlFile(map)], [...xmlWords, ...osmWords], street('osm-xml')),
  'OpenStreetMap changes': reading(
    'x.osc',
    (directory) => {
      writeFileSync(join(directory, 'x.osm.pbf'), pbfFile(map));
      return [change];
    },
    [...xmlWords, '<modify>', '</delete>'],
    (path, directory) => drain(readStreets('osm-pbf', join(directory, 'x.osm.pbf'), { changes: [path], memoryMb: 16 })),
  ),
  'OpenAddresses CSV': reading('x.csv', [csv], csvWords, street('openaddresses')),
  GeoJSON: reading('x.geojson', [feature], jsonWords, street('openaddresses')),
  'geoBoundaries GeoJSON': reading('geoBoundaries-x.geojson', [area], jsonWords, (path) =>
    drain(readAreas('geoboundaries', path)),
  ),
  'BAN CSV': reading(
    'adresses-1.csv',
    [
      'id;id_fantoir;numero;rep;nom_voie;code_postal;code_insee;nom_commune;x;y;lon;lat;nom_ld\n75102_1;;5;bis;Rue;75002;75102;Paris 2e;0;0;2.3;48.8;\n',
    ],
    csvWords,
    street('ban'),
  ),
  'BAG CSV': reading(
    'bag.csv',
    [
      'openbareruimte;huisnummer;huisletter;huisnummertoevoeging;postcode;woonplaats;gemeente;provincie;lon;lat\nStraat;279;b;2;5141JT;Waalwijk;W;N;5.06;51.69\n',
    ],
    csvWords,
    street('bag'),
  ),
  // Parquet is read in a process of its own, whose coverage does not guide and whose start bounds the number of inputs.
  'Overture Parquet': reading('x.parquet', [parquetOf('addresses'), parquetOf('places')], [], street('overture')),
  'Overture roads': reading('x.parquet', [segmentsFile()], [], street('overture')),
  'Overture divisions': reading('x.parquet', [divisionsFile()], [], (path) => drain(readAreas('overture', path))),
  'GeoNames postal codes': reading(
    'XX.txt',
    ['DE\t10115\tBerlin\tBerlin\tBE\t\t00\tKreis\t11000\t52.5\t13.4\t6\n'],
    csvWords,
    (path) => drain(geonamesPostal(path, () => {})),
  ),
  MMDB: reading(
    'x.mmdb',
    (directory) => {
      const options = [{ ipVersion: 6 }, { ipVersion: 4, recordSize: 28 }, { ipVersion: 4, recordSize: 32 }] as const;
      return options.map((each) =>
        readFileSync(writeMmdb(join(directory, 'seed.mmdb'), { '1.0.0.0/8': record, '8.0.0.0/7': 'text' }, each)),
      );
    },
    ['\xab\xcd\xefMaxMind.com'],
    async (path, directory) => {
      const read = await (reader ??= fileReader(directory));
      const error = await read(path);
      if (error) throw error;
    },
  ),
  packs: reading(
    'x.pack',
    (directory) => {
      writePack(join(directory, 'seed.pack'), { a: [1] }, { ends: Uint32Array.of(1, 2), some: Float64Array.of(1, 2) });
      return [readFileSync(join(directory, 'seed.pack'))];
    },
    ['"offset":', '"length":', '-1', '"type":"u32"', '"columns":null'],
    (path) => {
      const pack = readPack(path);
      pack.ends('ends', 2);
      pack.column('some', 'f64');
    },
  ),
  zip: reading('x.zip', [zipFile({ 'us/x.csv': csv, 'b.csv': csv })], ['PK\x01\x02', 'PK\x05\x06', '../'], (path) =>
    drain(readStreets('openaddresses', path, {})),
  ),
  'gzip and others': reading(
    'x.csv.gz',
    [gzipSync(csv), zstdCompressSync(csv), Buffer.from('425a683931415926535901', 'hex')],
    ['\x1f\x8b\x08', 'BZh9'],
    street('openaddresses'),
  ),
  'tables in text': table(
    [csv.replace('LON', 'q'), 'q;city\n"a ""b""";c\n', Buffer.from(`\ufeff${csv}`, 'utf16le')],
    csvWords,
  ),
  'Excel workbooks': table([workbook(sheetXml)], ['PK\x01\x02', 'PK\x03\x04']),
  'Excel sheets': inside(workbook, async () => ({
    ...(await table([sheetXml], [...xmlWords, ' t="d"', ' t="e"', '<v>-1</v>', ' s="1"', 'A99999999', 'ZZZ1'])()),
    seeds: [sheetXml],
  })),
  'Parquet tables': table([parquetOf('addresses')], [], endpoints.address as Endpoint),
  'lines of JSON': async () => {
    const { store, remove } = await openSmallStore();
    return {
      seeds: ['{"q":"berlin"}\n{"q":"x","lang":"de"}\n', '{"q":["a"],"limit":null}\n'],
      words: [...jsonWords, '\n', '"limit":', '"format":"csv"', '"country":'],
      refusals,
      run: (bytes) =>
        answerLines({
          ...{ store, endpoint: endpoints.search, input: Readable.from([bytes]), fixed: {}, limit: 1 },
          output: nowhere(),
          onBug(_line, error) {
            throw error;
          },
        }),
      close: async () => remove(),
    };
  },
  settings: reading(
    'settings.json',
    ['{"port":8080,"plans":{"own":{"callsPerDay":5}},"trustedProxies":["10.0.0.0/8"],"metrics":"127.0.0.1:9464"}'],
    [...jsonWords, '"publicUrl":"', '"keys":"valkey://', '"signUp":"verified"', '"workers":"auto"', '"streets":'],
    (file) => loadConfig({ file, environment: {} }),
  ),
  manifests: reading(
    'manifest.json',
    ['{"schemaVersion":3,"version":"20260101T000000Z","layers":{"ip":{"files":[{"name":"a","bytes":1,"sha256":""}]}}}'],
    [...jsonWords, '"../x"', '"parts":'],
    async (path, directory) => {
      readManifest(directory);
      mkdirSync(join(directory, 'versions'), { recursive: true });
      writeFileSync(join(directory, 'versions/20260101T000000Z.json'), readFileSync(path));
      await readPublished(directoryStore(directory), '20260101T000000Z');
    },
  ),
  'pointers to datasets': reading(
    'current.json',
    [JSON.stringify({ version: '20260101T000000Z', sha256: 'a'.repeat(64), published: ['20260101T000000Z'] })],
    jsonWords,
    (_path, directory) => readPointer(directoryStore(directory)),
  ),
  'binary shapes': () => ({
    seeds: [
      Buffer.from('010200000002000000000000000000264000000000008 04a40'.replace(/ /g, '').padEnd(82, '0'), 'hex'),
      Buffer.from(`0103000000010000000400000${'0'.repeat(128)}`, 'hex'),
      Buffer.from('0a036162631a0106', 'hex'),
    ],
    words: [],
    // Cut short; both formats come in packages with hashes or in files whose reader says so.
    refusals: ['RangeError', 'Error', 'TypeError'],
    run(bytes) {
      readShape(bytes);
      readGeobuf(bytes);
    },
  }),
};
