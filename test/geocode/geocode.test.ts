import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { endpoints } from '../../src/endpoints/index.ts';
import { UsageError } from '../../src/errors.ts';
import { type GeocodeJob, geocode } from '../../src/geocode/geocode.ts';
import type { Endpoint } from '../support/ask.ts';
import { until } from '../support/served.ts';
import { openSmallStore } from '../support/small-store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

let small: Awaited<ReturnType<typeof openSmallStore>>;
before(async () => {
  small = await openSmallStore();
});
after(() => small.remove());

const failOnBug = (_row: number, error: unknown) => {
  throw error;
};

const jobOf = (more: Partial<GeocodeJob>): GeocodeJob => ({
  store: small.store,
  endpoint: endpoints.search,
  input: Readable.from([]),
  output: new PassThrough(),
  map: new Map(),
  fixed: {},
  prefix: 'result_',
  limitPerRow: 1,
  isResumed: false,
  onBug: failOnBug,
  ...more,
});

/** Geocodes a text and returns the rows of the output as objects. */
async function run(input: string, more: Partial<GeocodeJob> = {}) {
  const output = new PassThrough();
  const written = text(output);
  const summary = await geocode(jobOf({ input: Readable.from([Buffer.from(input)]), output, ...more }));
  output.end();
  return { summary, rows: parse(await written, { columns: true }) as Record<string, string>[], text: await written };
}

test('each row gets the columns of its best result; columns are found by name', async () => {
  const { rows, summary } = await run('id,Q,note\r\n7,"paris, texas","a ""quoted"", note"\r\n8,Berlin,=1+1\r\n');
  assert.deepEqual(summary, {
    endpoint: '/search',
    found: 2,
    withoutResult: 0,
    failed: 0,
    resumedAt: 1,
    exact: 2,
    partial: 0,
    layers: { place: 2 },
    matchTypes: {},
  });
  const [paris, berlin] = rows;
  assert.equal(paris.note, 'a "quoted", note');
  assert.equal(paris.result_id, '4717560');
  assert.equal(paris.result_lat, '33.66');
  assert.equal(paris.result_timezone, 'America/Chicago');
  assert.equal(paris.result_sources, 'geonames');
  assert.equal(paris.result_error, '');
  assert.equal(paris.result_row, '1');
  assert.equal(berlin.note, '=1+1', "the input's own cells stay as they are");
  assert.equal(berlin.result_name, 'Berlin');
});

test('columns are mapped, joined and set for all rows', async () => {
  const { rows } = await run('town;state;cc\nParis;Texas;us\nParis;;FR\nSpringfield;Illinois;us\n', {
    map: new Map([
      ['q', ['town', 'state']],
      ['country', ['cc']],
    ]),
    fixed: { lang: 'en' },
    delimiter: ';',
  });
  assert.deepEqual(
    rows.map(({ result_id }) => result_id),
    ['4717560', '2988507', '4250542'],
  );
});

test('countries may be named, and columns that a text excludes are no parameters', async () => {
  const named = await run('q,country\nBerlin,Deutschland\nParis,france\nParis,Nowhere\n');
  assert.deepEqual(
    named.rows.map(({ result_country, result_error }) => [result_country, result_error.split(':')[0]]),
    [
      ['DE', ''],
      ['FR', ''],
      ['', 'invalid_parameter'],
    ],
  );
  const { rows } = await run('q,admin1,street,unit,house_number\nHauptstr 3 Berlin,Bavaria,Nowhere,1,99\n', {
    endpoint: endpoints.address,
  });
  assert.deepEqual([rows[0].result_house_number, rows[0].result_error], ['3', '']);
});

test('columns are known by the names that people give them', async () => {
  const tables = [
    'Straße;Haus-Nr.;PLZ;Ort;Land;Bemerkung\nHauptstraße;7;10827;Berlin;Deutschland;x\n',
    'Id,Address Line 1,Town/City,Post Code,Country Name\n1,Hauptstraße 7,Berlin,10827,Germany\n',
    'Full Address\tCC\n"Hauptstraße 7, 10827 Berlin"\tDE\n',
  ];
  for (const table of tables) {
    const { rows } = await run(table, { endpoint: undefined });
    assert.deepEqual([rows[0].result_street, rows[0].result_house_number], ['Hauptstraße', '7'], table);
  }
  const { rows } = await run('Ville,Ort\nParis,Berlin\n', { endpoint: undefined });
  assert.equal(rows[0].result_city, 'Paris', 'of two the first');
  const both = await run('town,city,lon,latitude,lat\nParis,Berlin,13.41,0,52.52\n', { endpoint: undefined });
  assert.deepEqual([both.summary.endpoint, both.rows[0].result_name], ['/reverse', 'Berlin'], 'own names come first');
});

