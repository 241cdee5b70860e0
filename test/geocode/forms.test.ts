/** Tables in every format that spreadsheets and databases write, in and out, answered by threads. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { readSheet } from 'read-excel-file/node';
import writeXlsxFile from 'write-excel-file/node';
import { openDataset } from '../../src/api/open.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import { UsageError } from '../../src/errors.ts';
import { type GeocodeJob, geocode } from '../../src/geocode/geocode.ts';
import type { Store } from '../../src/store/store.ts';
import type { Endpoint } from '../support/ask.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { workbook } from '../support/workbook.ts';

let dataset: string;
let store: Store;
before(async (t) => {
  dataset = join(temporaryDirectory(t as never), 'small');
  mkdirSync(dataset);
  await buildSmallDataset(dataset);
  store = openDataset(dataset);
});
after(() => store.close());

const jobOf = (more: Partial<GeocodeJob>): GeocodeJob => ({
  store,
  endpoint: endpoints.search,
  input: Readable.from([]),
  output: new PassThrough(),
  map: new Map(),
  fixed: {},
  prefix: 'result_',
  limitPerRow: 1,
  isResumed: false,
  onBug(_row, error) {
    throw error;
  },
  ...more,
});

/** The output records for an input in memory. */
async function run(input: Buffer, more: Partial<GeocodeJob> = {}): Promise<Record<string, string>[]> {
  const output = new PassThrough();
  const written = text(output);
  // In small pieces, so that letters and rows are cut.
  const pieces = Array.from({ length: Math.ceil(input.length / 7) }, (_, at) => input.subarray(7 * at, 7 * at + 7));
  await geocode(jobOf({ input: Readable.from(pieces, { objectMode: false }), output, ...more }));
  output.end();
  return parse(await written, { columns: true });
}

const rows = [
  ['q', 'note'],
  ['münchen', 'Größe'],
  ['berlin', 'a;b,c'],
];
const csv = (delimiter: string) => rows.map((row) => row.map((cell) => `"${cell}"`).join(delimiter)).join('\r\n');
const utf16be = (content: string) => Buffer.from(`\ufeff${content}`, 'utf16le').swap16();

test('encoding and delimiter are detected from the text', async (t) => {
  const forms: Record<string, Buffer> = {
    'UTF-8': Buffer.from(csv(',')),
    'UTF-8 with a mark, semicolons': Buffer.from(`\ufeff${csv(';')}`),
    'Windows-1252, semicolons': Buffer.from(csv(';'), 'latin1'),
    'UTF-16LE with a mark, tabs': Buffer.from(`\ufeff${csv('\t')}`, 'utf16le'),
    'UTF-16LE without a mark': Buffer.from(csv('|'), 'utf16le'),
    'UTF-16BE': utf16be(csv(',')),
    'gzip of Windows-1252': gzipSync(Buffer.from(csv(';'), 'latin1')),
  };
  const directory = temporaryDirectory(t);
  for (const [form, bytes] of Object.entries(forms)) {
    const input = join(directory, 'in');
    writeFileSync(input, bytes);
    const found = await run(Buffer.from(''), { input });
    assert.deepEqual(
      found.map(({ q, note, result_name }) => [q, note, result_name]),
      [
        ['münchen', 'Größe', 'Munich'],
        ['berlin', 'a;b,c', 'Berlin'],
      ],
      form,
    );
  }
});

test('a stream in pieces is read like a file; a change of encoding is refused with the remedy', async () => {
  assert.equal((await run(Buffer.from(csv(';')))).length, 2);
  const mixed = Buffer.concat([Buffer.from('q\nberlin\n'.repeat(10)), Buffer.from('münchen\n', 'latin1')]);
  await assert.rejects(run(mixed), (error: Error) => error instanceof UsageError && /--encoding/.test(error.message));
  assert.equal((await run(mixed, { encoding: 'windows-1252' })).at(-1)?.result_name, 'Munich');
});

