/**
 * Every attack and fault that was tried on the service, once more, by the tests and benches that show each; prints one table.
 *
 *     npm run attack [-- --only floods,disk] [--seconds 600]
 *
 * Loopback only. A row takes `--seconds` at most. Rows that need what this machine lacks (nginx, Caddy, a Redis server,
 * libfaketime, a dataset in `data`) say so. Exit code 1 where a row does not hold.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** Tests of files, those whose names have a part; or floods of bench/floods.ts, the first of which is none where waits have a limit. */
type Check =
  | { files: string[]; named?: string; environment?: Record<string, string> }
  | { floods: string; behind?: string; maxWaitMs?: number; restSeconds?: number };
type Row = { attack: string; alone: Check[]; nginx?: Check[]; caddy?: Check[] };

const tests = (files: string | string[], named?: string, environment?: Record<string, string>): Check => ({
  files: [files].flat().map((file) => `${file.startsWith('packages/') ? '' : 'test/'}${file}.test.ts`),
  named,
  environment,
});
const bytes = 'silence,half-heads,unread,pipelined,bodies,chunks';
const behind = (proxy: string): Check => tests('server/processes/proxies.long', `${proxy} before the service`);

const rows: Record<string, Row> = {
  framing: {
    attack: 'framing and smuggling',
    alone: [
      tests(['server/sockets', 'server/connections', 'server/unread-bodies', 'server/connections.property.long']),
      tests('server/smuggling.long', 'alone'),
    ],
    nginx: [tests('server/smuggling.long', 'nginx')],
    caddy: [tests('server/smuggling.long', 'caddy')],
  },
  floods: {
    attack: 'floods of connections, heads, bodies, requests and answers',
    alone: [tests(['server/floods.long', 'server/slow-takers.long', 'server/turns']), { floods: bytes }],
    nginx: [{ floods: bytes, behind: 'nginx' }],
    caddy: [{ floods: bytes, behind: 'caddy' }, tests('server/taken-back.long')],
  },
  keyless: {
    attack:
      'floods without a key: at most 400 MB, back within a minute; behind a proxy a new client waits less than 0.5 s',
    alone: [{ floods: 'keyless', restSeconds: 60 }],
    nginx: [{ floods: 'none,keyless', behind: 'nginx', maxWaitMs: 500, restSeconds: 60 }],
    caddy: [{ floods: 'none,keyless', behind: 'caddy', maxWaitMs: 500, restSeconds: 60 }],
  },
  budgets: { attack: 'memory and turns held against others; one key in many lanes', alone: [tests('server/budgets')] },
  workers: {
    attack: 'workers killed, hanging, ending at the start',
    alone: [
      tests('server/processes/hang.long'),
      tests('server/processes/workers.long', 'worker'),
      tests('server/processes/start.long'),
    ],
    nginx: [behind('nginx')],
    caddy: [behind('caddy')],
  },
  redis: {
    attack: 'Redis lost and back',
    alone: [tests(['failures.long', 'in-time', 'nodes.long'].map((file) => `packages/valkey/test/${file}`))],
  },
  disk: {
    attack: 'disk full, read-only, slow',
    alone: [
      tests('faults/limits.long', 'disk'),
      tests(['faults/disk.long']),
      tests(['keys/sqlite-keys', 'publish/faults', 'geocode/command'], 'full'),
    ],
  },
  power: { attack: 'kill -9 and loss of power', alone: [tests(['faults/kill.long', 'keys/power-cut'])] },
  descriptors: { attack: 'descriptors used up', alone: [tests('faults/limits.long', 'descriptors')] },
  clock: { attack: 'clock set forward and back', alone: [tests('faults/clock.long')] },
  idle: {
    attack: '10,000 idle connections',
    alone: [tests('faults/limits.long', 'connections', { IDLE: '10000' })],
  },
  swap: {
    attack: 'dataset swapped under load',
    alone: [tests(['server/processes/workers.long', 'server/processes/alone.long'], 'new dataset')],
  },
  terminal: { attack: 'terminal closed, log not read', alone: [tests('server/processes/terminal.long')] },
  bombs: {
    attack: 'bombs: zip, xlsx, parquet, pbf, gzip, JSON',
    alone: [
      tests(['sources/hostile-files.long', 'sources/osm/pbf-file', 'ip/damaged-files', 'server/intricate-bodies']),
      tests(['geocode/forms', 'publish/hostile-publisher', 'download/small-document'], 'broken|unpack|bound'),
    ],
  },
  traversal: {
    attack: 'traversal and SSRF of pull, publish, sources',
    alone: [
      tests(['publish/hostile-publisher', 'download/small-document', 'download/download']),
      tests(['publish/publish', 'commands/region-sources', 'build/default-packages'], 'elsewhere|outside|redirect'),
    ],
  },
  prototype: {
    attack: 'prototype pollution',
    alone: [
      tests(['server/batch', 'commands/mistakes'], 'prototype'),
      tests(['server/requests', 'server/parameters.property.long', 'server/admin']),
    ],
  },
  timing: {
    attack: 'timing of key checks: by hash, never by the text',
    alone: [tests(['keys/key-format', 'keys/sqlite-keys'], 'SHA-256|compared as a whole|holds the hash')],
  },
  'sign-up': {
    attack: 'abuse of verified sign-up',
    alone: [tests(['server/sign-up', 'keys/sign-ups'])],
  },
  image: { attack: 'image without root', alone: [tests(['deploy/image.long', 'deploy/compose'])] },
};

