/** Serves the portal: pages and files held in memory, each with a tag, compressed once when first asked for. */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Store } from '../store/store.ts';
import type { Call } from './call.ts';
import { type ContentEncoding, leastBytesToCompress, preferredEncoding } from './content-encoding.ts';
import { listsTag } from './etag.ts';
import { countersHtml, dataHtml, placesJson } from './portal/dataset-parts.ts';
import { docsPages } from './portal/docs-pages.ts';
import { readFiles, readText } from './portal/files.ts';
import { layOut, type PageContent } from './portal/layout.ts';
import type { Service } from './service.ts';

const html = 'text/html; charset=utf-8';

/** Nothing comes from elsewhere; the map's worker is a file of ours. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

type Asset = {
  type: string;
  body: Buffer;
  tag: string;
  encoded: Map<ContentEncoding, Promise<Buffer>>;
};

const pages: readonly (Omit<PageContent, 'body'> & { file: string })[] = [
  {
    path: '/',
    title: 'World location data',
    file: 'home.html',
    layout: 'wide',
    styles: ['/assets/home.css'],
    scripts: ['/assets/home.js'],
  },
  {
    path: '/explorer',
    title: 'Explorer',
    file: 'explorer.html',
    layout: 'wide',
    styles: ['/assets/explorer/explorer.css'],
    scripts: ['/assets/explorer/explorer.js'],
  },
  {
    path: '/sign-up',
    title: 'Sign up',
    file: 'sign-up.html',
    styles: ['/assets/account/account.css'],
    scripts: ['/assets/account/sign-up.js'],
  },
  {
    path: '/account',
    title: 'Account',
    file: 'account.html',
    styles: ['/assets/account/account.css'],
    scripts: ['/assets/account/account.js'],
  },
];

/** The routes of the portal, by path; what is not listed here is not served. `api` is the OpenAPI description. */
export function portalRoutes(service: Service, api: object): Record<string, (call: Call) => void> {
  const routes: Record<string, (call: Call) => void> = {};
  for (const [path, { type, body }] of Object.entries(readFiles())) {
    const asset = assetOf(type, body);
    routes[path] = (call) => sendAsset(service, call, asset);
  }
  const contents = [
    ...pages.map(({ file, ...page }) => ({ ...page, body: () => readText(`src/web/pages/${file}`) })),
    ...docsPages(api),
  ];
  for (const content of contents) {
    const pageOf = perDataset(html, fillIn(content));
    routes[content.path] = (call) => sendAsset(service, call, pageOf(service.store.current));
  }
  const placesOf = perDataset('application/json; charset=utf-8', placesJson);
  routes['/assets/map/places.json'] = (call) => sendAsset(service, call, placesOf(service.store.current));
  return routes;
}

/** What is to be filled in about the dataset, by the mark that a page has in its place. */
const parts: Record<string, (store: Store | undefined) => string> = {
  '{{counters}}': countersHtml,
  '{{data}}': dataHtml,
};

/** A page by dataset; its text is made once, when it is first asked for, so that the service starts without it. */
function fillIn(content: PageContent): (store: Store | undefined) => string {
  let text: string | undefined;
  return (store) => {
    const page = (text ??= layOut(content));
    const used = Object.keys(parts).filter((mark) => page.includes(mark));
    return used.reduce((filled, mark) => filled.replace(mark, () => parts[mark](store)), page);
  };
}

/** Something made from the dataset, made again only when another one is served. */
function perDataset(type: string, make: (store: Store | undefined) => string): (store: Store | undefined) => Asset {
  let known: { version: string | undefined; asset: Asset } | undefined;
  return (store) => {
    const version = store?.manifest.version;
    if (!known || known.version !== version) known = { version, asset: assetOf(type, Buffer.from(make(store))) };
    return known.asset;
  };
}

function assetOf(type: string, body: Buffer): Asset {
  return { type, body, tag: `W/"${hash('sha256', body, 'base64url').slice(0, 16)}"`, encoded: new Map() };
}

const compressors: Record<ContentEncoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (body) => promisify(gzip)(body, { level: 9 }),
};

function encodedAs(asset: Asset, encoding: ContentEncoding): Promise<Buffer> {
  let encoded = asset.encoded.get(encoding);
  if (!encoded) asset.encoded.set(encoding, (encoded = compressors[encoding](asset.body)));
  return encoded;
}

/** Answers with an asset, or 304 where the client has it; it asks each time, so that a new version shows at once. */
function sendAsset(service: Service, call: Call, asset: Asset): void {
  const { request, response } = call;
  const headers: Record<string, string> = {
    'Content-Type': asset.type,
    ETag: asset.tag,
    'Cache-Control': 'no-cache',
    Vary: 'Accept-Encoding',
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Request-Id': call.requestId,
    ...(service.isClosing ? { Connection: 'close' } : {}),
  };
  const known = request.headers['if-none-match'];
  if (known !== undefined && (known.trim() === '*' || listsTag(known, asset.tag))) {
    response.writeHead(304, headers).end();
    return;
  }
  const finish = (body: Buffer) => {
    headers['Content-Length'] = String(body.length);
    response.writeHead(200, headers).end(body);
  };
  const isSmall = asset.body.length < leastBytesToCompress;
  const encoding = isSmall ? undefined : preferredEncoding(request.headers['accept-encoding'] as string | undefined);
  if (!encoding) {
    finish(asset.body);
    return;
  }
  encodedAs(asset, encoding).then(
    (body) => {
      headers['Content-Encoding'] = encoding;
      finish(body);
    },
    (error) => {
      service.log.error({ err: error, request_id: call.requestId }, 'a page could not be compressed');
      response.destroy();
    },
  );
}
