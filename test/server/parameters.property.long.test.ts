/** Any values of any parameters of any endpoint: never 5xx, and always an answer of the profile's schema or a problem. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import { endpoints } from '../../src/endpoints/index.ts';
import { answerErrors, problemErrors } from '../support/answer-schema.ts';
import { type Endpoint, profiles } from '../support/ask.ts';
import { type TestService, testService } from '../support/service.ts';

const injections = [
  '\0',
  'a\0b',
  "'",
  '"',
  "' OR 1=1 --",
  "'; DROP TABLE keys; --",
  '" OR "a"="a',
  'a* NEAR(b c)',
  'name:berlin AND NOT (x OR "y"',
  '-berlin ^paris +x',
  'berlin"*',
  '%',
  '_',
  '\u202Eberlin\u202C',
  '\u200Fباريس',
  '🙂'.repeat(200),
  '👨‍👩‍👧‍👦'.repeat(28),
  'x'.repeat(200),
  'x'.repeat(201),
  'ﷺ'.repeat(200),
  'é'.repeat(200),
  '../../etc/passwd',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '\r\nX-Injected: 1',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '1e309',
  '-0',
  '0x1F',
];
const names = [
  'Paris',
  'paris texas',
  'Springfield IL',
  'münchen',
  'Tokyo',
  '東京',
  'Берлин',
  'berl',
  '10115',
  'SW1A 1AA',
];
const words = [
  'DE',
  'fr',
  'US',
  'JP',
  'XK',
  'ZZ',
  'city',
  'km',
  'miles',
  'true',
  'false',
  'Europe/Berlin',
  '2026-06-15',
  '8.8.8.8',
  '::1',
  '10.0.0.1',
];
const numbers = [
  '0',
  '1',
  '-1',
  '5',
  '10.5',
  '90',
  '-90',
  '90.000001',
  '180',
  '-180',
  '180.1',
  '100',
  '101',
  '1e3',
  '',
  ' ',
  '00012',
];

type Property = { type?: string; enum?: string[]; format?: string; minimum?: number; maximum?: number };

/** Values of one parameter: what its schema admits, its boundaries, and what it does not. */
function valuesOf(schema: Property): fc.Arbitrary<string> {
  const odd = fc.oneof(
    fc.constantFrom(...injections),
    fc.constantFrom(...names, ...words, ...numbers),
    fc.string({ unit: 'binary', maxLength: 30 }),
  );
  return fc.oneof({ weight: 4, arbitrary: usual(schema) }, { weight: 1, arbitrary: odd });
}

function usual({ type, enum: list, format, minimum = -1000, maximum = 1000 }: Property): fc.Arbitrary<string> {
  if (list) return fc.constantFrom(...list);
  if (type === 'boolean') return fc.constantFrom('true', 'false');
  if (type === 'integer') {
    return fc
      .oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1))
      .map(String);
  }
  if (type === 'number') {
    const within = fc.double({ min: minimum, max: maximum, noNaN: true }).map((value) => value.toFixed(6));
    return fc.oneof(within, fc.constantFrom(minimum, maximum, minimum - 0.1, maximum + 0.1).map(String));
  }
  if (format === 'country') return fc.constantFrom('DE', 'fr', 'GB', 'US', 'JP');
  if (format === 'date') return fc.constantFrom('2026-06-15', '2024-02-29', '2023-02-29', '0001-01-01', '9999-12-31');
  return fc.constantFrom(...names, ...words);
}

function parametersOf({ parameters }: Endpoint): fc.Arbitrary<Record<string, string>> {
  const required = new Set<string>(parameters.default.required ?? []);
  const entries = Object.entries(parameters.default.properties as Record<string, Property>);
  return fc.record(Object.fromEntries(entries.map(([name, schema]) => [name, valuesOf(schema)])), {
    requiredKeys: entries.map(([name]) => name).filter((name) => required.has(name)),
  }) as fc.Arbitrary<Record<string, string>>;
}

/** The address of a request; lone surrogates have no UTF-8 form and are sent as their replacement. */
function addressOf({ path }: Endpoint, parameters: Record<string, string>): string {
  const { ...query } = parameters;
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = query[name] ?? '';
    delete query[name];
    return encodeURIComponent(value.toWellFormed());
  });
  return `/v1${filled}?${new URLSearchParams(query)}`;
}

suite('any parameters', () => {
  let service: TestService;
  let description: Parameters<typeof problemErrors>[0];
  before(async () => {
    service = await testService(undefined);
    description = (await service.ask('/openapi.json')).body;
  });
  after(() => service.close());

  for (const [name, endpoint] of Object.entries(endpoints) as [string, Endpoint][]) {
    test(`${name} answers with its profile's schema or a problem, never 5xx, alone and in a batch`, async () => {
      await fc.assert(
        fc.asyncProperty(parametersOf(endpoint), fc.constantFrom(...profiles), async (values, profile) => {
          const headers = { 'x-api-variant': profile };
          const url = addressOf(endpoint, values);
          const { status, body } = await service.ask(url, { headers, remoteAddress: '8.8.8.8' });
          assert.ok([200, 400, 404].includes(status), `${status} ${url}`);
          const faults =
            status === 200 ? answerErrors(endpoint.response[profile], body) : problemErrors(description, body);
          assert.equal(faults, '', url);
          if (status === 200 && 'count' in body) assert.equal(body.count, body.results.length);

          if (url.startsWith(`/v1${endpoint.path}?`)) {
            const entry = { endpoint: endpoint.path, params: values };
            const { results } = (await service.batch([entry], { headers, remoteAddress: '8.8.8.8' })).body;
            assert.equal(results[0].status, status, url);
            if (status === 200) {
              assert.equal(answerErrors(endpoint.response[profile], results[0].data ?? results[0].body), '');
            }
          }
        }),
        { numRuns: 150 },
      );
    });

    if ('limit' in endpoint.parameters.default.properties) {
      test(`${name}: a smaller limit returns a prefix of the larger one`, async () => {
        await fc.assert(
          fc.asyncProperty(parametersOf(endpoint), fc.integer({ min: 1, max: 10 }), async (values, limit) => {
            const small = await service.ask(addressOf(endpoint, { ...values, limit: String(limit) }));
            const large = await service.ask(addressOf(endpoint, { ...values, limit: '10' }));
            assert.equal(small.status, large.status);
            if (small.status === 200) assert.deepEqual(small.body.results, large.body.results.slice(0, limit));
          }),
          { numRuns: 50 },
        );
      });
    }
  }

  test('lone surrogates in a batch are answered like any text', async () => {
    const params = { q: '\ud800Paris\udfff', country: '\ud800' };
    const { body } = await service.batch([
      { endpoint: 'search', params },
      { endpoint: '\ud800', params: {} },
    ]);
    assert.deepEqual(
      body.results.map(({ status }: { status: number }) => status),
      [400, 404],
    );
  });
});
