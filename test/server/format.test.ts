import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import Type from 'typebox';
import { createOperation } from '../../src/api/execute.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import { testService } from '../support/service.ts';

const service = await testService(undefined);
after(() => service.close());

/** A question that has results, for each list. */
const questions: Record<string, string> = {
  search: '/v1/search?q=paris',
  autocomplete: '/v1/autocomplete?q=spr',
  cities: '/v1/cities?country=US',
  nearby: '/v1/nearby?lat=35.69&lng=139.69',
  reverse: '/v1/reverse?lat=52.5&lng=13.4',
  countries: '/v1/countries?',
  countriesAll: '/v1/countries/all?',
  admin: '/v1/admin?country=US',
  postal: '/v1/postal?code=75001&country=FR',
  address: '/v1/address?q=Downing%20Street%2010',
  streets: '/v1/streets?q=hauptstrasse',
  pois: '/v1/pois?lat=52.48&lng=13.35',
};

const { body: description } = await service.ask('/openapi.json', { key: null });
/** The forms that the description of an endpoint lists. */
function formatsOf({ path }: { path: string }): string[] {
  const { parameters } = description.paths[path].get as { parameters: { name: string; schema: { enum: string[] } }[] };
  return parameters.find(({ name }) => name === 'format')?.schema.enum ?? ['json'];
}

const lists = Object.entries(endpoints).filter(([, endpoint]) => formatsOf(endpoint).includes('csv'));

test('all lists that a question is for have forms', () => {
  assert.deepEqual(lists.map(([name]) => name).sort(), Object.keys(questions).sort());
});

for (const [name, endpoint] of lists) {
  test(`${name} as CSV has the records of its JSON, a header and the fields in order`, async (t) => {
    const lacking = endpoint.layers.find((layer) => !service.holder.current!.manifest.layers[layer]);
    if (lacking) return t.skip(`the small dataset has no layer "${lacking}"`);
    assert.ok(questions[name], `the list ${name} is new; give it a question here`);
    const json = await service.ask(questions[name]);
    const csv = await service.ask(`${questions[name]}&format=csv`);
    assert.equal(csv.status, 200, csv.text);
    assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8; header=present');
    assert.match(csv.text, /\r\n$/);
    const rows = parse(csv.text, { columns: true }) as Record<string, string>[];
    assert.ok(rows.length > 0);
    const expected = json.body.results.map((record: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(record).map(([field, value]) => [
          field,
          Array.isArray(value)
            ? value.map((each) => (typeof each === 'object' ? JSON.stringify(each) : each)).join(';')
            : value === null
              ? ''
              : String(value),
        ]),
      ),
    );
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      expected,
    );
  });
}

for (const [name, endpoint] of lists) {
  if (!formatsOf(endpoint).includes('geojson') || !questions[name]) continue;
  test(`${name} as GeoJSON has its records as features, longitude first`, async () => {
    const json = await service.ask(questions[name]);
    const geojson = await service.ask(`${questions[name]}&format=geojson`);
    assert.equal(geojson.headers['content-type'], 'application/geo+json; charset=utf-8');
    const { type, features, count, query_ms } = geojson.body;
    assert.equal(type, 'FeatureCollection');
    assert.equal(count, features.length);
    assert.ok(Number.isInteger(query_ms));
    const expected = json.body.results.map(({ lat, lng, ...properties }: Record<string, unknown>) => ({
      type: 'Feature',
      ...('id' in properties ? { id: properties.id } : {}),
      geometry: { type: 'Point', coordinates: [lng, lat] },
      properties,
    }));
    assert.ok(expected.length > 0);
    assert.deepEqual(features, expected);
  });
}

test('an empty list is a header alone, or a collection without features', async () => {
  const csv = await service.ask('/v1/search?q=zzzzzz&fuzzy=false&format=csv');
  assert.equal(csv.text.split('\r\n').length, 2);
  assert.match(csv.text, /^id,name,country,admin1,lat,lng,/);
  const geojson = await service.ask('/v1/search?q=zzzzzz&fuzzy=false&format=geojson');
  assert.deepEqual(geojson.body.features, []);
});

