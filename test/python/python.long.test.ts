/** The Python package: its own tests against a service and a dataset of a test's own, and its types. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { generatePython } from '../../packages/python/generate.ts';
import { makeCurrent } from '../../src/build/versions.ts';
import { testService } from '../support/service.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'packages/python');
/** An environment with what `packages/python/requirements.txt` names. */
const python = join(tmpdir(), 'whereabouts-python/bin/python');
const imports = 'import aiohttp, duckdb, geopy, mypy, pandas, pyarrow, pyspark, pytest';
const noPython =
  spawnSync(python, ['-c', imports]).status !== 0 &&
  `needs Python: python3 -m venv ${join(tmpdir(), 'whereabouts-python')} && ${python} -m pip install -r packages/python/requirements.txt`;
const noSpark = noPython || (spawnSync('java', ['-version']).status !== 0 && 'needs Java 17 or newer');

/** Runs a module of Python in the package's folder; its output is the failure's text. */
async function runModule(args: readonly string[], environment: Record<string, string> = {}): Promise<string> {
  const env = { ...process.env, ...environment };
  return promisify(execFile)(python, ['-m', ...args], { cwd: folder, env, maxBuffer: 1 << 26 }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string; stderr: string }) => assert.fail(`${error.stdout}\n${error.stderr}`),
  );
}

test('the committed module matches the description', async (t) => {
  const { ask } = await testService(t);
  const { body } = await ask('/openapi.json', { key: null });
  const written = readFileSync(join(folder, 'src/whereabouts_client/_api.py'), 'utf8');
  assert.equal(generatePython(body) === written, true, '_api.py is out of date: node packages/python/generate.ts');
});

test('the package and its tests are typed', { skip: noPython }, async (t) => {
  await runModule(['mypy', '--cache-dir', temporaryDirectory(t), 'src', 'tests']);
});

test('the client, the geocoder of geopy and tables', { skip: noPython }, async (t) => {
  await runTests(t, ['--ignore=tests/test_spark.py']);
});

test('a cluster of Spark', { skip: noSpark }, async (t) => {
  await runTests(t, ['tests/test_spark.py']);
});

async function runTests(t: Parameters<typeof testService>[0] & {}, args: readonly string[]): Promise<void> {
  const data = temporaryDirectory(t);
  const version = '20260101T000000Z';
  mkdirSync(join(data, version));
  await buildSmallDataset(join(data, version), { version });
  await makeCurrent(data, version);
  const service = await testService(t, { jobs: { directory: join(data, 'jobs'), sweepMs: 20 } });
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = service.app.server.address() as AddressInfo;
  const out = await runModule(
    ['pytest', '-q', '-p', 'no:cacheprovider', `--basetemp=${join(data, 'pytest')}`, '--durations=5', ...args],
    {
      PROGRAM: JSON.stringify([process.execPath, join(root, 'src/main.ts'), '--data-directory', data]),
      PYTHONDONTWRITEBYTECODE: '1',
      WHEREABOUTS_URL: `http://127.0.0.1:${port}`,
      WHEREABOUTS_API_KEY: service.key,
    },
  );
  t.diagnostic(out.trim().split('\n').slice(-8).join('\n'));
  assert.doesNotMatch(out, /skipped|no tests ran/);
}
