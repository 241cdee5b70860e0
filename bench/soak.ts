/**
 * A service under a lasting load of everything it answers: endpoints in all profiles and formats, batches, MCP, the
 * portal's pages, refusals. Prints a line an interval: answers, p50 and p99, memory of its own (anonymous) and pages of
 * mapped files, which the system takes back when it needs them. Then it rests, and prints what is given back.
 *
 *     node bench/soak.ts --data data --minutes 10 [--rest 60] [--pause 0] [--only api,portal] [--workers 1] [--flags --expose-gc]
 *     node bench/soak.ts --draw <file with these lines>     draws them as docs/internal/plots/soak.svg
 *
 * `--pause` is how long a client rests after each answer, ms: half the load is about as long as an answer takes.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDataset } from '../src/api/open.ts';
import { currentVersion } from '../src/store/manifest.ts';
import { type Question, questions } from './http/questions.ts';
import { plotFile, writeChart } from './plot.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: 'data' },
    minutes: { type: 'string', default: '10' },
    lines: { type: 'string', default: '20' },
    rest: { type: 'string', default: '60' },
    clients: { type: 'string', default: '16' },
    pause: { type: 'string', default: '0' },
    workers: { type: 'string', default: '1' },
    only: { type: 'string' },
    flags: { type: 'string', default: '' },
    draw: { type: 'string' },
  },
});
if (options.draw !== undefined) {
  draw(readFileSync(options.draw, 'utf8'));
  process.exit();
}
const root = join(import.meta.dirname, '..');
const version = currentVersion(options.data);
if (version === undefined) throw new Error(`there is no dataset in ${options.data}; name another with --data`);

const directory = mkdtempSync(join(tmpdir(), 'whereabouts-soak-'));
symlinkSync(resolve(options.data, version), join(directory, version));
writeFileSync(join(directory, 'current'), version);
const unlimited = 1_000_000_000;
const config = join(directory, 'settings.json');
writeFileSync(
  config,
  JSON.stringify({
    ...{ dataDirectory: directory, port: 0, metrics: '127.0.0.1:0', maxLagMs: 0, workers: Number(options.workers) },
    plans: { open: { callsPerDay: unlimited, callsPerSecond: unlimited, burst: unlimited, batchSize: 100 } },
  }),
);
const main = join(root, 'src/main.ts');
const made = execFileSync(process.execPath, [main, 'keys', 'create', '--plan', 'open', '--json', '--config', config]);
const { key } = JSON.parse(String(made)) as { key: string };
const flags = options.flags.split(' ').filter(Boolean);
const child = spawn(process.execPath, [...flags, 'bin/whereabouts.js', 'serve', '--config', config], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
});

type Ready = { address: string; metrics: string };
/** Waits until the service serves; from then on its errors are printed. */
function ready(): Promise<Ready> {
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('the service ended before it served')));
    createInterface(child.stdout!).on('line', (line) => {
      if (!line.startsWith('{')) return console.log(line); // traces of V8, by --flags
      const entry = JSON.parse(line) as Ready & { msg: string; level: number };
      if (entry.msg === 'serving') resolve(entry);
      if (entry.level >= 50) console.error(line);
    });
  });
}

const ms: number[] = [];
const statuses = new Map<string, number>();
let isOver = false;

async function client(address: string, questions: readonly Question[], start: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  // Steps that share no factor with most lengths, so that the kinds come mixed.
  for (let at = start; !isOver; at += 7919) {
    const { path, headers = {}, body } = questions[at % questions.length];
    const from = performance.now();
    const status = await new Promise<string>((done) => {
      const method = body === undefined ? 'GET' : 'POST';
      const sent = request(address + path, { agent, method, headers: { 'x-api-key': key, ...headers } });
      sent.on('response', (response) => response.resume().on('end', () => done(String(response.statusCode))));
      sent.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
      sent.end(body);
    });
    ms.push(performance.now() - from);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (Number(options.pause) > 0) await wait(Number(options.pause));
  }
  agent.destroy();
}

