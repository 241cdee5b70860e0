// The default dataset, built as a newcomer's first start builds it: it answers before it is whole, survives a kill in the
// middle, goes on with two workers, and is whole in the end. Prints when it came to what. Needs the packages of the npm registry.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const root = join(import.meta.dirname, '..');
const current = join(root, 'data', 'current');
const say = (what) => console.log(`${(performance.now() / 1000).toFixed(1)} s: ${what}`);
if (existsSync(current)) {
  say('there is a dataset already');
  process.exit();
}

/** The pinned Node itself, not what `npm start` wraps it in: a kill must meet the service. */
const ownNode = join(root, 'node_modules/node/bin/node');
const node = existsSync(ownNode) ? ownNode : process.execPath;

/** Starts the service on a free port; resolves with its process, its address and the key, if it prints one, when it is ready. */
async function start(...options) {
  const args = ['bin/whereabouts.js', 'start', '--port', '0', ...options];
  const child = spawn(node, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const ready = new Promise((resolve) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const [, address, key] = /ready at (http\S+)[\s\S]*?X-API-Key: ([^']+)'/.exec(output) ?? [];
      if (address) resolve({ child, ended, address, key });
    });
  });
  const service = await Promise.race([ready, ended]);
  if (!service?.address) throw new Error(`the service ended with ${service} before it was ready`);
  return service;
}

/**
 * Takes the low priority from the build beside a service, which CI's other steps would starve. On Linux, where each thread has
 * its own; only root may.
 */
function hurryBuild({ child: { pid } }) {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    for (const each of children) for (const thread of readdirSync(`/proc/${each}/task`)) setPriority(Number(thread), 0);
  } catch {
    // It keeps its low priority.
  }
}

async function ask(address, path, key) {
  const response = await fetch(address + path, { headers: { 'X-API-Key': key } });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const first = await start();
const { key } = first;
const early = await ask(first.address, '/v1/search?q=paris+texas&limit=1', key);
if (early.body.results?.[0]?.admin1 !== 'Texas') throw new Error(`paris texas: ${JSON.stringify(early.body)}`);
say(`the first right answer, with Cache-Control ${early.headers.get('cache-control')}`);
const postal = '/v1/postal?code=90210&country=US';
const waiting = await ask(first.address, postal, key);
if (waiting.status !== 503 || !waiting.headers.get('retry-after'))
  throw new Error(`/postal answered ${waiting.status} before its layer was there`);
first.child.kill('SIGKILL');
await first.ended;
say('killed while the rest was being built');

const second = await start('--workers', '2');
say('started again');
while ((await fetch(`${second.address}/health/ready`)).status !== 200) {
  // At each turn, as the build takes the low priority again with each layer.
  hurryBuild(second);
  if (second.child.exitCode !== null) throw new Error(`the service ended with ${second.child.exitCode}`);
  await wait(1000);
}
const whole = await ask(second.address, postal, key);
if (whole.status !== 200) throw new Error(`/postal answered ${whole.status}`);
const outline = await ask(second.address, '/v1/country/LI/area', key);
if (outline.status !== 200) throw new Error(`/country/LI/area answered ${outline.status}`);
say('whole');
second.child.kill('SIGTERM');
await second.ended;
if (!existsSync(current)) throw new Error('no dataset is current');
