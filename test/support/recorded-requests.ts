/**
 * Requests to every face of the service, the same each time: what is compared before and after a change of the server.
 * Their paths have answers in the small dataset and in the default one.
 */
import { randomNumbers } from './random-numbers.ts';

export type RecordedRequest = {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** Which key is sent in X-API-Key: one of `recordedKeys`, or a text; none by default. */
  key?: string;
};

/** Options of the keys that requests name. */
export const recordedKeys = {
  open: {},
  // Costs are compared, so that each profile has a key of its own.
  ofA: { profile: 'a' },
  ofB: { profile: 'b' },
  tiny: { plan: 'tiny' },
  slow: { plan: 'slow' },
  bound: { origins: ['https://example.org'] },
  elsewhere: { networks: ['10.0.0.0/8'] },
  restricted: { endpoints: ['search', 'country'] },
  expired: { expiresAt: 1 },
  admin: { isAdmin: true },
} as const;

/** Paths below /v1 with the parameters that are valid, and those that are not, or are known to nobody. */
const endpoints: readonly (readonly [path: string, valid: readonly string[], wrong: readonly string[]])[] = [
  ['country/DE', [''], ['lang=de&lang=fr', 'code=FR', '%zz=1', 'nonsense=1']],
  ['country/zz', [''], []],
  ['country/%zz', [''], []],
  ['country/DE/', [''], []],
  ['country/DE/area', [''], ['format=csv']],
  ['admin/DE-BY/area', [''], []],
  ['countries', ['', 'limit=3', 'continent=EU'], ['limit=0', 'limit=1&limit=2', 'limit=1e1', 'continent=XX']],
  ['countries/all', [''], []],
  [
    'search',
    ['q=paris', 'q=berl', 'q=m%C3%BCnchen', 'q=paris&limit=1', 'q=paris+texas&explain=true'],
    ['', 'q=%E4', 'q=', 'q=x&q=y'],
  ],
  ['autocomplete', ['q=ber', 'q=par&limit=2', 'q=10115'], ['', 'q=b&limit=999']],
  ['address', ['q=Hauptstra%C3%9Fe+3+Berlin', 'q=Nowhere+1'], ['', 'country=QQ']],
  ['streets', ['q=Hauptstra%C3%9Fe', 'lat=52.48&lng=13.35'], ['lat=52.48', 'q=x&lat=95&lng=1e3']],
  [
    'pois',
    ['lat=52.48&lng=13.35', 'lat=52.48&lng=13.35&radius=5'],
    ['', 'lat=a&lng=b', 'lat=52.48&lng=13.35&category=nonsense'],
  ],
  ['nearby', ['lat=48.1&lng=11.5', 'lat=48.1&lng=11.5&radius=200&limit=2'], ['lat=48.1', 'lat=91&lng=11']],
  ['reverse', ['lat=52.52&lng=13.4', 'lat=0&lng=-140', 'lat=52.48&lng=13.35&explain=true'], ['', 'lat=52,5&lng=13']],
  ['cities', ['country=DE', 'country=US&limit=2'], ['', 'country=DEU', 'country=DE&min_population=-1']],
  ['admin', ['country=DE', 'country=US&level=2&parent=TX'], ['', 'country=DE&level=9']],
  ['postal', ['code=10115&country=DE', 'code=SW1A&country=gb', 'code=99999&country=DE'], ['', 'code=%ff&country=DE']],
  ['validate', ['city=Berlin&postal_code=10115&country=DE', 'city=Paris&postal_code=1&country=FR'], ['city=Berlin']],
  ['timezone', ['lat=52.5&lng=13.4', 'timezone=Asia/Tokyo&at=2026-01-01T00:00:00Z'], ['', 'timezone=Nowhere', 'at=x']],
  ['sun', ['lat=59.9&lng=10.7&date=2026-06-21', 'city=Berlin&country=DE'], ['lat=59.9', 'lat=1&lng=1&date=2026-13-01']],
  ['distance', ['from_city=Paris&to_city=Berlin', 'from_lat=1&from_lng=2&to_lat=3&to_lng=4'], ['', 'from_city=Paris']],
  ['ip', ['ip=8.8.8.8', 'ip=2001:4860:4860::8888', ''], ['ip=999.1.1.1', 'ip=10.0.0.1']],
  ['place/N2950159', [''], []],
  ['place/nonsense', [''], []],
  ['usage', [''], ['x=1']],
  ['nowhere', [''], []],
  ['batch', [''], []],
];