test('a text in another alphabet is refused with the remedy, never read as Windows-1252', async () => {
  const japanese = Buffer.from('q,n\n\x93\x8c\x8b\x9e\x93\x73,1\n\x91\xe5\x8d\xe3,2\n', 'latin1');
  const russian = Buffer.from('q\n\xcc\xee\xf1\xea\xe2\xe0\n', 'latin1');
  for (const input of [japanese, russian]) {
    await assert.rejects(run(input), /the encoding of the input is not known: .*; set --encoding, one of .*shift_jis/);
  }
  const [row] = await run(japanese, { encoding: 'shift_jis' });
  assert.deepEqual([row.q, row.n], ['東京都', '1']);
});

test('a column that is used and stands twice in the header is refused', async () => {
  await assert.rejects(run(Buffer.from('q,note,Q\nberlin,x,paris\n')), /the header has the column "Q" twice; rename/);
  assert.equal((await run(Buffer.from('q,note,note\nberlin,x,y\n')))[0].result_name, 'Berlin');
});

test('times, days and numbers of Excel and Parquet are written as such', async () => {
  const sheet = await writeXlsxFile([
    ['q', 'time', 'sum'],
    ['berlin', { value: 0.3541666667, type: Number, format: 'hh:mm:ss' }, 0.1 + 0.2],
  ]).toBuffer();
  const [row] = await run(sheet);
  assert.deepEqual([row.time, row.sum], ['08:30:00', '0.3']);
  const table = parquetWriteBuffer({
    schema: [
      { name: 'root', num_children: 4 },
      { name: 'q', type: 'BYTE_ARRAY', converted_type: 'UTF8' },
      { name: 'day', type: 'INT32', converted_type: 'DATE' },
      { name: 'time', type: 'INT32', converted_type: 'TIME_MILLIS' },
      { name: 'exact', type: 'INT64', converted_type: 'TIME_MICROS' },
    ],
    columnData: [
      { name: 'q', data: ['berlin'] },
      { name: 'day', data: [19_783] },
      { name: 'time', data: [30_600_000] },
      { name: 'exact', data: [30_600_250_000n] },
    ],
  });
  const [found] = await run(Buffer.from(table));
  assert.deepEqual([found.day, found.time, found.exact], ['2024-03-01', '08:30:00', '08:30:00.250']);
});

test('a workbook whose cells have no positions is refused with the remedy', async () => {
  const sheet = '<?xml version="1.0"?><worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>';
  await assert.rejects(
    run(workbook(sheet)),
    /has cells without a position; open and save it in a spreadsheet program, or/,
  );
});

test('Excel and Parquet are read', async () => {
  const date = new Date('2024-03-01T00:00:00Z');
  const sheet = await writeXlsxFile([
    ['q', 'count', 'day'],
    ['berlin', 12.5, { value: date, type: Date, format: 'yyyy-mm-dd' }],
  ]).toBuffer();
  const [row] = await run(sheet);
  assert.deepEqual([row.q, row.count, row.day, row.result_name], ['berlin', '12.5', '2024-03-01', 'Berlin']);
  const table = parquetWriteBuffer({
    columnData: [
      { name: 'q', data: ['berlin', 'paris'], type: 'STRING' },
      { name: 'n', data: [1n, 2n], type: 'INT64' },
    ],
  });
  const found = await run(Buffer.from(table));
  assert.deepEqual(
    found.map(({ q, n, result_name }) => [q, n, result_name]),
    [
      ['berlin', '1', 'Berlin'],
      ['paris', '2', 'Paris'],
    ],
  );
});

test('broken Excel, Parquet and gzip files are refused in one line', async () => {
  const sheet = await writeXlsxFile([['q'], ['berlin']]).toBuffer();
  const broken: [Buffer, RegExp][] = [
    [sheet.subarray(0, 200), /not an Excel workbook/],
    [Buffer.from('PAR1 and no more'), /damaged or truncated Parquet/],
    [Buffer.from(`PAR1${'\0'.repeat(8)}\u0008\0\0\0PAR1`), /truncated Parquet file: its structure is damaged/],
    [gzipSync('q\nberlin\n').subarray(0, 15), /truncated gzip/],
  ];
  for (const [bytes, message] of broken) {
    await assert.rejects(
      run(bytes),
      (error: Error) => error instanceof UsageError && message.test(error.message) && !error.message.includes('\n'),
    );
  }
});

