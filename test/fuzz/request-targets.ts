/** Parsers of what clients of the service send: texts, addresses, heads and bodies. */
import assert from 'node:assert/strict';
import inject from 'light-my-request';
import { ask, createOperations } from '../../src/api/execute.ts';
import { formatIp, parseIp, parseNetwork } from '../../src/core/ip/address.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import { positionOf } from '../../src/geocoding/position.ts';
import { isWellFormedKey } from '../../src/keys/key-record.ts';
import { analyse } from '../../src/text/query-text.ts';
import { testService } from '../support/service.ts';
import { openSmallStore } from '../support/small-store.ts';
import type { MakeTarget } from './targets.ts';

const refusals = ['WhereaboutsError'];
const places = [
  'Berlin',
  'paris texas',
  'springfield us',
  '10 Downing Street, London',
  '東京',
  'Санкт-Петербург',
  'ber',
];
const words = [
  ...['st', 'saint', ' and ', '&', ', ', 'str.', '-', "'", '/', '1st', '10b', '1-3', '5/7', 'no', 'apt', 'po box', '#'],
  ...['us', 'DE', 'germany', '10115', 'SW1A 1AA', '52.5,13.4', '8FVC9G8F+6X', 'geo:', '°', 'N', '′', '″'],
  ...['\u0301', '\u200d', '\ufeff', '\u202e', 'ß', 'ﷺ', '\ud83d\ude00', '丁目', '번지', '号', '\0', '\ufffd', 'ı', 'İ'],
];

/** A target that asks endpoints for a text. */
const asking =
  (parametersOf: (text: string) => Record<string, string>, ...names: (keyof typeof endpoints)[]): MakeTarget =>
  async () => {
    const { store, remove } = await openSmallStore();
    const operations = createOperations(endpoints);
    return {
      seeds: places,
      words,
      refusals,
      run(bytes) {
        // The service refuses longer texts at once.
        const raw = parametersOf(bytes.toString().slice(0, 200));
        for (const name of names) {
          try {
            ask(operations[name], raw, { store, profile: 'default', now: 0, clientAddress: '8.8.8.8' });
          } catch (error) {
            if ((error as Error).name !== 'WhereaboutsError') throw error;
          }
        }
      },
      close: async () => remove(),
    };
  };

type Requested = { method: 'GET' | 'POST' | 'PATCH'; url?: string; headers?: Record<string, string>; body?: Buffer };