const others: readonly string[] = [
  ...[
    '/',
    '/explorer',
    '/widget',
    '/sign-up',
    '/account',
    '/operator',
    '/docs',
    '/docs/',
    '/docs/http',
    '/docs/errors',
  ],
  ...['/docs/errors/not_found', '/docs/endpoints/search', '/docs/data', '/docs/docs.js', '/favicon.svg', '/nowhere'],
  ...[
    '/assets/common.css',
    '/assets/theme.js',
    '/assets/map/maplibre-gl.css',
    '/assets/map/cities.json',
    '/assets/nowhere.js',
  ],
  ...[
    '/assets/autocomplete/index.js',
    '/openapi.json',
    '/status',
    '/health/live',
    '/health/ready',
    '/health',
    '/metrics',
  ],
  ...[
    '/account/sign-up',
    '/account/key',
    '/admin/keys',
    '/admin/keys?after=x',
    '/admin/usage',
    '/admin/usage?format=csv',
  ],
  ...[
    '/admin/usage?format=x',
    '/admin/usage?from=nonsense',
    '/admin/log',
    '/admin/log?offset=1',
    '/admin/keys/1',
    '/mcp',
    '/v1',
  ],
  ...[
    '/v1/',
    '/V1/countries',
    '//v1/country/DE',
    '/v1//country/DE',
    '/v1/country/DE/x',
    '/v1/country/',
    '/v1/%63ountry/DE',
  ],
  ...['/tiles/places.json', '/tiles/nonsense.json', '/tiles/streets/14/8799/5374.mvt', '/tiles/places/4/8/5.mvt'],
  ...[
    '/tiles/places/4/8/5.mvt?lang=de',
    '/tiles/places/1/9/9.mvt',
    '/tiles/places/99/0/0.mvt',
    '/tiles/places/x/0/0.mvt',
  ],
  ...[
    '/v1/tiles/places.json',
    '/v1/tiles/countries/0/0/0.mvt',
    '/tiles/boundaries/2/2/1.mvt?nonsense=1',
    '/map/style.json',
  ],
  ...['/nominatim/search?q=paris', '/nominatim/search?q=paris&format=xml', '/nominatim/search', '/nominatim/status'],
  ...['/nominatim/reverse?lat=52.48&lon=13.35', '/nominatim/reverse?lat=x', '/nominatim/search?q=berlin&format=jsonv2'],
  ...[
    '/nominatim/lookup?osm_ids=N2950159',
    '/nominatim/search?q=paris&json_callback=show',
    '/nominatim/status?format=json',
  ],
  ...[
    '/photon/api?q=paris',
    '/photon/api',
    '/photon/reverse?lat=52.48&lon=13.35',
    '/photon/status',
    '/photon/api?q=x&limit=a',
  ],
  ...[
    '/pelias/v1/search?text=paris',
    '/pelias/v1/autocomplete?text=ber',
    '/pelias/v1/reverse?point.lat=52.48&point.lon=13.35',
  ],
  ...[
    '/pelias/v1/search',
    '/pelias/v1/place?ids=whereabouts:locality:N2950159',
    '/pelias/v1/search/structured?locality=berlin',
  ],
];

