import type { Store } from '../../src/store/store.ts';
import { benchQueries } from './queries.ts';

export type Question = { path: string; headers?: Record<string, string>; body?: string };

/** The requests to a service, by kind, covering everything that it answers. Each list is sent in turn. */
export function questions(store: Store): Record<string, Question[]> {
  const paths = Object.values(benchQueries(store))
    .flat()
    .filter((path) => !path.includes('\t'));
  const positions = Array.from({ length: 500 }, (_, i) => store.places.get((i * 331) % store.places.size));
  const languages = ['de', 'fr', 'ja', 'ar', 'ru', 'zh', 'es', 'pt-BR', 'hi', 'th'];
  const typed = (body: object) => ({
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(body),
  });
  const batchOf = (i: number) =>
    positions.slice(i % 400, (i % 400) + 100).map(({ lat, lng, name }, at) => {
      const parameters = [{ lat, lng }, { q: name }, { city: name }][at % 3];
      return { endpoint: ['nearby', 'search', 'sun'][at % 3], params: parameters };
    });
  const lang = (path: string, i: number) => `${path}&lang=${languages[i % languages.length]}`;
  const isNamed = (path: string) => /^\/v1\/(search|nearby|reverse|autocomplete)\?/.test(path);
  const tool = (name: string, args: object) =>
    typed({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
  return {
    api: [
      ...paths.map((path) => ({ path })),
      ...paths.filter(isNamed).map((path, i) => ({ path: lang(path, i) })),
      ...paths.filter(isNamed).map((path) => ({ path: `${path}&format=${path.includes('near') ? 'geojson' : 'csv'}` })),
      ...paths.map((path, i) => ({ path: `${path}${path.includes('?') ? '&' : '?'}variant=${'ab'[i % 2]}` })),
      ...positions.flatMap(({ lat, lng, name }) => [
        { path: `/v1/pois?lat=${lat}&lng=${lng}` },
        { path: `/v1/streets?lat=${lat}&lng=${lng}` },
        { path: `/v1/address?q=${encodeURIComponent(`1 ${name}`)}` },
      ]),
    ],
    batch: positions.map((_, i) => ({
      path: '/v1/batch',
      ...typed({ requests: batchOf(i) }),
    })),
    mcp: positions.map(({ lat, lng }, i) => ({
      path: '/mcp',
      ...(i % 10 === 0
        ? typed({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
        : tool('reverse_geocode', { lat, lng })),
    })),
    portal: [
      '/',
      '/docs',
      '/docs/endpoints/search',
      '/docs/quick-start',
      '/docs/errors',
      '/docs/data',
      '/explorer',
      '/openapi.json',
      '/status',
      '/account',
      '/sign-up',
    ].flatMap((path) =>
      ['gzip', 'br', ''].map((encoding) => ({ path, headers: { accept: 'text/html', 'accept-encoding': encoding } })),
    ),
    refused: positions.flatMap(({ name }, i) => [
      { path: `/v1/nothing/${i}` },
      { path: `/v1/nearby?lat=${90 + i}&lng=0` },
      { path: '/v1/search?q=', headers: { 'x-api-key': `wab_${encodeURIComponent(name)}` } },
      { path: '/v1/batch', ...typed({ requests: [i] }) },
    ]),
  };
}