test('a row of an address without its street has its town, marked', async () => {
  const { rows } = await run('street,house_number,city,country\n,,Berlin,Germany\n', { endpoint: endpoints.address });
  assert.deepEqual([rows[0].result_city, rows[0].result_match_type, rows[0].result_street], ['Berlin', 'place', '']);
});

test('a bad row gets an error, and no other row does', async () => {
  const { rows, summary } = await run('q,country\nBerlin,DE\n,DE\nBerlin,XX\nBerlin\nZzzzzz,\nParis,FR\n');
  assert.deepEqual(summary, {
    endpoint: '/search',
    found: 2,
    withoutResult: 1,
    failed: 3,
    resumedAt: 1,
    exact: 2,
    partial: 0,
    layers: { place: 2 },
    matchTypes: {},
  });
  const errors = rows.map(({ result_error }) => result_error.split(':')[0]);
  assert.deepEqual(errors, ['', 'missing_parameter', 'invalid_parameter', 'invalid_row', 'no_result', '']);
  assert.deepEqual(
    rows.map(({ result_row }) => result_row),
    ['1', '2', '3', '4', '5', '6'],
  );
  assert.equal(rows[3].country, '');
});

test('a row of more than a megabyte is answered or gets an error by itself', async () => {
  const long = 'x'.repeat(2 << 20);
  const { rows } = await run(`q,note\nberlin,${long}\n${long},\nparis,\n`);
  assert.deepEqual(
    rows.map(({ result_name, result_error }) => [result_name, result_error.split(':')[0]]),
    [
      ['Berlin', ''],
      ['', 'invalid_parameter'],
      ['Paris', ''],
    ],
  );
});

test('several results are several records with the same row number', async () => {
  const { rows, summary } = await run('q\nspringfield\nberlin\n', {
    limitPerRow: 2,
    prefix: '',
    fixed: { layers: 'place' },
  });
  assert.equal(summary.found, 2);
  assert.deepEqual(rows.map(({ row, id }) => `${row} ${id}`).sort(), ['1 4250542', '1 4409896', '2 2950159']);
});

test('every endpoint can be used, also those whose answer is one record', async () => {
  const { rows } = await run('from_lat,from_lng,to_lat,to_lng\n52.52,13.41,48.85,2.35\n', {
    endpoint: endpoints.distance as Endpoint,
  });
  assert.equal(rows[0]['result_from.name'], 'Berlin');
  assert.equal(rows[0]['result_to.country'], 'FR');
  assert.match(rows[0].result_distance_km, /^87\d\.\d+$/);
  const zones = await run('lat,lng\n52.52,13.41\n95,0\n', { endpoint: endpoints.timezone as Endpoint });
  assert.equal(zones.rows[0].result_timezone, 'Europe/Berlin');
  assert.match(zones.rows[1].result_error, /^invalid_parameter: lat/);
  const postal = await run('code\n75001\n', { endpoint: endpoints.postal as Endpoint, fixed: { country: 'FR' } });
  assert.equal(postal.rows[0].result_place, 'Paris');
});

test('without an endpoint the columns choose it: an IP address, a position, else text', async () => {
  const chosen = async (input: string, more: Partial<GeocodeJob> = {}) =>
    (await run(input, { endpoint: undefined, ...more })).summary.endpoint;
  assert.equal(await chosen('Q\nberlin\n'), '/search');
  assert.equal(await chosen('town\nberlin\n', { map: new Map([['q', ['town']]]) }), '/search');
  assert.equal(await chosen('q,lat,lng\nberlin,52,13\n'), '/search');
  assert.equal(await chosen('name,Lat,LNG\nx,52.52,13.41\n'), '/reverse');
  assert.equal(await chosen('client\n8.8.8.8\n', { map: new Map([['ip', ['client']]]) }), '/ip');
  assert.equal(await chosen('street,city\nDowning Street,London\n'), '/address');
  await assert.rejects(
    chosen('strada,city\na,b\n'),
    /no column matches q of the endpoint \/search.*several joined by \+/,
  );
});

test('columns and parameters that do not exist are refused before a row is read', async () => {
  const refused: [string, Partial<GeocodeJob>, RegExp][] = [
    ['name\nBerlin\n', {}, /no column matches q.*"name".*--columns q=/s],
    ['name\nBerlin\n', { map: new Map([['q', ['town']]]) }, /no column "town".*"name"/],
    ['q\nBerlin\n', { map: new Map([['city', ['q']]]) }, /no parameter "city".*has the parameters q,/],
    ['q,result_error\nBerlin,\n', {}, /already has a column "result_error".*--prefix/],
    ['a\n1\n', { endpoint: endpoints.ip as Endpoint }, /no column matches a parameter/],
    ['', {}, /empty/],
  ];
  for (const [input, more, message] of refused) {
    await assert.rejects(
      run(input, more),
      (error: Error) => error instanceof UsageError && message.test(error.message),
    );
  }
});