const entries = [
  { endpoint: 'country/DE', params: {} },
  { endpoint: '/v1/search', params: { q: 'paris', limit: 1 } },
  { endpoint: 'search', params: { q: 'paris', explain: true } },
  { endpoint: 'country/zz', params: {} },
  { endpoint: 'usage', params: {} },
  { endpoint: 'batch', params: {} },
  { endpoint: 'nowhere?x=1', params: {} },
  { endpoint: 'search', params: { q: 'paris', format: 'csv' } },
  { endpoint: 'country/%zz', params: {} },
  { endpoint: 'distance', params: { from_lat: 1, from_lng: 2, to_lat: 3, to_lng: 4 } },
];
const json = { 'content-type': 'application/json' };
const bodyTypes: readonly Record<string, string>[] = [
  ...[{}, { 'content-type': 'text/plain' }, { 'content-type': 'application/json; charset=latin1' }],
  { ...json, 'content-encoding': 'gzip' },
];
const mcp = { ...json, accept: 'application/json, text/event-stream' };
const call = (method: string, params: object, id: number | undefined = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

/** Requests whose order matters, as they change keys, and what has a body. */
const inOrder: readonly RecordedRequest[] = [
  ...[entries, entries.slice(0, 1), [], [...entries, ...entries]].flatMap((requests) =>
    ['open', 'ofA', 'ofB', 'tiny', 'tiny', 'slow', 'restricted', 'admin'].map((key) => ({
      ...{ method: 'POST', url: '/v1/batch', headers: json, key, body: JSON.stringify({ requests }) },
    })),
  ),
  ...['', '{', '[]', '{"requests":1}', '{"requests":[1,{"endpoint":1}]}', `{"requests":[${'['.repeat(40)}`].map(
    (body) => ({
      ...{ method: 'POST', url: '/v1/batch?x=1', headers: json, key: 'open', body },
    }),
  ),
  ...bodyTypes.flatMap((headers) =>
    ['/v1/batch', '/mcp', '/account/sign-up', '/account/key/rotate'].map((url) => ({
      ...{ method: 'POST', url, headers, key: 'open', body: '{}' },
    })),
  ),
  { method: 'POST', url: '/v1/batch', headers: json, body: '{}' },
  { method: 'POST', url: '/v1/batch', headers: json, key: 'open', body: ' '.repeat(1_100_000) },
  { method: 'POST', url: '/v1/batch', headers: { ...json, 'x-api-variant': 'c' }, key: 'open', body: '{}' },
  ...[
    call('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } }),
    call('tools/list', {}),
    call('tools/list', {}, 7),
    call('tools/call', { name: 'find_place', arguments: { q: 'paris' } }),
    call('tools/call', { name: 'about_country', arguments: { code: 'zz' } }),
    call('tools/call', { name: 'nonsense', arguments: {} }),
    call('nonsense', {}),
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    '{',
    'null',
    '[]',
  ].flatMap((body) =>
    ['open', 'restricted', ''].map((key) => ({ method: 'POST', url: '/mcp', headers: mcp, key, body })),
  ),
  {
    method: 'POST',
    url: '/mcp',
    headers: { ...mcp, authorization: 'Bearer wab_nonsense' },
    body: call('tools/list', {}),
  },
  ...['{}', '{"email":"a@example.org"}', '{"email":"x"}', '{"x":1}', '[]', '{'].map((body) => ({
    ...{ method: 'POST', url: '/account/sign-up', headers: json, body },
  })),
  { method: 'POST', url: '/account/sign-up/confirm', headers: json, body: '{"token":"x"}' },
  ...['{"name":"n"}', '{"networks":["10.0.0.0/8"]}', '{"networks":["x"]}', '{"origins":["nonsense"]}', '{"x":1}'].map(
    (body) => ({
      ...{ method: 'PATCH', url: '/account/key', headers: json, key: 'ofA', body },
    }),
  ),
  { method: 'POST', url: '/account/key/rotate', headers: json, key: 'ofB', body: '{"grace_hours":1}' },
  { method: 'POST', url: '/account/key/revoke', headers: json, key: 'ofB', body: '{}' },
  { method: 'GET', url: '/v1/country/DE', key: 'ofB' },
  { method: 'POST', url: '/account/key/rotate', headers: json, key: 'bound', body: '{}' },
  ...['{"name":"made"}', '{"plan":"nonsense"}', '{"endpoints":["serch"]}', '{"expires":"x"}', '{}'].map((body) => ({
    ...{ method: 'POST', url: '/admin/keys', headers: json, key: 'admin', body },
  })),
  ...['/admin/keys/4', '/admin/keys/999', '/admin/keys/x'].flatMap((url) => [
    { method: 'PATCH', url, headers: json, key: 'admin', body: '{"name":"other"}' },
    { method: 'POST', url: `${url}/revoke`, headers: json, key: 'admin', body: '{}' },
  ]),
  { method: 'POST', url: '/admin/keys', headers: json, key: 'open', body: '{}' },
  ...['/admin/keys', '/admin/log', '/admin/usage', '/admin/usage?format=csv'].map((url) => ({
    method: 'GET',
    url,
    key: 'admin',
  })),
];

const methods = ['GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PROPFIND'];
const formats = [
  '',
  '',
  '',
  '',
  '',
  'format=csv',
  'format=geojson',
  'format=xml',
  'variant=a',
  'variant=b',
  'variant=nonsense',
];
const headerSets: readonly Record<string, string>[] = [
  ...[{}, {}, {}, {}, { 'x-api-variant': 'a' }, { 'x-api-variant': 'B' }, { 'x-api-variant': 'c' }],
  ...[{ 'accept-encoding': 'br' }, { 'accept-encoding': 'gzip' }, { 'accept-encoding': 'gzip, deflate, br, zstd' }],
  ...[{ 'accept-encoding': 'br;q=0.1, gzip' }, { 'accept-encoding': 'identity' }, { 'accept-encoding': 'gzip;q=0, *' }],
  ...[
    { 'if-none-match': '*' },
    { 'if-none-match': 'known' },
    { 'if-none-match': 'known' },
    { 'if-none-match': 'W/"x", "y"' },
    { origin: 'https://example.org' },
    { accept: 'text/html' },
  ],
  ...[
    { 'x-request-id': 'mine.1' },
    { 'x-request-id': 'with blank' },
    { 'accept-language': 'de' },
    { range: 'bytes=0-10' },
  ],
  {
    origin: 'https://a.example',
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'x-api-key',
  },
  { 'x-forwarded-for': '8.8.8.8', 'x-forwarded-host': 'places.example', 'x-forwarded-proto': 'https' },
];
const keyNames = [
  'open',
  'open',
  'open',
  'open',
  'open',
  '',
  'restricted',
  'bound',
  'elsewhere',
  'expired',
  'admin',
  'wab_typo',
  'x',
];

/** That many requests: every path plainly, what has bodies, and paths with everything else at random. */
export function recordedRequests(count: number): RecordedRequest[] {
  const urls = [
    ...endpoints.flatMap(([path, valid, wrong]) =>
      [...valid, ...wrong].map((query) => `/v1/${path}${query && `?${query}`}`),
    ),
    ...others,
  ];
  const plain = urls.map((url) => ({ method: 'GET', url, key: 'open' }));
  const random = randomNumbers(23);
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const mixed = Array.from({ length: Math.max(0, count - plain.length - inOrder.length) }, (): RecordedRequest => {
    const url = one(urls);
    const format = one(formats);
    const key = one(keyNames);
    return {
      method: one(methods),
      url: format === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${format}`,
      headers: one(headerSets),
      ...(key === '' ? {} : { key }),
    };
  });
  return [...plain, ...mixed, ...inOrder];
}

/** Bytes on a connection of their own, whose whole answer is compared. */
export const rawRequests: readonly string[] = [
  'nonsense\r\n\r\n',
  'GET /health/live HTTP/1.1\r\n\r\n',
  'GET /health/live HTTP/1.0\r\n\r\n',
  'GET /health/live HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
  'GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET http://x/health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET /v1/search?q=m\u00fcnchen HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET / HTTP/1.1\r\nbad header\r\n\r\n',
  `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'y'.repeat(20_000)}\r\n\r\n`,
  `GET /${'y'.repeat(9000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  `GET /v1/country/${'y'.repeat(200)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  `GET /v1/nowhere/${'y'.repeat(200)} HTTP/1.1\r\nHost: x\r\nX-API-Key: KEY\r\nConnection: close\r\n\r\n`,
  'GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\nConnection: close\r\n\r\n',
  'GET /health/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\nGET /status2 HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n',
  'POST /v1/batch HTTP/1.1\r\nHost: x\r\nX-API-Key: KEY\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  'POST /v1/batch HTTP/1.1\r\nHost: x\r\nX-API-Key: KEY\r\nContent-Type: application/json\r\nContent-Length: x\r\n\r\n',
];
