/**
 * The addresses of one OpenStreetMap file in Nominatim and in this service, asked the same over HTTP, one question after
 * the other on one connection: import, size, memory, processor time, waiting times, and how often the answer is right.
 *
 *     apt-get install postgresql-15-postgis-3 osm2pgsql osmium-tool
 *     python3 -m venv venv && venv/bin/pip install nominatim-db==5.3.3 nominatim-api==5.3.3 falcon uvicorn 'psycopg[binary]' asyncpg
 *     node scripts/node26.js bench/nominatim/run.ts <file.osm.pbf> <country> --nominatim venv [--data data] [--sample 150]
 *
 * PostgreSQL runs in a directory of its own, with the settings that Nominatim's manual recommends. `data` has the default
 * dataset, which is copied, so that only the import of the file is counted. A house is right within 25 m.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { distanceKm, type LatLng } from '../../src/core/geo.ts';
import { currentVersion } from '../../src/store/manifest.ts';
import { freePort } from '../../test/support/free-port.ts';
import { until } from '../../test/support/served.ts';
import { memoryMb, processorSeconds } from '../processes.ts';
import { type Form, forms } from '../quality/forms.ts';
import { addressesOf, draw, randomNumbers, type Sample } from '../quality/samples.ts';

const nearEnoughKm = 0.025;
const startMs = 300_000;
const settings = {
  shared_buffers: '256MB',
  work_mem: '50MB',
  maintenance_work_mem: '512MB',
  synchronous_commit: 'off',
  fsync: 'off',
  full_page_writes: 'off',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
};

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    nominatim: { type: 'string' },
    data: { type: 'string', default: 'data' },
    sample: { type: 'string', default: '150' },
  },
});
const [file, country] = positionals;
if (!country || !options.nominatim) throw new Error('usage: run.ts <file.osm.pbf> <country> --nominatim <environment>');
const nominatimProgram = resolve(options.nominatim, 'bin/nominatim');

const directory = mkdtempSync(join(tmpdir(), 'whereabouts-nominatim-'));
const endings: (() => unknown)[] = [];

/** The houses among a service's results, in order; `undefined` for results without a house number. */
type Peer = { name: string; pids: number[]; ask(text: string): Promise<(LatLng | undefined)[]> };

function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, ...env } });
  endings.push(async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  return child;
}

