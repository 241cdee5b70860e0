/** The progress of a build on a terminal. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';

const terminal = join(import.meta.dirname, '../support/terminal.py');

const noPython = spawnSync('python3', ['--version']).status !== 0 && 'needs python3';

/** A build with a fake clock: `world` takes 7 s, `postal` 65 s more. */
const building = `
  let now = 0;
  performance.now = () => now;
  const { showBuildProgress } = await import(${JSON.stringify(import.meta.resolve('../../src/commands/run-build.ts'))});
  const progress = showBuildProgress(['world', 'postal', 'ip']);
  progress.update('world', 0.5, 'places');
  now = 7000;
  progress.update('world', 1, 'done');
  progress.update('postal', 0.1, 'Japan');
  now = 72_000;
  progress.update('postal', 1, 'done');
  progress.stop();
  console.error('SUMMARY');
  progress.stop();`;

test('on a terminal each step has its own time, and nothing overwrites later output', {
  skip: noPython,
}, async () => {
  const args = [terminal, 'output', process.execPath, '--input-type=module', '-e', building];
  const child = spawn('python3', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout!.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  await once(child, 'close');
  const [drawn, after] = text.split('SUMMARY');
  assert.doesNotMatch(after, /[█░]/);
  const last = (step: string) =>
    drawn
      .split('\n')
      .filter((line) => line.includes(step))
      .at(-1)!;
  assert.match(last('world'), /100% +7s +done/);
  assert.match(last('postal'), /100% +1m05s +done/);
  assert.match(last('ip'), /0% +waiting/);
});
