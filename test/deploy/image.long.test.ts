/** The container's image, by what its Dockerfile copies: no engine of containers is needed. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { smallData } from '../support/served.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const root = join(import.meta.dirname, '../..');
const linesOf = (name: string) => readFileSync(join(root, name), 'utf8').split('\n');

/** Files and folders of the project that the last stage of the Dockerfile copies, with where to. */
function copied(): { from: string; to: string }[] {
  const dockerfile = linesOf('Dockerfile');
  const lastStage = dockerfile.slice(dockerfile.findLastIndex((line) => line.startsWith('FROM ')));
  const copies = lastStage.filter((line) => line.startsWith('COPY ') && !line.includes('--from='));
  return copies.flatMap((line) => {
    const names = line.split(' ').slice(1);
    const target = names.pop()!;
    return names.map((from) => ({ from, to: names.length > 1 || target.endsWith('/') ? join(target, from) : target }));
  });
}

test('what the image contains is enough to serve', async (t) => {
  const image = temporaryDirectory(t);
  const letThrough = linesOf('.dockerignore');
  for (const { from, to } of copied()) {
    assert.ok(letThrough.includes(`!${from}`), `.dockerignore keeps ${from} from the Dockerfile`);
    cpSync(join(root, from), join(image, to), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(image, 'node_modules'));
  // What is compiled while the image is built is what a start needs.
  const cache = join(image, '.cache');
  const env = { ...process.env, NODE_COMPILE_CACHE: cache };
  const dockerfile = linesOf('Dockerfile');
  const [, ...compile] = dockerfile
    .find((line) => line.startsWith('RUN node '))!
    .replace(/^RUN | >.*/g, '')
    .split(' ');
  spawnSync(process.execPath, compile, { cwd: image, env });
  const compiled = () => readdirSync(cache, { recursive: true }).length;
  const before = compiled();
  const [, ...entry] = JSON.parse(
    dockerfile.find((line) => line.startsWith('ENTRYPOINT '))!.slice('ENTRYPOINT '.length),
  );
  const args = [...entry, 'start', '--data-directory', await smallData(t), '--port', '0'];
  const child = spawn(process.execPath, args, { cwd: image, env, stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  const errors: string[] = [];
  child.stderr.on('data', (chunk) => errors.push(String(chunk)));
  let hasServed = false;
  for await (const line of createInterface(child.stdout)) {
    hasServed = line.includes('"msg":"serving"');
    if (hasServed) break;
  }
  assert.ok(hasServed, errors.join(''));
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
  // Fastify loads what compiles schemas only when it is made ready: some 110 files.
  assert.ok(
    before > 300 && compiled() < before + 125,
    `${before} files compiled before, ${compiled()} after the start`,
  );
});