async function json(url: string, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(url, { headers });
  if (response.status === 404) return { results: [] };
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** Runs what an import takes, and says what that was. */
function imported(name: string, servers: readonly number[], act: () => void, bytes: () => number): void {
  const all = [process.pid, ...servers];
  const [startedAt, before] = [performance.now(), processorSeconds(all)];
  act();
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(
    `${name}: imported in ${seconds.toFixed(1)} s, ${(processorSeconds(all) - before).toFixed(1)} s of processor time, ${(bytes() / 1e6).toFixed(1)} MB`,
  );
}

/** PostgreSQL refuses to run as root. */
const asUser = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : [];

async function nominatim(): Promise<Peer> {
  const programs = execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim();
  const [port, socket] = [await freePort(), join(directory, 'postgres')];
  mkdirSync(socket);
  chmodSync(directory, 0o755);
  const run = (program: string, ...args: string[]) => {
    const [command, ...rest] = [...asUser, join(programs, program), ...args];
    return execFileSync(command, rest, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  };
  if (asUser.length > 0) execFileSync('chown', ['postgres', socket]);
  const database = join(socket, 'data');
  run('initdb', '-D', database, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8');
  const words = Object.entries({
    ...settings,
    port: String(port),
    unix_socket_directories: socket,
    listen_addresses: '',
  });
  const log = join(socket, 'log');
  const given = words.map(([name, value]) => `-c ${name}='${value}'`).join(' ');
  execFileSync(
    [...asUser, join(programs, 'pg_ctl')][0],
    [...asUser, join(programs, 'pg_ctl'), '-w', '-D', database, '-l', log, '-o', given, 'start'].slice(1),
    { stdio: 'ignore' },
  );
  endings.push(() => run('pg_ctl', '-D', database, '-m', 'immediate', 'stop'));
  const server = Number(readFileSync(join(database, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  const ask = (sql: string) =>
    run('psql', '-h', socket, '-p', String(port), '-U', 'postgres', '-Atc', sql, '-d', 'postgres');
  ask('CREATE ROLE "www-data" LOGIN');
  const project = join(directory, 'project');
  mkdirSync(project);
  const dsn = `pgsql:host=${socket};port=${port};dbname=nominatim;user=postgres`;
  writeFileSync(join(project, '.env'), `NOMINATIM_DATABASE_DSN="${dsn}"\n`);
  imported(
    'Nominatim',
    [server],
    () =>
      execFileSync(
        nominatimProgram,
        ['import', '-q', '--offline', '--project-dir', project, '--osm-file', file, '-j', '2'],
        {
          stdio: ['ignore', 'ignore', 'inherit'],
        },
      ),
    () => Number(ask("SELECT pg_database_size('nominatim')")),
  );
  const at = `127.0.0.1:${await freePort()}`;
  const child = start(nominatimProgram, ['serve', '--project-dir', project, '--server', at]);
  child.stdout.resume();
  const isUp = async () => (await fetch(`http://${at}/status`).catch(() => undefined))?.ok === true;
  await until('Nominatim answers', isUp, startMs);
  return {
    name: 'Nominatim',
    pids: [child.pid!, server],
    async ask(text) {
      const asked = {
        q: text,
        countrycodes: country.toLowerCase(),
        limit: '10',
        addressdetails: '1',
        format: 'jsonv2',
      };
      type Found = { lat: string; lon: string; address: { house_number?: string } };
      const results = (await json(`http://${at}/search?${new URLSearchParams(asked)}`)) as Found[];
      return results.map(({ lat, lon, address }) =>
        address.house_number === undefined ? undefined : { lat: Number(lat), lng: Number(lon) },
      );
    },
  };
}

async function ours(): Promise<Peer> {
  const data = join(directory, 'data');
  // Hard links would change the files of the original.
  cpSync(options.data, data, { recursive: true, filter: (path) => !/\/(jobs|keys[^/]*)$/.test(path) });
  const build = ['src/main.ts', 'build', '--data-directory', data, '--layer', 'streets', '--source', resolve(file)];
  const dataset = () => join(data, currentVersion(data)!);
  const own = /^(streets|pois)-.*\.sqlite$/;
  const before = new Set(readdirSync(dataset()));
  imported(
    'Whereabouts',
    [],
    () => execFileSync(process.execPath, build, { stdio: ['ignore', 'ignore', 'inherit'] }),
    () =>
      readdirSync(dataset())
        .filter((name) => own.test(name) && !before.has(name))
        .reduce((sum, name) => sum + statSync(join(dataset(), name)).size, 0),
  );
  const child = start(process.execPath, ['bench/http/server.ts', dataset()]);
  const { port, key } = JSON.parse(String((await once(child.stdout, 'data'))[0]));
  return {
    name: 'Whereabouts',
    pids: [child.pid!],
    async ask(text) {
      const query = new URLSearchParams({ q: text, country, limit: '10' });
      type Found = LatLng & { match_type: string };
      const answer = await json(`http://127.0.0.1:${port}/v1/address?${query}`, { 'x-api-key': key });
      const { results } = answer as { results: Found[] };
      return results.map((result) => (result.match_type === 'exact' ? result : undefined));
    },
  };
}

async function measure(peer: Peer, samples: readonly Sample[], form: Form) {
  const random = randomNumbers(7);
  const times: number[] = [];
  let [first, among] = [0, 0];
  const before = processorSeconds(peer.pids);
  for (const sample of samples) {
    const text = form.ask(sample, random);
    if (text === undefined) continue;
    const startedAt = performance.now();
    const houses = await peer.ask(text);
    times.push(performance.now() - startedAt);
    const isHit = houses.map((house) => house !== undefined && distanceKm(house, sample) <= nearEnoughKm);
    if (isHit[0]) first++;
    if (isHit.includes(true)) among++;
  }
  const processorMs = (1000 * (processorSeconds(peer.pids) - before)) / times.length;
  return { asked: times.length, first, among, processorMs, times: times.sort((a, b) => a - b) };
}

try {
  const samples = draw(addressesOf(file), Number(options.sample), randomNumbers(42));
  console.log(`${samples.length} addresses of ${basename(file)}, load average ${loadavg()[0].toFixed(0)}\n`);
  const peers = [await nominatim(), await ours()];
  // What either reads or compiles at its first questions is not counted.
  for (const peer of peers) await measure(peer, samples.slice(0, 50), forms[0]);
  console.log(
    '\n| asked as | service | first answer / among ten, % | processor time, ms | p50 / p99, ms |\n|---|---|---|---|---|',
  );
  for (const form of forms) {
    for (const peer of peers) {
      const { asked, first, among, processorMs, times } = await measure(peer, samples, form);
      const share = (part: number) => ((100 * part) / asked).toFixed(1);
      const at = (part: number) => times[Math.floor((asked - 1) * part)]?.toFixed(2);
      const cells = [
        form.name,
        peer.name,
        `${share(first)} / ${share(among)}`,
        processorMs.toFixed(1),
        `${at(0.5)} / ${at(0.99)}`,
      ];
      if (asked > 0) console.log(`| ${cells.join(' | ')} |`);
    }
  }
  for (const { name, pids } of peers) console.log(`\n${name}: ${memoryMb(pids).toFixed(0)} MB of memory`);
} finally {
  for (const end of endings.reverse()) await end();
  rmSync(directory, { recursive: true, force: true });
}
