/**
 * The service next to PostGIS and pg_trgm with the same places: what is near a point, what a text means with and
 * without a typing mistake, what a few letters suggest. Both are queried over HTTP on one connection, one question
 * after the other; in front of the database stands a server of node:http alone, without keys or quotas. The table goes
 * into docs/internal/peers.md.
 *
 *     cd bench/postgis && npm ci
 *     node scripts/node26.js bench/postgis/run.ts --data data --postgres 'postgres:///postgres?host=/tmp/pg&port=5455&user=postgres'
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, createServer, get } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { openDataset } from '../../src/api/open.ts';
import { distanceKm, type LatLng } from '../../src/core/geo.ts';
import { currentVersion } from '../../src/store/manifest.ts';
import type { Place } from '../../src/store/store.ts';
import { fold } from '../../src/text/fold.ts';
import { replacePart, tableOf } from '../quality/page.ts';
import { draw, randomNumbers } from '../quality/samples.ts';
import { type Client, loadPlaces, statements } from './database.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: 'data' },
    postgres: { type: 'string' },
    questions: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
  },
});
const version = currentVersion(options.data);
if (version === undefined || !options.postgres) throw new Error('usage: run.ts --data <data> --postgres <address>');
const { Client: PgClient } = createRequire(import.meta.url)('pg') as { Client: new (address: string) => Client };

const store = openDataset(join(options.data, version));
const places = Array.from({ length: store.places.size }, (_, index) => store.places.get(index)).filter(
  ({ layer }) => layer === 'place',
);

/** A question in the form that each of the two takes, and the place that it means, if any. */
type Question = { theirs: string; ours: string; meant?: LatLng };
const parameters = (values: Record<string, string | number>) =>
  new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString();

/** A name with a letter missing, doubled, replaced or two swapped, after its first two. */
function misspelled(name: string, random: () => number): string {
  const letters = [...name];
  const at = 2 + Math.floor(random() * (letters.length - 3));
  const kind = Math.floor(random() * 4);
  if (kind === 0) letters.splice(at, 1);
  else if (kind === 1) letters.splice(at, 0, letters[at]);
  else if (kind === 2) letters[at] = letters[at] === 'e' ? 'a' : 'e';
  else [letters[at], letters[at + 1]] = [letters[at + 1], letters[at]];
  return letters.join('');
}

function questionsOf(): Record<string, Question[]> {
  const random = randomNumbers(1);
  const count = Number(options.questions);
  const anywhere = draw(places, count, random);
  const known = draw(places.slice(0, 20_000), count, random).filter(({ name }) => /^[\p{L} -]{6,}$/u.test(name));
  const near = ({ lat, lng }: Place) => parameters({ lat: (lat + 0.02).toFixed(5), lng: (lng + 0.02).toFixed(5) });
  const named = (texts: (place: Place) => string) =>
    known.map((place) => {
      const q = parameters({ q: texts(place) });
      return { theirs: `/search?${q}`, ours: `/v1/search?${q}`, meant: place };
    });
  return {
    'nearest place of a point': anywhere.map((place) => ({
      theirs: `/nearby?${near(place)}&limit=1&km=50`,
      ours: `/v1/nearby?${near(place)}&limit=1&radius=50`,
    })),
    'ten places within 10 km': anywhere.map((place) => ({
      theirs: `/nearby?${near(place)}&limit=10&km=10`,
      ours: `/v1/nearby?${near(place)}&limit=10&radius=10`,
    })),
    'a name': named(({ name }) => name),
    'a name with a typing mistake': named(({ name }) => misspelled(name, random)),
    'three letters': known.map(({ name }) => {
      const q = parameters({ q: [...name].slice(0, 3).join('') });
      return { theirs: `/begins?${q}`, ours: `/v1/autocomplete?${q}` };
    }),
    'five letters': known.map((place) => {
      const q = parameters({ q: [...place.name].slice(0, 5).join('') });
      return { theirs: `/begins?${q}`, ours: `/v1/autocomplete?${q}`, meant: place };
    }),
  };
}