type Use = { anonymous: number; files: number; heap: number; cpuSeconds: number };

/** MB of the service's processes, those of the supervisor's workers included. */
function residentMb(part: 'RssAnon' | 'RssFile', pid = child.pid): number {
  const kb = new RegExp(`${part}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + residentMb(part, Number(child)), Number(kb) / 1024);
}

async function useOf(metrics: string): Promise<Use> {
  const text = await (await fetch(metrics)).text();
  const sum = (name: string) =>
    [...text.matchAll(new RegExp(`^whereabouts_${name}\\{.*\\} ([\\d.]+)`, 'gm'))].reduce(
      (all, [, n]) => all + Number(n),
      0,
    );
  return {
    anonymous: residentMb('RssAnon'),
    files: residentMb('RssFile'),
    heap: sum('heap_bytes') / 2 ** 20,
    cpuSeconds: sum('cpu_seconds_total'),
  };
}

try {
  const { address, metrics } = await ready();
  const wanted = options.only?.split(',');
  const store = openDataset(join(options.data, version));
  const kinds = Object.entries(questions(store)).filter(([kind]) => wanted?.includes(kind) ?? true);
  store.close();
  const clients = Array.from({ length: Number(options.clients) }, (_, i) =>
    client(address, kinds[i % kinds.length][1], i * 101),
  );
  const columns = ['minutes', 'answers', 'p50 ms', 'p99 ms', 'CPU µs', 'anonymous MB', 'heap MB', 'files MB'];
  const memoryOf = ({ anonymous, heap, files }: Use) => [anonymous, heap, files].map((mb) => mb.toFixed(0));
  console.log(columns.join('\t'));
  const lines = Number(options.lines);
  const intervalMs = (Number(options.minutes) * 60_000) / lines;
  let before = await useOf(metrics);
  console.log(['0.0', 0, '', '', '', ...memoryOf(before)].join('\t'));
  for (let line = 1; line <= lines; line++) {
    await wait(intervalMs);
    const sorted = ms.splice(0).sort((one, other) => one - other);
    const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
    const use = await useOf(metrics);
    const cpu = ((use.cpuSeconds - before.cpuSeconds) / sorted.length) * 1e6;
    const minutes = ((line * intervalMs) / 60_000).toFixed(1);
    console.log([minutes, sorted.length, at(0.5), at(0.99), cpu.toFixed(0), ...memoryOf(use)].join('\t'));
    before = use;
  }
  isOver = true;
  await Promise.all(clients);
  console.log(Object.fromEntries(statuses));
  for (let rested = 0; rested < Number(options.rest); rested += 10) {
    await wait(10_000);
    console.log(['at rest', '', '', '', '', ...memoryOf(await useOf(metrics))].join('\t'));
  }
} finally {
  child.kill('SIGTERM');
  await once(child, 'exit');
  rmSync(directory, { recursive: true });
}

function draw(lines: string): void {
  const rows = lines
    .split('\n')
    .filter((line) => /^[1-9\d.]+\t/.test(line))
    .map((line) => line.split('\t').map(Number));
  const column = (at: number) => rows.map((row) => row[at]);
  const minutes = column(0);
  writeChart(plotFile('soak'), {
    title: 'A lasting load of everything that is answered',
    x: { title: 'minutes', values: minutes },
    panels: [
      {
        title: 'waiting, ms',
        isLog: true,
        series: [
          { name: 'p50', values: column(2).map((ms) => ms || undefined) },
          { name: 'p99', values: column(3).map((ms) => ms || undefined) },
        ],
      },
      {
        title: 'processor time of an answer, µs',
        isLog: true,
        series: [{ name: 'service', values: column(4).map((us) => us || undefined) }],
      },
      {
        title: 'memory, MB',
        series: [
          { name: 'anonymous', values: column(5) },
          { name: 'V8 heap in use', values: column(6) },
          { name: 'pages of files', values: column(7) },
        ],
      },
    ],
  });
}