/** A target that sends requests to the whole service: no answer of 500 and above. */
const sending =
  (seeds: string[], tokens: string[], requested: (bytes: Buffer, key: string) => Requested): MakeTarget =>
  async () => {
    const service = await testService(undefined, {
      signUp: { mode: 'open' },
      trustedProxies: ['127.0.0.1'],
    });
    return {
      seeds,
      words: tokens,
      refusals: [],
      async run(bytes) {
        const { method, url = '/', headers = {}, body } = requested(bytes, service.key);
        const { statusCode, body: text } = await inject(
          (request, response) => {
            request.url = url;
            service.app.routing(request as never, response as never);
          },
          { method, url: '/', headers, ...(body === undefined ? {} : { payload: body }) },
        );
        assert.ok(statusCode < 500, `${statusCode}: ${text}`);
      },
      async close() {
        await service.close();
      },
    };
  };

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const paths = [
  '/v1/search?q=berlin&limit=3',
  '/v1/reverse?lat=52.5&lng=13.4&variant=b',
  '/v1/postal/10115?country=DE&format=geojson',
  '/v1/country/DE',
  '/v1/tiles/places/3/4/2',
  '/v1/place/city%3A1',
  '/v1/timezone?lat=1&lng=2&at=2026-01-01T00:00:00Z',
  '/v1/nearby?lat=52.5&lng=13.4&radius=10&offset=2',
  '/v1/search?q=a&bbox=1,2,3,4&layers=city,country&explain=true',
  '/reverse?format=jsonv2&lat=1&lon=2',
  '/api?q=berlin&lat=1',
  '/docs/errors/not_found',
  '/assets/style.css',
];
const headLines = [
  'if-none-match: W/"a", "b"',
  'accept-encoding: br;q=0.5, gzip, *;q=0',
  'x-forwarded-for: 1.2.3.4, [::1]:80',
  'x-api-key: wab_nonsense',
  'authorization: Bearer wab_x',
  'x-api-variant: a',
  'origin: https://example.org',
  'x-request-id: abc',
  'accept: text/html, application/json;q=0.1',
  'accept-language: de-CH, fr;q=0.9',
  'range: bytes=0-10, -5',
  'x-forwarded-host: example.org',
  'x-forwarded-proto: https',
  'content-type: text/plain; charset=utf-16',
  'expect: 100-continue',
];
/** Lines of a head, as far as a client of node:http could send them. */
const headersOf = (text: string) =>
  Object.fromEntries(
    text
      .split('\n')
      .map((line) => /^([!#$%&'*+.^_`|~\w-]+): ([\t\x20-\x7e\x80-\xff]*)$/.exec(line))
      .filter((found) => found !== null)
      .map(([, name, value]) => [name.toLowerCase(), value])
      .filter(([name]) => name !== 'transfer-encoding' && name !== 'content-length'),
  );

const batch = JSON.stringify({
  requests: [
    { endpoint: 'country/DE', params: {} },
    { endpoint: '/v1/search', params: { q: 'berlin', limit: 2 } },
  ],
});
const messages = [
  '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"find_place","arguments":{"q":"berlin"}}}',
  '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"}]',
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}',
];
const jsonWords = [
  'null',
  'true',
  '[]',
  '{}',
  '"__proto__"',
  '1e999',
  '-0',
  '"\\ud800"',
  '"q":',
  '"limit":',
  '[[',
  '{"a":',
];

export const requestTargets: Readonly<Record<string, MakeTarget>> = {
  'query text': asking((q) => ({ q }), 'search', 'autocomplete'),
  'address text': asking((q) => ({ q }), 'address', 'streets'),
  'text with a country': asking((q) => ({ q, country: 'US' }), 'search', 'address'),
  'postal code and city': asking(
    (text) => {
      const [postal_code, city = ''] = text.split(',');
      return { code: postal_code, postal_code, city, country: 'DE' };
    },
    'postal',
    'validate',
  ),
  'IP address, date and time': asking(
    (text) => ({ ip: text, date: text, at: text, lat: '52.5', lng: '13.4' }),
    'ip',
    'sun',
    'timezone',
  ),
  'short texts': () => {
    return {
      seeds: [
        ...[
          '52°30′N 13°24′E',
          '52.5, -13.4',
          'geo:1,2;u=3',
          '8FVC9G8F+6X Berlin',
          '9G8F+6X',
          '1.2.3.4',
          '::ffff:1.2.3.4',
        ],
        ...['2001:db8::/32', '10.0.0.0/8', '2026-06-15T12:00:00+02:00', '2026-03-29T02:30', '1750000000', places[3]],
      ],
      words,
      // Parsers of an operator's settings.
      refusals: ['Error'],
      run(bytes) {
        const text = bytes.toString().slice(0, 1000);
        const ip = parseIp(text);
        if (ip) assert.deepEqual(parseIp(formatIp(ip)), ip);
        const position = positionOf(text, () => ({ lat: 89, lng: 179 }));
        if (position)
          assert.ok(Math.abs(position.lat) <= 90 && Math.abs(position.lng) <= 180, JSON.stringify(position));
        isWellFormedKey(text);
        for (const { text: token } of analyse(text)) assert.equal(typeof token, 'string');
        parseNetwork(text);
      },
    };
  },
  addresses: sending(
    paths,
    ['%', '%00', '%2f', '?', '&', '=', '..', '//', '[]', '+', ';', 'limit=', 'lang='],
    (bytes, key) => ({
      method: 'GET',
      url: `/${bytes
        .toString('latin1')
        .replace(/^\//, '')
        .replace(/[^!-~]/g, '%')}`,
      headers: { 'x-api-key': key },
    }),
  ),
  heads: sending(
    [headLines.join('\n'), ...headLines],
    ['\n', ', ', ';q=', '*', '"', 'W/', 'x-api-key: ', 'origin: null', '\x80', '='],
    (bytes, key) => ({
      method: 'GET',
      url: '/v1/country/DE',
      headers: { 'x-api-key': key, ...headersOf(bytes.toString('latin1')) },
    }),
  ),
  batches: sending([batch], [...jsonWords, '"params":', '"endpoint":', '"format":"csv"'], (bytes, key) => ({
    method: 'POST',
    url: '/v1/batch',
    headers: { ...json, 'x-api-key': key },
    body: bytes,
  })),
  'messages of MCP': sending(messages, [...jsonWords, '"_meta":', '"cursor":', 'tools/call'], (bytes, key) => ({
    method: 'POST',
    url: '/mcp',
    headers: { ...json, 'x-api-key': key },
    body: bytes,
  })),
  'changes of a key': sending(
    ['{"name":"shop","origins":["https://example.org"],"endpoints":["search"],"networks":["10.0.0.0/8"]}', '{}'],
    [...jsonWords, '"expires":', '"profile":"a"', '"2027-01-01T00:00:00Z"', '"https://*.x"'],
    (bytes, key) => ({
      method: 'PATCH',
      url: '/account/key',
      headers: { ...json, 'x-api-key': key },
      body: bytes,
    }),
  ),
};
