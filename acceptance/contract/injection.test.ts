/**
 * Hostile texts in every text parameter, on the real dataset: never an error of ours, never a row that was not
 * requested.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Parameters } from './questions.ts';
import { profiles, type Served, serve, skip } from './served.ts';

const hostile = [
  ...['\0', 'a\0b', "'", '"', '`', '\\', '%', '_', '*', '+', '-', '(', ')', '((((', '"""', ',', ', , ,', '='],
  ...["' OR '1'='1", "'; DROP TABLE streets;--", '" OR ""="', '1; SELECT * FROM pois', ') OR 1=1 --', 'UNION SELECT'],
  ...['a*', 'NEAR(a b)', 'a AND b', 'a OR b', 'NOT a', '^a', 'a:b', 'poi_terms:x', '{a b}', '=s', '=gbank', '=cuy'],
  ...['\u200f', '\u202e', '\ufeff', '\ufffe', '\uffff', '\u{10ffff}', '\u{e0001}', '\r\nX-Injected: 1'],
  ...['😀'.repeat(200), '👨‍👩‍👧‍👦'.repeat(20), `e${'\u0301'.repeat(199)}`, '\u0300'.repeat(200), 'ﷺ'.repeat(200)],
  ...[
    'İ'.repeat(200),
    'ß'.repeat(200),
    'ᄀ'.repeat(200),
    'क्ष'.repeat(60),
    'a '.repeat(99),
    '1 '.repeat(99),
    '-'.repeat(200),
  ],
  ...['<script>alert(1)</script>', '../../etc/passwd', `\${7*7}`, '%00', '__proto__', 'constructor', 'undefined'],
];

/** Every text parameter, with what else its endpoint needs. */
const targets: [path: string, name: string, more: Parameters][] = [
  ['/search', 'q', {}],
  ['/search', 'q', { country: 'DE' }],
  ['/search', 'lang', { q: 'Berlin' }],
  ['/search', 'type', { q: 'Berlin' }],
  ['/autocomplete', 'q', {}],
  ['/cities', 'country', {}],
  ['/cities', 'admin1', { country: 'DE' }],
  ['/address', 'q', {}],
  ['/address', 'city', { q: 'Bahnhofstr 1', country: 'DE' }],
  ['/address', 'postal_code', { q: 'Bahnhofstr 1', country: 'DE' }],
  ['/streets', 'q', {}],
  ['/streets', 'city', { q: 'general' }],
  ['/pois', 'q', { lat: -34.9, lng: -56.2 }],
  ['/pois', 'cuisine', { lat: -34.9, lng: -56.2 }],
  ['/pois', 'category', { lat: -34.9, lng: -56.2 }],
  ['/postal', 'code', { country: 'DE' }],
  ['/validate', 'city', { country: 'DE' }],
  ['/validate', 'postal_code', { city: 'Berlin', country: 'DE' }],
  ['/ip', 'ip', {}],
  ['/timezone', 'timezone', {}],
  ['/timezone', 'at', { timezone: 'UTC' }],
  ['/sun', 'city', {}],
  ['/sun', 'timezone', { lat: 1, lng: 1 }],
  ['/sun', 'date', { lat: 1, lng: 1 }],
  ['/distance', 'from_city', { to_city: 'Berlin' }],
  ['/distance', 'unit', { from_city: 'Paris', to_city: 'Berlin' }],
  ['/admin', 'parent', { country: 'US', level: 2 }],
  ['/reverse', 'lang', { lat: 1, lng: 1 }],
];