test('the name of the output determines its format', async (t) => {
  const directory = temporaryDirectory(t);
  const write = async (name: string) => {
    const output = join(directory, name);
    const input = Readable.from([Buffer.from('q,note,Latitude,lon\nberlin,=1+1,,\nzzzzzz,x,1,2\n')]);
    await geocode(jobOf({ input, output }));
    return output;
  };
  const plain = readFileSync(await write('a.csv'), 'utf8');
  assert.equal(gunzipSync(readFileSync(await write('a.csv.gz'))).toString(), plain);

  const { features } = JSON.parse(readFileSync(await write('a.geojson'), 'utf8'));
  assert.deepEqual(
    features.map((feature: { geometry: unknown; properties: { note: string } }) => [
      feature.geometry,
      feature.properties.note,
    ]),
    [
      [{ type: 'Point', coordinates: [13.41, 52.52] }, '=1+1'],
      [{ type: 'Point', coordinates: [2, 1] }, 'x'],
    ],
  );

  const [header, first, second] = await readSheet(await write('a.xlsx'));
  const at = (name: string) => header.indexOf(name);
  assert.deepEqual([first[at('note')], first[at('result_name')], first[at('result_row')]], ['=1+1', 'Berlin', 1]);
  assert.equal(typeof first[at('result_lat')], 'number');
  assert.equal(second[at('result_error')], 'no_result');

  const bytes = readFileSync(await write('a.parquet'));
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const [one, two] = await parquetReadObjects({ file });
  assert.deepEqual([one.result_name, one.result_row, two.result_error], ['Berlin', 1, 'no_result']);
  assert.equal(typeof one.result_lat, 'number');
});

test('threads produce the same bytes as one process', async (t) => {
  const directory = temporaryDirectory(t);
  const input = join(directory, 'in.csv');
  const towns = ['berlin', 'paris', 'zzzzzz', 'münchen', 'lat,lng', ''];
  writeFileSync(
    input,
    `q,n\n${Array.from({ length: 1500 }, (_, n) => `"${towns[n % towns.length]}",${n}\n`).join('')}`,
  );
  const [alone, together] = ['alone.csv', 'together.csv'].map((name) => join(directory, name));
  const one = await geocode(jobOf({ input, output: alone }));
  const workers = { count: 3, directory: dataset };
  assert.deepEqual(await geocode(jobOf({ input, output: together, workers })), one);
  assert.equal(readFileSync(together, 'utf8'), readFileSync(alone, 'utf8'));
});

test('the summary counts the kinds of match', async () => {
  const output = new PassThrough().resume();
  const input = Readable.from([Buffer.from('q\n"Hauptstraße 3, Berlin"\n"Hauptstraße 5, Berlin"\nxyz 1\n')]);
  const summary = await geocode(jobOf({ input, output, endpoint: endpoints.address as Endpoint }));
  assert.deepEqual(summary.matchTypes, { exact: 1, interpolated: 1 });
  assert.equal(summary.withoutResult, 1);
});

test('a run is not resumed with another input, other options or another dataset', async (t) => {
  const directory = temporaryDirectory(t);
  const [input, output] = ['in.csv', 'out.csv'].map((name) => join(directory, name));
  const many = `q\n${'berlin\n'.repeat(20_000)}`;
  writeFileSync(input, `${many}"paris\n`);
  await assert.rejects(geocode(jobOf({ input, output })), /not CSV.*fix it and continue with --resume/);
  const before = readFileSync(output);
  const note = `${output}.run.json`;
  const refused = (more: Partial<GeocodeJob>, message: RegExp) =>
    assert.rejects(geocode(jobOf({ input, output, isResumed: true, ...more })), (error: Error) => {
      return error instanceof UsageError && message.test(error.message);
    });
  await refused({ fixed: { fuzzy: 'false' }, delimiter: ';' }, /started with a different set, delimiter;/);
  const progress = JSON.parse(readFileSync(note, 'utf8'));
  writeFileSync(note, JSON.stringify({ ...progress, dataset: 'other-1', input: 'abc' }));
  await refused({}, /a different dataset \(other-1, now small-1\), input;/);
  assert.deepEqual(readFileSync(output), before);

  // A corrected text is resumed, and leaves no note behind.
  writeFileSync(note, JSON.stringify(progress));
  writeFileSync(input, `${many}paris\n`);
  const { found, resumedAt } = await geocode(jobOf({ input, output, isResumed: true }));
  assert.equal(found + resumedAt - 1, 20_001);
  assert.equal(existsSync(note), false);
});