const { values: options } = parseArgs({
  options: { only: { type: 'string', default: '' }, seconds: { type: 'string', default: '600' } },
});

/** What a command prints, and whether it ended well in its time. */
function run(args: string[], environment: Record<string, string> = {}): Promise<{ text: string; isDone: boolean }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: join(import.meta.dirname, '..'),
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: Number(options.seconds) * 1000,
    });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    child.once('close', (code) => resolve({ text, isDone: code === 0 }));
  });
}

/** Most wait of a new client, ms, and most memory of the service, MB; what it may have more than before once it has rested. */
const [maxWaitMs, maxMemoryMb, maxKeptMb] = [25_000, 400, 64];

async function check(one: Check): Promise<{ held: number; skipped: string[]; failed: string[] }> {
  if ('floods' in one) {
    if (!existsSync('data/current')) return { held: 0, skipped: ['needs a dataset in data'], failed: [] };
    const { floods, behind, restSeconds = 0 } = one;
    const args = ['bench/floods.ts', '--seconds', '4', '--rest', `${restSeconds}`, '--only', floods];
    const { text } = await run(behind === undefined ? args : [...args, '--behind', behind]);
    const lines = text.split('\n').filter(Boolean);
    const read = (line: string) =>
      (/new (\d+) ms .*?(\d+) MB \((\d+) before\)(?:, (\d+) MB)?/.exec(line) ?? []).slice(1).map(Number);
    // A machine that makes a client wait without a flood says little.
    const most = one.maxWaitMs === undefined ? maxWaitMs : Math.max(one.maxWaitMs, 2 * read(lines[0] ?? '')[0]);
    const failed = lines.filter((line) => {
      const [wait, peakMb, beforeMb, restedMb = 0] = read(line);
      const isSmall = peakMb <= maxMemoryMb && !(restedMb > beforeMb + maxKeptMb);
      return line.includes(' failed: ') || !(wait <= most && isSmall);
    });
    if (lines.length < floods.split(',').length) failed.push('a flood did not end');
    for (const line of lines) console.error(line);
    return { held: lines.length - failed.length, skipped: [], failed };
  }
  const missing = one.files.filter((file) => !existsSync(join(import.meta.dirname, '..', file)));
  if (missing.length > 0) return { held: 0, skipped: [], failed: [`there is no ${missing.join(', ')}`] };
  const pattern = one.named === undefined ? [] : [`--test-name-pattern=${one.named}`];
  const { text, isDone } = await run(['--test', '--test-reporter=tap', ...pattern, ...one.files], one.environment);
  const count = (what: string) => Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  const failed = [...text.matchAll(/^ *not ok \d+ - (.*)$/gm)].map(([, name]) => name);
  if (!isDone && failed.length === 0) failed.push(`no end after ${options.seconds} s`);
  const skipped = [...text.matchAll(/# SKIP (.*)$/gm)].map(([, why]) => why);
  const held = count('pass');
  if (held + skipped.length + failed.length === 0) failed.push(`no test of ${one.files.join(', ')} has such a name`);
  return { held, skipped, failed };
}

async function cell(checks: readonly Check[] | undefined): Promise<string> {
  if (!checks) return '–';
  const results = [];
  for (const one of checks) results.push(await check(one));
  const failed = results.flatMap((result) => result.failed);
  const skipped = [...new Set(results.flatMap((result) => result.skipped))];
  const held = results.reduce((sum, result) => sum + result.held, 0);
  if (failed.length > 0) process.exitCode = 1;
  return [
    failed.length > 0 ? `NOT: ${failed.join('; ')}` : held > 0 ? `held (${held})` : '',
    skipped.length > 0 ? `skipped: ${skipped.join('; ')}` : '',
  ]
    .filter(Boolean)
    .join(', ');
}

const chosen = options.only === '' ? Object.keys(rows) : options.only.split(',');
console.log('| attack | alone | behind nginx | behind Caddy |\n|---|---|---|---|');
for (const name of chosen) {
  const row = rows[name];
  if (!row) throw new Error(`there is no row ${name}; expected some of ${Object.keys(rows).join(', ')}`);
  const { attack, alone, nginx, caddy } = row;
  console.log(`| ${attack} | ${await cell(alone)} | ${await cell(nginx)} | ${await cell(caddy)} |`);
}
