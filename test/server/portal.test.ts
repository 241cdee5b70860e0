import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { endpoints } from '../../src/endpoints/index.ts';
import { type TestService, testService } from '../support/service.ts';

const pages = [
  '/',
  '/explorer',
  '/sign-up',
  '/account',
  '/operator',
  '/docs',
  '/docs/quick-start',
  '/docs/data',
  '/docs/errors',
];

suite('the portal', () => {
  let service: TestService;
  before(async () => {
    service = await testService(undefined);
  });
  after(() => service.close());
  const ask = (url: string, headers: Record<string, string> = {}) => service.ask(url, { key: null, headers });

  /** Addresses that a page loads or leads to, on this server. */
  const linksOf = (html: string) =>
    [...html.matchAll(/(?:src|href)="(\/[^"#]*)/g)].map(([, address]) => address.replaceAll('&amp;', '&'));

  test('every page that links lead to is there, and so is all that pages load', async () => {
    const seen = new Set<string>();
    const left = [...pages];
    while (left.length > 0) {
      const address = left.pop()!;
      if (seen.has(address)) continue;
      seen.add(address);
      const { status, headers, text } = await ask(address);
      assert.equal(status, 200, address);
      if (headers['content-type'].startsWith('text/html')) left.push(...linksOf(text));
    }
    for (const name of Object.keys(endpoints)) assert.ok(seen.has(`/docs/endpoints/${name}`), name);
  });

  test('the documentation is searched by words, its headings first, and each section found is there', async () => {
    const found = await ask('/docs/find?q=Time%20zone');
    assert.equal(found.status, 200);
    const links = [...found.text.matchAll(/<li><a href="([^"#]+)(?:#([^"]+))?">([^<]+)<\/a><br>/g)];
    assert.ok(links.length > 1);
    assert.match(links[0][3], /time zone|timezone/i);
    for (const [, path, id] of links) {
      const { text } = await ask(path);
      if (id) assert.ok(text.includes(`id="${id}"`), `${path}#${id}`);
    }
    assert.match((await ask('/docs/find?q=geocode%20--map')).text, /href="\/docs\/geocode"/);
    assert.match((await ask('/docs/find?q=%3Cscript%3E+qwertz')).text, /No section has “&lt;script&gt; qwertz”/);
    assert.match((await ask('/docs/find')).text, /Type a word/);
  });

  test('every module that a script imports is there', async () => {
    const files = globSync('src/web/**/*.js', { cwd: join(import.meta.dirname, '../..') });
    assert.ok(files.length > 15);
    for (const file of files) {
      const isInteractive = file.includes('src/web/docs/');
      const address = isInteractive ? `/docs/${file.split('/').at(-1)}` : file.replace('src/web', '/assets');
      const { status, text } = await ask(address);
      assert.equal(status, 200, address);
      for (const [, target] of text.matchAll(/(?:from |import |import\()'([./][^']*)'/g)) {
        const { pathname } = new URL(target, `http://localhost${address}`);
        assert.equal((await ask(pathname)).status, 200, `${pathname}, which ${address} imports`);
      }
    }
  });

  test('pages carry a strict policy and have no inline script, style or handler', async () => {
    for (const page of pages) {
      const { headers, text } = await ask(page);
      const policy = headers['content-security-policy'];
      assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self';/, page);
      assert.doesNotMatch(policy, /unsafe|https?:|\*/, page);
      assert.match(policy, /base-uri 'none'; form-action 'self'; frame-ancestors 'none'/, page);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
      assert.doesNotMatch(text, /<script>|<style|\sstyle="|\son\w+="|(?:src|action)="https?:/, page);
      assert.match(text, /<html lang="en">/);
      assert.equal([...text.matchAll(/<h1/g)].length, 1, `${page} has one main heading`);
    }
  });

  test('unchanged files are not sent again', async () => {
    for (const address of ['/', '/assets/common.css', '/assets/map/places.json']) {
      const first = await ask(address);
      assert.equal(first.headers['cache-control'], 'no-cache');
      const second = await ask(address, { 'if-none-match': first.headers.etag });
      assert.equal(second.status, 304, address);
      assert.equal(second.text, '');
      assert.equal(second.headers.etag, first.headers.etag);
    }
  });

  test('pages and files are compressed as the client accepts, with the same content', async () => {
    const plain = (await ask('/assets/common.css')).text;
    for (const [encoding, unpack] of Object.entries({ gzip: gunzipSync, br: brotliDecompressSync })) {
      const answer = await service.inject({ url: '/assets/common.css', headers: { 'accept-encoding': encoding } });
      assert.equal(answer.headers['content-encoding'], encoding);
      assert.equal(Number(answer.headers['content-length']), answer.rawPayload.length);
      assert.equal(unpack(answer.rawPayload).toString(), plain);
    }
  });

  test('its answers are logged and counted like any other', async (t) => {
    const answered: [string, number][] = [];
    const lines: string[] = [];
    const watched = await testService(t, {
      record: ({ endpoint }, status) => answered.push([endpoint, status]),
      logRequests: { withAddresses: false },
      logger: { level: 'info', stream: { write: (line: string) => lines.push(line) } },
    });
    const tag = (await watched.ask('/favicon.svg', { key: null })).headers.etag;
    await watched.ask('/favicon.svg', { key: null, headers: { 'if-none-match': tag } });
    await watched.ask('/docs', { key: null, headers: { 'accept-encoding': 'br' } });
    assert.deepEqual(answered, [
      ['portal', 200],
      ['portal', 304],
      ['portal', 200],
    ]);
    assert.equal(lines.filter((line) => line.includes('"path":"/docs"')).length, 1);
  });

  test('the page of an endpoint whose layer the dataset lacks says so', async (t) => {
    const bare = await testService(t, {
      small: { without: ['addresses', 'streets', 'pois', 'ip', 'postal', 'zones'] },
    });
    for (const [name, { layers }] of Object.entries(endpoints)) {
      const { status, text } = await bare.ask(`/docs/endpoints/${name}`, { key: null });
      assert.equal(status, 200, name);
      if (layers.some((layer) => !bare.holder.current!.manifest.layers[layer])) {
        assert.match(text, /This server has no answer: /, name);
      }
    }
  });

  test('HEAD answers without a body', async () => {
    const { status, text, headers } = await service.ask('/explorer', { method: 'HEAD', key: null });
    assert.equal(status, 200);
    assert.equal(text, '');
    assert.ok(Number(headers['content-length']) > 1000);
  });

  test('only listed files are served, whatever the path', async () => {
    const tries = [
      '/assets/',
      '/assets/../../package.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/assets/..%2f..%2fpackage.json',
    ];
    tries.push(
      '/assets/pages/home.html',
      '/assets/map/package.json',
      '/assets/common.css/',
      '/docs/dependencies',
      '/docs/../package.json',
    );
    tries.push('/assets/%00', '/assets/common.css%00.js', '//assets/common.css');
    for (const path of tries) {
      const { status, text } = await ask(path);
      assert.ok(status === 404 || status === 400 || path === '/assets/common.css/', `${path}: ${status}`);
      assert.ok(!text.includes('"devDependencies"'), path);
    }
  });

  test('the first page shows what the dataset holds, and switches as soon as another one is served', async (t) => {
    const { text } = await ask('/');
    assert.match(text, /data-record="postal_codes">9</);
    assert.match(text, /<code data-dataset>small-1</);
    assert.match(
      text,
      /<figcaption class="note">Addresses: .*Germany .* Places, regions, borders and time zones: everywhere/,
    );
    const coverage = (await ask('/assets/map/coverage.svg')).text;
    assert.match(coverage, /^<svg .*<path d="M\d.*<\/svg>$/);
    const data = (await ask('/docs/data')).text;
    assert.match(data, /CC0-1\.0/);
    assert.match(data, /Rows of the tests/);
    const other = await testService(t, { small: { version: 'small-2' } });
    const current = service.holder.current;
    service.holder.current = other.holder.current;
    assert.match((await ask('/')).text, /<code data-dataset>small-2</);
    service.holder.current = undefined;
    const starting = await ask('/');
    assert.equal(starting.status, 200);
    assert.match(starting.text, /no dataset is open yet/);
    assert.equal((await ask('/assets/map/places.json')).text, '[]');
    service.holder.current = current;
  });

  test('the page of the state is made and compressed once for all who ask in the same minute', async (t) => {
    const current = service.holder.current!;
    t.after(() => (service.holder.current = current));
    let reads = 0;
    service.holder.current = Object.create(current, {
      countries: { get: () => ++reads && current.countries },
    });
    const headers = { accept: 'text/html', 'accept-encoding': 'br' };
    for (let count = 0; count < 20; count++) assert.equal((await ask('/status', headers)).status, 200);
    assert.ok(reads > 0 && reads <= 4, `made ${reads} times`);
  });

  test('an endpoint has a page with its parameters, its answer and its errors', async () => {
    const { text } = await ask('/docs/endpoints/nearby');
    for (const { parameters } of [endpoints.nearby]) {
      for (const name of Object.keys(parameters.default.properties))
        assert.ok(text.includes(`<code>${name}</code>`), name);
    }
    for (const field of ['results[].distance_km', 'query_ms']) assert.ok(text.includes(`<code>${field}</code>`), field);
    assert.match(text, /href="\/docs\/errors\/missing_api_key"/);
    const example = /'http:\/\/localhost:8080(\/v1\/nearby[^']*)'/.exec(text);
    assert.ok(example);
    assert.equal((await service.ask(example[1].replaceAll('&amp;', '&'))).status, 200);
  });

  test('a page without the map weighs at most 300 KB compressed, its scripts at most 100 KB', async () => {
    for (const page of pages) {
      const seen = new Set<string>();
      const weigh = async (address: string): Promise<{ all: number; scripts: number }> => {
        if (seen.has(address) || address.startsWith('/assets/map/')) return { all: 0, scripts: 0 };
        seen.add(address);
        const { text, headers } = await ask(address);
        const type = headers['content-type'];
        const isScript = type.startsWith('text/javascript');
        const loaded = type.startsWith('text/html')
          ? [...text.matchAll(/(?:src|<link[^>]* href)="(\/[^"]+)"/g)].map(([, target]) => target)
          : isScript
            ? [...text.matchAll(/from '([^']+)'/g)].map(
                ([, target]) => new URL(target, `http://localhost${address}`).pathname,
              )
            : [];
        const bytes = gzipSync(text).length;
        const sum = { all: bytes, scripts: isScript ? bytes : 0 };
        for (const target of loaded) {
          const { all, scripts } = await weigh(target);
          sum.all += all;
          sum.scripts += scripts;
        }
        return sum;
      };
      const { all, scripts } = await weigh(page);
      assert.ok(all <= 300_000 && scripts <= 100_000, `${page}: ${all} bytes, scripts ${scripts}`);
      assert.ok(all > 3_000, `${page} is weighed at all: ${all}`);
    }
  });
});