test('each form has its own tag, and answers 304 to it', async () => {
  const forms = ['', '&format=json', '&format=csv', '&format=GeoJSON'];
  const answers = await Promise.all(forms.map((form) => service.ask(`/v1/search?q=berlin${form}`)));
  const tags = answers.map(({ headers }) => headers.etag);
  assert.equal(new Set(tags).size, forms.length);
  const again = await service.ask('/v1/search?q=berlin&format=csv', { headers: { 'if-none-match': tags[2] } });
  assert.equal(again.status, 304);
  const other = await service.ask('/v1/search?q=berlin&format=csv', { headers: { 'if-none-match': tags[3] } });
  assert.equal(other.status, 200);
});

test('an error stays a problem document in every form', async () => {
  for (const url of ['/v1/search?format=csv', '/v1/search?q=berlin&format=xml', '/v1/countries?format=geojson']) {
    const answer = await service.ask(url);
    assert.equal(answer.status, 400, url);
    assert.match(answer.headers['content-type'], /^application\/problem\+json/);
  }
});

test('the variants ignore format and say so, as do answers that are no list', async () => {
  for (const url of [
    '/v1/search?q=berlin&variant=a&format=csv',
    '/v1/distance?from_lat=0&from_lng=0&to_lat=1&to_lng=1&format=csv',
  ]) {
    const answer = await service.ask(url);
    assert.match(answer.headers['content-type'], /^application\/json/);
    assert.equal(answer.headers['x-ignored-parameters'], 'format');
  }
});

test('a batch refuses another form than JSON, entry by entry', async () => {
  const { body } = await service.batch([
    { endpoint: 'search', params: { q: 'berlin', format: 'csv' } },
    { endpoint: 'search', params: { q: 'berlin', format: 'json' } },
  ]);
  assert.equal(body.results[0].status, 400);
  assert.equal(body.results[0].data.errors[0].parameter, 'format');
  assert.equal(body.results[1].status, 200);
});

test('the description lists the forms', async () => {
  const { body } = await service.ask('/openapi.json', { key: null });
  const { content } = body.paths['/search'].get.responses[200];
  assert.deepEqual(Object.keys(content), ['application/json', 'application/geo+json', 'text/csv']);
  const { schema } = body.paths['/search'].get.parameters.find(({ name }: { name: string }) => name === 'format');
  assert.deepEqual(schema.enum, ['json', 'geojson', 'csv']);
});

/** A row of CSV of an answer whose records have such cells. */
function csvRow(...cells: unknown[]): string {
  const fields = cells.map((cell, at) => [`c${at}`, cell] as const);
  const record = Type.Object(Object.fromEntries(fields.map(([name]) => [name, Type.String()])));
  const answer = Type.Object({ results: Type.Array(record) });
  const response = { default: answer, a: answer, b: answer };
  const operation = createOperation('made', { ...endpoints.search, response });
  const text = operation.body({ results: [Object.fromEntries(fields)] }, 'default', 'csv') as string;
  return text.slice(text.indexOf('\r\n') + 2);
}

test('CSV cells are read back as they were written', () => {
  const cells = ['a,b', 'say "hi"', 'two\r\nlines', '', ' blank ', 'ünï', '1'];
  assert.deepEqual(parse(csvRow(...cells))[0], cells);
  assert.equal(csvRow(null, undefined, 0, -1.5, true), ',,0,-1.5,true\r\n');
  assert.equal(csvRow(''), '""\r\n');
});

test('a text that a spreadsheet would run as a formula gets an apostrophe; numbers and dialling codes do not', () => {
  for (const text of ['=1+1', '@SUM(A1)', '+cmd', '-2+3+cmd', '\tx', '\rx', '＝1+1', '＋cmd', '－cmd', '＠SUM(A1)'])
    assert.deepEqual(parse(csvRow(text)), [[`'${text}`]]);
  for (const cell of ['+49', '-12.5', '+1-684', '-03:30', '+39 (06)', 's-Hertogenbosch', '', -3, null, true])
    assert.deepEqual(parse(csvRow(cell, 'x')), [[String(cell ?? ''), 'x']]);
});