test('a workbook of many rows is read whole, wherever its unpacked bytes come apart', async () => {
  const row = (at: number) =>
    `<row r="${at}"><c r="A${at}" t="inlineStr"><is><t>${at === 1 ? 'code' : 'DE'}</t></is></c></row>`;
  const rows = Array.from({ length: 20_000 }, (_, at) => row(at + 1)).join('');
  const sheet = `<?xml version="1.0"?><worksheet><sheetData>${rows}</sheetData></worksheet>`;
  const endpoint = endpoints.country as Endpoint;
  const summary = await geocode(
    jobOf({ input: Readable.from([workbook(sheet)]), output: new PassThrough().resume(), endpoint }),
  );
  assert.equal(summary.found, 19_999);
});

test('a workbook with a far-away row or column is refused before memory is allocated for those before it', async () => {
  const cell = (row: string, name: string) => `<row r="${row}"><c r="${name}"><v>1</v></c></row>`;
  for (const rows of [cell('2147483647', 'A2147483647'), cell('1048576', 'XFD1048576'), cell('1', 'A99999999')]) {
    const sheet =
      '<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
      `<sheetData>${rows}</sheetData></worksheet>`;
    // A workbook may keep its sheets in any folder.
    for (const folder of ['worksheets', 'Worksheets', 'other']) {
      await assert.rejects(run(workbook(sheet, folder)), /the workbook is too large; save the sheet as CSV/);
    }
  }
});

/** A zip whose directory leaves out an entry that lies in it. */
function hiding(zip: Buffer, name: string): Buffer {
  const end = zip.lastIndexOf('PK\x05\x06');
  const at = zip.lastIndexOf(name) - 46;
  const size = 46 + name.length;
  const cut = Buffer.concat([zip.subarray(0, at), zip.subarray(at + size)]);
  for (const field of [8, 10]) cut.writeUInt16LE(zip.readUInt16LE(end + field) - 1, end - size + field);
  cut.writeUInt32LE(zip.readUInt32LE(end + 12) - size, end - size + 12);
  return cut;
}

test('what the directory of a workbook leaves out, or states too small, is not unpacked', async () => {
  const sheet = `<?xml version="1.0"?><worksheet><sheetData><row r="200000000"><c r="A200000000"><v>1</v></c></row></sheetData></worksheet>`;
  const name = 'xl/worksheets/sheet1.xml';
  await assert.rejects(run(hiding(workbook(sheet), name)), /not an Excel workbook, or a damaged one/);
  const lying = workbook(`<?xml version="1.0"?><worksheet><sheetData/></worksheet>`);
  lying.writeUInt32LE(5, lying.lastIndexOf('xl/sharedStrings.xml') - 46 + 24);
  await assert.rejects(run(lying), /not an Excel workbook, or a damaged one: too many bytes/);
});

test('a workbook with cells without a position, or with an ambiguous one, is refused', async () => {
  const names = ['r="ÿÿÿÿÿC2"', 'r="&#90;ZZZ1"', 'r="A1B2"', 'x=">" r="ÿÿÿÿÿÿC2"', "s='1'r='ZZZZZZ1'", 'r="ZZZZ1"'];
  for (const name of names) {
    const sheet = `<?xml version="1.0"?><worksheet><sheetData><row r="1"><c ${name}><v>1</v></c></row></sheetData></worksheet>`;
    await assert.rejects(run(workbook(sheet)), /a broken Excel workbook: ".*" is no cell or row/, name);
  }
});