test('a broken input fails with its line, and is resumed when it is corrected', async (t) => {
  const output = join(temporaryDirectory(t), 'out.csv');
  const input = Readable.from([Buffer.from('q\nBerlin\n"Paris\n')]);
  await assert.rejects(geocode(jobOf({ input, output })), /the input is not CSV: .* at line 3/);
  const mended = Readable.from([Buffer.from('q\nBerlin\n"Paris"\n')]);
  assert.equal((await geocode(jobOf({ input: mended, output, isResumed: true }))).found, 2);
});

test('a layer that the dataset lacks is reported once, not for every row', async () => {
  const { store, remove } = await openSmallStore({ without: ['postal'] });
  try {
    await assert.rejects(run('code,country\n1,DE\n', { store, endpoint: endpoints.postal as Endpoint }), /dataset/);
  } finally {
    remove();
  }
});

test('an output cut off at any byte is resumed to the same bytes', async (t) => {
  const directory = temporaryDirectory(t);
  const input = join(directory, 'in.csv');
  const whole = join(directory, 'whole.csv');
  const cut = join(directory, 'cut.csv');
  writeFileSync(input, '"q,\nname",n\n"springfield\n",1\n,2\n"Zzzzz ""x""",3\nparis,4\n');
  const options = {
    endpoint: endpoints.autocomplete as Endpoint,
    input,
    limitPerRow: 3,
    map: new Map([['q', ['q,\nname']]]),
  };
  await geocode(jobOf({ ...options, output: whole }));
  const expected = readFileSync(whole);
  assert.ok(expected.includes('paris,4,2988507'));
  for (let length = 0; length <= expected.length; length++) {
    writeFileSync(cut, expected);
    truncateSync(cut, length);
    await geocode(jobOf({ ...options, output: cut, isResumed: true }));
    assert.ok(readFileSync(cut).equals(expected), `cut off after ${length} of ${expected.length} bytes`);
  }
});

test('an output is neither overwritten nor resumed with other options or another input', async (t) => {
  const directory = temporaryDirectory(t);
  const [input, other, output] = ['in.csv', 'other.csv', 'out.csv'].map((name) => join(directory, name));
  writeFileSync(input, 'q\nberlin\nparis\n');
  await geocode(jobOf({ input, output }));
  const before = readFileSync(output, 'utf8');
  await assert.rejects(geocode(jobOf({ input, output })), /exists; continue it with --resume/);
  await assert.rejects(geocode(jobOf({ input, output, isResumed: true, prefix: 'x_' })), /a different header/);
  writeFileSync(other, 'q\nberlin\nlondon\n');
  await assert.rejects(geocode(jobOf({ input: other, output, isResumed: true })), /row 2 of the input differs/);
  writeFileSync(other, 'q\nberlin\n');
  await assert.rejects(
    geocode(jobOf({ input: other, output, isResumed: true })),
    /has 1 rows, but the output continues at row 2/,
  );
  assert.equal(readFileSync(output, 'utf8'), before);
});

test('a run that is stopped while it waits for input ends, and can be resumed', async (t) => {
  const directory = temporaryDirectory(t);
  const [input, output, whole] = ['in.csv', 'out.csv', 'whole.csv'].map((name) => join(directory, name));
  writeFileSync(input, 'q\nberlin\nparis\nlondon\n');
  const stop = new AbortController();
  const endless = new PassThrough();
  endless.write('q\nberlin\nparis\n');
  // Two rows are read; the third never arrives.
  const progress = () => assert.fail('the input has not ended');
  const run = geocode(jobOf({ input: endless, output, signal: stop.signal, progress }));
  setImmediate(() => stop.abort());
  await run;
  await geocode(jobOf({ input, output, isResumed: true }));
  await geocode(jobOf({ input, output: whole }));
  assert.equal(readFileSync(output, 'utf8'), readFileSync(whole, 'utf8'));
});

test('an output that another run writes is neither made nor resumed', async (t) => {
  const directory = temporaryDirectory(t);
  const [input, output, whole] = ['in.csv', 'out.csv', 'whole.csv'].map((name) => join(directory, name));
  writeFileSync(input, 'q\nberlin\nparis\nlondon\n');
  const arriving = new PassThrough();
  arriving.write('q\nberlin\n');
  const first = geocode(jobOf({ input: arriving, output }));
  await until('the first run began', () => existsSync(`${output}.lock`));
  for (const isResumed of [true, false])
    await assert.rejects(geocode(jobOf({ input, output, isResumed })), /another run writes .*out\.csv/);
  arriving.end('paris\nlondon\n');
  await first;
  await geocode(jobOf({ input, output: whole }));
  assert.equal(readFileSync(output, 'utf8'), readFileSync(whole, 'utf8'));
  assert.deepEqual(readdirSync(directory).sort(), ['in.csv', 'out.csv', 'whole.csv']);
});
