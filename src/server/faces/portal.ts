/** Serves the portal: pages and files held in memory, each with a tag, compressed once when first requested. */
import negotiate from '@fastify/accept-negotiator';
import { coverageByCountry } from '../../endpoints/coverage.ts';
import { type Store, whenFound } from '../../store/store.ts';
import { queryOf } from '../call.ts';
import { jsonType } from '../route.ts';
import { assetAnswer } from '../send.ts';
import {
  Asset,
  type Call,
  type HttpAnswer,
  perDataset,
  type Route,
  type Service,
  type StoreHolder,
} from '../service.ts';
import type { ApiRoute } from './openapi.ts';
import { type BaseMapOptions, readBaseMap } from './portal/base-map.ts';
import { countersHtml, coverageSvg, coverageText, dataHtml, placesJson, startHtml } from './portal/dataset-parts.ts';
import { documentation } from './portal/docs-pages.ts';
import { exampleAnswerHtml } from './portal/endpoint-page.ts';
import { escapeHtml, importsOf, layOut, type PageContent, readFiles, readText } from './portal/files.ts';
import { exampleOf, type PageOperation, pageOperations } from './portal/operations.ts';

const html = 'text/html; charset=utf-8';

/** Nothing comes from elsewhere but what a map loads from `origins`; the map's worker is a file of ours. */
const policyHeadersFor = (origins: readonly string[]) => [
  'Content-Security-Policy',
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
    `connect-src ${["'self'", ...origins].join(' ')}; ` +
    "worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'Referrer-Policy',
  // Servers of tiles ask which site shows them.
  origins.length > 0 ? 'strict-origin' : 'no-referrer',
  'Cross-Origin-Opener-Policy',
  'same-origin',
];
/** The headers of every page. */
const policyHeaders = policyHeadersFor([]);

/** A part of the portal, at a path. */
const part = (path: string, assetOf: () => Asset, headers = policyHeaders): Route => ({
  name: 'portal',
  method: 'GET',
  path,
  handle: (call) => whenFound(() => assetAnswer(call, assetOf(), { headers })),
});

/** The pages that are written by hand, with the files of their texts. */
const readPages = (): (Omit<PageContent, 'body'> & { file: string })[] =>
  JSON.parse(readText('src/web/pages/pages.json'));

/** The names on the map, by file, with how many there are in it: on the first picture, and on the map itself. */
const placeFiles = { 'cities.json': 150, 'places.json': 5000 };

/**
 * The routes of the documentation, with the API's description `api` and the files of all pages, and those of the portal,
 * which need them; what is not listed here is not served.
 */
export function pageRoutes(
  service: Service,
  api: object,
  routes: readonly ApiRoute[],
  map: BaseMapOptions,
): { docs: Route[]; portal: Route[] } {
  const { store } = service;
  const files = readFiles();
  const operations = pageOperations(routes);
  const baseMap = readBaseMap(service, map);
  const parts = { ...partsOf(operations), '{{map}}': () => baseMap.attribute };
  const description = new Asset(jsonType, JSON.stringify(api));
  const { pages, search } = documentation(operations);
  const routeOf = (page: PageContent) => {
    const { scripts = [] } = page;
    const content = { ...page, preloads: scripts.flatMap((script) => importsOf(script, files)) };
    const pageOf = perDataset(html, fillIn(content, parts));
    const headers = page.path === '/explorer' || page.path === '/' ? policyHeadersFor(baseMap.origins) : policyHeaders;
    return part(page.path, () => pageOf(store.current), headers);
  };
  const docs = [
    {
      name: 'openapi',
      method: 'GET',
      path: '/openapi.json',
      handle: (call: Call) => assetAnswer(call, description),
    } as const,
    ...Object.entries(files).map(([path, { type, body }]) => {
      const asset = new Asset(type, body);
      return part(path, () => asset);
    }),
    ...pages.map(routeOf),
    searchRoute(search),
  ];
  const coverageOf = perDataset('image/svg+xml', coverageSvg);
  const portal = [
    ...baseMap.routes,
    ...readPages().map(({ file, ...page }) => routeOf({ ...page, body: () => readPage(file) })),
    part('/assets/map/coverage.svg', () => coverageOf(store.current)),
    ...Object.entries(placeFiles).map(([name, maxPlaces]) => {
      const placesOf = perDataset(jsonType, (current) => placesJson(current, maxPlaces));
      return part(`/assets/map/${name}`, () => placesOf(store.current));
    }),
  ];
  return { docs, portal };
}

/** What a text is found in: a page of its own for each text, which nobody keeps. */
const searchRoute = (search: (text: string) => PageContent): Route => ({
  name: 'portal',
  method: 'GET',
  path: '/docs/find',
  handle(call) {
    const page = search(String(queryOf(call).query.q ?? ''));
    return {
      status: 200,
      headers: ['Content-Type', html, 'Cache-Control', 'no-store', ...policyHeaders],
      body: layOut(page),
    };
  },
});

