/**
 * What a client at one address meets while another address floods the service: its longest and its median wait on new
 * connections and on a kept one, and the service's largest resident memory (all processes).
 *
 *     node bench/floods.ts [--data data] [--workers 1] [--seconds 8] [--behind nginx] [--only batches,searches] [--rest 60]
 *
 * The service is `serve` with 200 connections and its usual limits and plans, but for the calls of a day; `--behind` nginx or
 * caddy as `deploy/` sets it up. Floods come from 127.0.0.3 (and the addresses behind it), the client is 127.0.0.2; `--rest`: memory
 * is read again that many seconds later. Needs Linux.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { currentVersion } from '../src/store/manifest.ts';
import { startProxy } from '../test/support/proxies.ts';

const attackersLast = 3;
const attacker = `127.0.0.${attackersLast}`;
const client = '127.0.0.2';
const numbers = (count: number) => Array.from({ length: count }, () => Math.floor(Math.random() * 999)).join(' ');
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const search = (key: string) => get(`/v1/search?q=${encodeURIComponent(numbers(40))}`, `X-API-Key: ${key}\r\n`);

const manyLines = Array.from({ length: 97 }, (_, index) => `a${index}: \r\n`).join('');

/** A body split into that many chunks. */
function chunks(key: string, bytes: number, count: number): string {
  const head = `Host: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked`;
  return `POST /v1/batch HTTP/1.1\r\n${head}\r\n\r\n${`${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`.repeat(count)}0\r\n\r\n`;
}

function batch(key: string): string {
  const entries = Array.from({ length: 10 }, () => ({ endpoint: 'search', params: { q: numbers(40) } }));
  const body = JSON.stringify({ requests: entries });
  const head = `Host: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  return `POST /v1/batch HTTP/1.1\r\n${head}\r\n\r\n${body}`;
}

/**
 * How many connections a flood opens, what each of them sends, and what it does next: send again after an answer,
 * reset, or end its side.
 */
type Flood = {
  connections: number;
  bytes: (key: string, index: number) => string;
  /** How many addresses it comes from; 1 by default. */
  addresses?: number;
  isRepeated?: boolean;
  isReading?: boolean;
  isReset?: boolean;
  isHalfClosed?: boolean;
};
/** What costs memory without a key. */
const keyless = [
  `POST /account/sign-up HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 16000\r\n\r\n${' '.repeat(15_999)}`,
  `POST /v1/batch HTTP/1.1\r\nHost: x\r\nX-API-Key: x\r\nContent-Type: application/json\r\nContent-Length: 20000000\r\n\r\n${' '.repeat(20_000_000)}`,
  get('/assets/map/maplibre-gl.mjs').repeat(12),
  get('/openapi.json').repeat(100),
];
const floods: Record<string, Flood> = {
  none: { connections: 0, bytes: () => '' },
  pipelined: { connections: 60, bytes: () => get('/openapi.json').repeat(100), isReading: false },
  'pipelined-searches': { connections: 900, bytes: (key) => search(key).repeat(30) },
  batches: { connections: 60, bytes: batch, isRepeated: true },
  searches: { connections: 90, bytes: search, isRepeated: true },
  health: { connections: 900, bytes: () => get('/health/live'), isRepeated: true },
  connects: { connections: 200, bytes: () => get('/health/live', 'Connection: close\r\n') },
  resets: { connections: 200, bytes: () => get('/v1/search?q=a', 'X-API-Key: x\r\n'), isReset: true },
  chunks: { connections: 200, bytes: (key) => chunks(key, 1, 5_000) },
  'larger-chunks': { connections: 200, bytes: (key) => chunks(key, 16, 3_000) },
  heads: { connections: 200, bytes: () => get('/nowhere', manyLines).repeat(16) },
  bodies: { connections: 200, bytes: () => get('/nowhere', 'Content-Length: 20000000\r\n') + ' '.repeat(20_000_000) },
  unread: { connections: 200, bytes: () => get('/assets/map/maplibre-gl.mjs').repeat(12), isReading: false },
  archive: {
    connections: 900,
    bytes: () => get('/map/archive.pmtiles', 'Range: bytes=1000000-2048575\r\n').repeat(4),
    isReading: false,
  },
  keyless: { connections: 180, addresses: 12, bytes: (_, index) => keyless[index % 4], isReading: false },
  half: { connections: 900, bytes: () => get('/openapi.json').repeat(8), isReading: false, isHalfClosed: true },
  silence: { connections: 200, bytes: () => '' },
  'half-heads': { connections: 200, bytes: () => get('/nowhere').slice(0, -4) },
};

/** Keeps that many connections open; a closed one is reopened. */
function flood({ port, key, kind }: { port: number; key: string; kind: string }): void {
  const {
    connections,
    bytes,
    isRepeated = false,
    isReading = true,
    isReset = false,
    isHalfClosed = false,
    addresses = 1,
  } = floods[kind];
  const open = (index: number) => {
    const localAddress = `127.0.0.${attackersLast + (index % addresses)}`;
    const sent = Buffer.from(bytes(key, index), 'latin1');
    const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true }, () =>
      socket.write(sent, () => (isReset ? socket.resetAndDestroy() : isHalfClosed && socket.end())),
    );
    socket
      .on('error', () => {})
      .once('close', () => (isReset ? setImmediate(open, index) : setTimeout(open, 10, index)));
    if (isReading)
      socket.on('data', (chunk) => isRepeated && /HTTP\/1.1 /.test(String(chunk)) && socket.write(bytes(key, index)));
    else socket.pause();
  };
  for (let count = 0; count < connections; count++) open(count);
}

/** The time until an answer to a call of `country`, ms. */
function ask(port: number, key: string, agent: Agent | false): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key };
    const signal = AbortSignal.timeout(30_000);
    const to = { port, host: '127.0.0.1', localAddress: client, path: '/v1/country/DE' };
    const sent = request({ ...to, headers, agent, signal });
    sent.once('error', reject).once('response', (answer) => {
      answer.resume().once('end', () => {
        if (answer.statusCode === 200) resolve(performance.now() - startedAt);
        else reject(new Error(`the client was answered ${answer.statusCode}`));
      });
    });
    sent.end();
  });
}

/** Resident memory of a process and its children, MB: the largest so far, or at this moment. */
function memoryOf(pid: number, what: 'VmHWM' | 'VmRSS'): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  const own = new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1];
  return children.reduce((sum, child) => sum + memoryOf(Number(child), what), Number(own) / 1024);
}

async function signUp(port: number, from: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const sent = request({
    port,
    host: '127.0.0.1',
    localAddress: from,
    method: 'POST',
    path: '/account/sign-up',
    headers,
  });
  sent.end('{}');
  const [answer] = await once(sent, 'response');
  const text = (await answer.toArray()).join('');
  const { key } = JSON.parse(text);
  if (key === undefined) throw new Error(`no key to sign up: ${text}`);
  return key;
}

type Options = { data: string; workers: number; seconds: number; rest: number; behind: string | undefined };

async function run(kind: string, { data, workers, seconds, rest, behind: proxy }: Options): Promise<void> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'whereabouts-floods-'));
  const version = currentVersion(data)!;
  symlinkSync(resolve(data, version), join(dataDirectory, version));
  writeFileSync(join(dataDirectory, 'current'), version);
  const free = { callsPerDay: 1_000_000, callsPerSecond: 20, burst: 100, batchSize: 100 };
  const mapArchive = join(dataDirectory, 'map.pmtiles');
  writeFileSync(mapArchive, 'PMTiles\x03');
  truncateSync(mapArchive, 2 ** 28);
  const config = join(dataDirectory, 'settings.json');
  const trustedProxies = proxy === undefined ? [] : ['127.0.0.1'];
  writeFileSync(
    config,
    JSON.stringify({
      dataDirectory,
      port: 0,
      workers,
      mapArchive,
      maxConnections: 200,
      trustedProxies,
      signUp: 'open',
      plans: { free },
    }),
  );
  const program = join(import.meta.dirname, '../bin/whereabouts.js');
  const child = spawn(process.execPath, [program, 'serve', '--config', config], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let front: Awaited<ReturnType<typeof startProxy>> | undefined;
  try {
    let port = 0;
    for await (const line of createInterface(child.stdout!)) {
      port = Number(/"address":"[^"]*:(\d+)"/.exec(line)?.[1] ?? 0);
      if (port) break;
    }
    child.stdout!.resume();
    const [key, attackersKey] = [await signUp(port, client), await signUp(port, attacker)];
    if (proxy !== undefined) {
      front = await startProxy(proxy, mkdtempSync(join(dataDirectory, 'proxy-')), [port]);
      port = Number(new URL(front.url).port);
    }
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await ask(port, key, agent);
    const before = memoryOf(child.pid!, 'VmRSS').toFixed(0);
    const worker = new Worker(import.meta.filename, { workerData: { port, key: attackersKey, kind } });
    const waits = { new: [] as number[], kept: [] as number[] };
    const pending: Promise<unknown>[] = [];
    const end = performance.now() + seconds * 1000;
    const keep = async () => {
      while (performance.now() < end) {
        waits.kept.push(await ask(port, key, agent));
        await wait(50);
      }
    };
    pending.push(keep());
    while (performance.now() < end) {
      pending.push(ask(port, key, false).then((ms) => waits.new.push(ms)));
      await wait(150);
    }
    const failed = (await Promise.allSettled(pending)).filter(({ status }) => status === 'rejected');
    const peak = memoryOf(child.pid!, 'VmHWM');
    await worker.terminate();
    agent.destroy();
    if (kind !== 'none') await wait(rest * 1000);
    const rested =
      rest > 0 && kind !== 'none' ? `, ${memoryOf(child.pid!, 'VmRSS').toFixed(0)} MB ${rest} s later` : '';
    const show = (name: 'new' | 'kept') => {
      const sorted = waits[name].sort((a, b) => a - b);
      const middle = sorted[sorted.length >> 1];
      return `${name} ${sorted.at(-1)?.toFixed(0)} ms (median ${middle?.toFixed(0)})`;
    };
    const reason = failed.length > 0 ? `, ${failed.length} failed: ${(failed[0] as PromiseRejectedResult).reason}` : '';
    console.log(
      `${kind}, ${proxy === undefined ? 'alone' : `behind ${proxy}`}, ${workers} worker(s): ${show('new')}, ${show('kept')}, ${peak.toFixed(0)} MB (${before} before)${rested}${reason}`,
    );
  } finally {
    front?.child.kill();
    child.kill();
    await once(child, 'exit');
    rmSync(dataDirectory, { recursive: true });
  }
}

if (isMainThread) {
  const { values } = parseArgs({
    options: {
      data: { type: 'string', default: 'data' },
      workers: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '8' },
      behind: { type: 'string' },
      only: { type: 'string', default: Object.keys(floods).join() },
      rest: { type: 'string', default: '0' },
    },
  });
  for (const kind of values.only.split(','))
    await run(kind, {
      ...values,
      behind: values.behind,
      workers: Number(values.workers),
      seconds: Number(values.seconds),
      rest: Number(values.rest),
    });
} else flood(workerData);