suite('hostile texts', { skip }, () => {
  let served: Served;
  before(async () => {
    served = await serve();
  });
  after(() => served.close());

  test('no text in any parameter is an error of ours, alone or in a batch', async () => {
    for (const [path, name, more] of targets) {
      const requests = hostile.map((text) => ({ endpoint: path, params: { ...more, [name]: text } }));
      for (const profile of profiles) {
        const { status, headers, body } = await served.batch(requests, { profile });
        assert.equal(status, 200);
        assert.equal(headers['x-injected'], undefined);
        for (const [index, entry] of body.results.entries()) {
          assert.ok(
            [200, 400, 404].includes(entry.status),
            `${entry.status} ${path} ${name}=${JSON.stringify(hostile[index])}`,
          );
        }
      }
      for (const text of hostile) {
        const { status, headers } = await served.ask(`/v1${path}`, { ...more, [name]: text });
        assert.ok([200, 400, 404].includes(status), `${status} ${path} ${name}=${JSON.stringify(text)}`);
        assert.equal(headers['x-injected'], undefined);
      }
    }
  });

  test('lone surrogates and bytes that are not UTF-8 are refused in a query, and answered in a batch', async () => {
    for (const bytes of ['%ED%A0%80', '%FF', '%C0%AF', 'a%', '%zz']) {
      for (const [path, name] of targets) {
        const { status, body } = await served.ask(`/v1${path}?${name}=${bytes}`);
        assert.equal(status, 400, `${path} ${name}=${bytes}`);
        assert.ok(body.errors.some(({ parameter }: { parameter: string }) => parameter === name));
      }
    }
    const requests = targets.map(([endpoint, name, more]) => ({
      endpoint,
      params: { ...more, [name]: '\ud800x\udc00' },
    }));
    for (const { status } of (await served.batch(requests)).body.results) assert.ok([200, 400, 404].includes(status));
  });

  test('quotes, wildcards and search operators find nothing that a plain text would not', async () => {
    const nothing: [path: string, parameters: Parameters][] = [
      // Not mistyped codes of airports: qzx, qxz.
      ...['qqqqzzzzxxxx', 'qqqqxzzz'].flatMap((q): [string, Parameters][] => [
        ['/search', { q }],
        ['/autocomplete', { q }],
      ]),
      ['/address', { q: 'Bahnhofstr 1', country: 'DE', city: 'NaN' }],
    ];
    for (const text of ['"', "'", '*', '%', '_', '(', '=', '😀', '\u200f', '\0', '" OR ""="', '\u{10ffff}']) {
      if (!/\w/.test(text)) {
        nothing.push(['/search', { q: text }], ['/autocomplete', { q: text + text }], ['/streets', { q: text }]);
        nothing.push(['/address', { q: text }], ['/pois', { q: text, lat: -34.9, lng: -56.2, radius: 50 }]);
      }
      nothing.push(
        ['/cities', { country: 'DE', admin1: text }],
        ['/postal', { country: 'DE', code: text }],
        ['/address', { q: 'Bahnhofstr 1', country: 'DE', city: text }],
        ['/address', { q: 'Bahnhofstr 1', country: 'DE', postal_code: text }],
        ['/streets', { q: 'general', city: text }],
        ['/pois', { cuisine: text, lat: -34.9, lng: -56.2, radius: 50 }],
      );
    }
    for (const [path, parameters] of nothing) {
      const { status, body } = await served.ask(`/v1${path}`, parameters);
      const where = `${path} ${JSON.stringify(parameters)}: ${JSON.stringify(body.results?.[0] ?? body)}`;
      assert.deepEqual([status, body.count], [200, 0], where);
    }
    for (const code of ['10115"', '1011_', '1011*', '%', "10115' OR '1'='1"]) {
      const { body } = await served.ask('/v1/postal', { country: 'DE', code });
      for (const { postal_code } of body.results) assert.equal(postal_code, '10115', code);
    }
  });

  test('marks of direction and width do not hide a name', async () => {
    for (const q of ['\u200fBerlin\u200e', '\ufeffBerlin', 'ＢＥＲＬＩＮ', '𝔅𝔢𝔯𝔩𝔦𝔫', 'BERLIN\u00ad']) {
      const { body } = await served.ask('/v1/search', { q, limit: 1 });
      assert.deepEqual([body.results[0]?.name, body.results[0]?.country], ['Berlin', 'DE'], JSON.stringify(q));
    }
  });
});