/** The page for browsers whose page does not exist; programs get a problem document. */
export function missingPage(): (call: Call) => HttpAnswer {
  let asset: Asset | undefined;
  const content: PageContent = {
    path: '/404',
    title: 'No such page',
    description: 'There is no page at this address.',
    body: () => readPage('missing.html'),
  };
  return (call) => {
    call.endpoint = 'portal';
    return assetAnswer(call, (asset ??= new Asset(html, layOut(content))), { status: 404, headers: policyHeaders });
  };
}

/** Whether a request is for a page, as browsers' are, rather than a program's: it prefers HTML to JSON. */
export const wantsPage = ({ method, headers: { accept = '' } }: Call['request']): boolean => {
  // The negotiator is for encodings: its values have no parameters. Who takes anything is no browser.
  const types = accept
    .toLowerCase()
    .replace(/\*\/\*[^,]*/g, '')
    .replace(/;(?!\s*q=)[^;,]*/g, '');
  return (method === 'GET' || method === 'HEAD') && negotiate(types, ['application/json', 'text/html']) === 'text/html';
};

/** One of our pages, optionally with the part that offers keys. */
const readPage = (file: string) =>
  readText(`src/web/pages/${file}`).replace('{{key-wanted}}', () => readText('src/web/pages/key-wanted.html'));

type Parts = Record<string, (store: Store | undefined) => string>;

/** The dataset-dependent parts of a page, by placeholder. */
function partsOf(operations: readonly PageOperation[]): Parts {
  const parts: Parts = {
    '{{counters}}': countersHtml,
    '{{coverage}}': coverageText,
    '{{data}}': dataHtml,
    '{{start}}': startHtml,
  };
  for (const page of operations) {
    const { id, operation } = page;
    parts[`{{answer:${id}}}`] = (store) =>
      operation ? exampleAnswerHtml(operation, exampleOf(page).parameters, store) : '';
  }
  return parts;
}

/** A page by dataset; its text is made once, when it is first requested, so that the service starts without it. */
function fillIn(content: PageContent, parts: Parts): (store: Store | undefined) => string {
  let text: string | undefined;
  return (store) => {
    text ??= layOut(content);
    return text.replace(/\{\{\w+(:\w+)?\}\}/g, (mark) => parts[mark]?.(store) ?? mark);
  };
}

const streetLayers = ['addresses', 'streets', 'pois'] as const;
const country = new Intl.DisplayNames('en', { type: 'region' });

/** The page of `/status`. */
export function statusPage({ store, version }: Service): Route['handle'] {
  const pageOf = perDataset(html, () => layOut({ ...page, body: () => statusHtml(store, version) }));
  const headers = [...policyHeaders, 'Vary', 'Accept, Accept-Encoding'];
  const asset = () => pageOf(store.current, `${store.isStopping} ${uptime(process.uptime())}`);
  return (call) => whenFound(() => assetAnswer(call, asset(), { headers }));
}

const page = { path: '/status', title: 'Status', description: 'The state of this server and of its dataset.' };

function statusHtml({ current, isStopping }: StoreHolder, version: string): string {
  const state = isStopping ? 'The server is stopping.' : current ? 'The server answers.' : 'The server is starting.';
  return `<h1>Status</h1>
<p class="lead">${state} Version ${escapeHtml(version)}, running for ${uptime(process.uptime())}. Programs get
the same as JSON.</p>
${comingHtml(current)}${countersHtml(current)}
${current ? coverageHtml(current) : ''}
<p><a href="/docs/data">Sources, versions and licences</a></p>`;
}

const comingHtml = (store: Store | undefined) =>
  store?.manifest.coming ? `<p>Still being built: ${escapeHtml(store.manifest.coming.join(', '))}.</p>` : '';

/** The countries with streets, addresses or points, and how many; everywhere else there is none of them. */
function coverageHtml(store: Store): string {
  const rows = Object.entries(coverageByCountry(store) as Record<string, Record<string, { records: number }>>)
    .map(([code, layers]) => ({ code, counts: streetLayers.map((layer) => layers[layer]?.records ?? 0) }))
    .filter(({ counts }) => counts.some((count) => count > 0))
    .sort((a, b) => b.counts[0] - a.counts[0])
    .map(({ code, counts }) => {
      const cells = counts.map((count) => `<td>${count.toLocaleString('en')}</td>`).join('');
      return `<tr><th scope="row">${escapeHtml(country.of(code) ?? code)}</th>${cells}</tr>`;
    });
  if (rows.length === 0) return '<p>The dataset has no streets or addresses.</p>';
  return `<h2>Where there are addresses</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Records by country"><table>
<tr><th scope="col">Country</th>${streetLayers.map((layer) => `<th scope="col">${layer === 'pois' ? 'points of interest' : layer}</th>`).join('')}</tr>
${rows.join('\n')}
</table></div>`;
}

function uptime(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}