/** A server of node:http that answers from the database, with a function that closes it. */
async function serveDatabase(client: Client): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const number = (name: string) => Number(searchParams.get(name));
    const text = fold(searchParams.get('q') ?? '');
    const answered = {
      '/nearby': () =>
        client.query(statements.nearby([number('lng'), number('lat'), number('km') * 1000, number('limit')])),
      '/search': () => client.query(statements.search([text])),
      '/begins': () => client.query(statements.begins([text])),
    }[pathname]!();
    answered.then(
      ({ rows }) => {
        const body = JSON.stringify({ results: rows, count: rows.length });
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
        response.end(body);
      },
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

/** The service in a process of its own. */
async function serveOurs(): Promise<{ url: string; key: string; pid: number; close(): void }> {
  const script = join(import.meta.dirname, '../http/server.ts');
  const child = spawn(process.execPath, [script, join(options.data, version!)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(child.stdout!)) {
    const { port, key } = JSON.parse(line) as { port: number; key: string };
    return { url: `http://127.0.0.1:${port}`, key, pid: child.pid!, close: () => child.kill('SIGTERM') };
  }
  throw new Error('the service ended before it served');
}

type Measured = { ms: number[]; cpuUs: number; found: number; first: number; meant: number };
/** Processor time of a process so far, µs; of Linux. */
const cpuUsOf = (pid: number) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function ask(url: string, key: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = get(url, { agent, headers: { 'x-api-key': key } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => (text += piece));
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    sent.on('error', reject);
  });
}

type Service = { url: string; key: string; pid: number; paths: readonly string[] };

async function measure({ url, key, pid, paths }: Service, questions: readonly Question[]): Promise<Measured> {
  const measured: Measured = { ms: [], cpuUs: 0, found: 0, first: 0, meant: 0 };
  const cpuBefore = cpuUsOf(pid);
  for (const [at, path] of paths.entries()) {
    const from = performance.now();
    const { status, text } = await ask(url + path, key);
    measured.ms.push(performance.now() - from);
    if (status !== 200 && status !== 404) throw new Error(`${path}: ${status} ${text}`);
    const { results = [] } = JSON.parse(text) as { results?: LatLng[] };
    const { meant } = questions[at];
    if (!meant) continue;
    measured.meant++;
    const isMeant = ({ lat, lng }: LatLng) => distanceKm(meant, { lat, lng }) < 5;
    if (results.length > 0 && isMeant(results[0])) measured.first++;
    if (results.slice(0, 10).some(isMeant)) measured.found++;
  }
  measured.cpuUs = (cpuUsOf(pid) - cpuBefore) / paths.length;
  return measured;
}

const client = new PgClient(options.postgres);
await client.connect();
const loadedMs = await loadPlaces(client, places);
const { rows } = await client.query('SELECT pg_total_relation_size($1) AS bytes', ['places']);
const [{ pid: backend }] = (await client.query('SELECT pg_backend_pid() AS pid')).rows as { pid: number }[];
const theirs = await serveDatabase(client);
const ours = await serveOurs();
try {
  const table: string[][] = [];
  for (const [kind, questions] of Object.entries(questionsOf())) {
    const services: Service[] = [
      { url: theirs.url, key: '', pid: backend, paths: questions.map((question) => question.theirs) },
      { ...ours, paths: questions.map((question) => question.ours) },
    ];
    const best = services.map(() => ({ p50: Infinity, p99: Infinity, cpuUs: Infinity, hits: '' }));
    for (let round = 0; round < Number(options.rounds); round++) {
      for (const [at, service] of services.entries()) {
        const { ms, cpuUs, first, found, meant } = await measure(service, questions);
        ms.sort((one, other) => one - other);
        best[at].p50 = Math.min(best[at].p50, ms[Math.floor(ms.length / 2)]);
        best[at].p99 = Math.min(best[at].p99, ms[Math.floor(ms.length * 0.99)]);
        best[at].cpuUs = Math.min(best[at].cpuUs, cpuUs);
        const share = (part: number) => ((100 * part) / meant).toFixed(1);
        best[at].hits = meant === 0 ? '' : `${share(first)} / ${share(found)}`;
      }
    }
    const [database, service] = best;
    const shown = ({ p50, p99 }: { p50: number; p99: number }) => `${p50.toFixed(2)} / ${p99.toFixed(2)}`;
    table.push([
      ...[kind, database.cpuUs.toFixed(0), service.cpuUs.toFixed(0), (database.cpuUs / service.cpuUs).toFixed(1)],
      ...[shown(database), shown(service), database.hits, service.hits],
    ]);
    console.log(table.at(-1)!.join('\t'));
  }
  const when = new Date().toISOString().slice(0, 16).replace('T', ' ');
  const { rows: versions } = await client.query('SELECT version(), postgis_lib_version() AS postgis', []);
  replacePart(
    'postgis',
    [
      `${when} UTC, dataset ${version}, ${places.length} places, ${options.questions} questions of a kind at most, the best of ` +
        `${options.rounds} rounds, load average ${loadavg()[0].toFixed(0)} on two processors. ` +
        `${String(versions[0].version).split(' (')[0]}, PostGIS ${versions[0].postgis}. Loading and indexing took the database ` +
        `${(loadedMs / 1000).toFixed(0)} s and ${(Number(rows[0].bytes) / 2 ** 20).toFixed(0)} MB.`,
      tableOf(
        [
          ...['question', 'processor time, µs: database', 'ours', 'ratio'],
          ...['p50 / p99, ms: database', 'ours', 'first / among ten, %: database', 'ours'],
        ],
        table,
      ),
    ],
    'peers.md',
  );
} finally {
  ours.close();
  theirs.close();
  agent.destroy();
  await client.end();
  store.close();
}
