// The default dataset, built as a newcomer's first start builds it: it must answer before it is whole, survive a kill in
// the middle, and be whole in the end. Prints what each step took. Needs the packages of the npm registry.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const begin = performance.now();
const say = (what) => console.log(`${((performance.now() - begin) / 1000).toFixed(1)} s: ${what}`);

/** The Node that serves, started itself: a kill must not meet a process that only waits for it. */
const ownNode = join(root, 'node_modules/node/bin/node');
const node = existsSync(ownNode) ? ownNode : process.execPath;

/** Starts the service on a port of its own choice, and returns its process and address as soon as it says it is ready. */
function start() {
  const child = spawn(node, ['bin/whereabouts.js', 'start', '--port', '0'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ready = new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const [, address, key] = /ready at (http\S+)[\s\S]*?X-API-Key: (\S+)'/.exec(output) ?? [];
      if (key) resolve({ address, key });
    });
    child.on('exit', (code, signal) =>
      reject(new Error(`the service ended with ${signal ?? code} before it was ready`)),
    );
  });
  return { child, ready };
}

async function ask({ address, key }, path) {
  const response = await fetch(address + path, { headers: { 'X-API-Key': key } });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const ended = (child) => new Promise((resolve) => child.on('exit', resolve));

if (existsSync(join(root, 'data', 'current'))) {
  say('there is a dataset already');
  process.exit();
}
const first = start();
const service = await first.ready;
const early = await ask(service, '/v1/search?q=paris+texas&limit=1');
if (early.body.results?.[0]?.admin1 !== 'Texas') throw new Error(`paris texas: ${JSON.stringify(early.body)}`);
say(`the first right answer, with Cache-Control ${early.headers.get('cache-control')}`);
const waiting = await ask(service, '/v1/postal?code=90210&country=US');
if (waiting.status !== 503 || !waiting.headers.get('retry-after'))
  throw new Error(`/postal answered ${waiting.status}`);
first.child.kill('SIGKILL');
await ended(first.child);
say('killed while the rest was being built');

const second = start();
const again = { ...(await second.ready), key: service.key };
say('started again');
for (let status = 0; status !== 200; ) {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  ({ status } = await fetch(`${again.address}/health/ready`));
}
const whole = await ask(again, '/v1/postal?code=90210&country=US');
if (whole.status !== 200) throw new Error(`/postal answered ${whole.status}`);
say('whole');
second.child.kill('SIGTERM');
await ended(second.child);
if (!existsSync(join(root, 'data', 'current'))) throw new Error('no dataset is current');
