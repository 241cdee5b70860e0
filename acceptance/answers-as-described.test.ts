/**
 * Schemathesis sends the service requests made from its own description, in each profile: no 5xx, and no answer outside
 * its schema, statuses and media types; nor is a request refused that the description allows. It takes longer than any
 * other file, so it stands where the runner, which goes by the alphabet, soon begins with it.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { openDataset } from '../src/api/open.ts';
import type { KeyStore } from '../src/keys/key-store.ts';
import { openKeys } from '../src/keys/sqlite/sqlite-keys.ts';
import { createApp } from '../src/server/index.ts';
import { profiles } from '../test/support/ask.ts';
import { datasetMissing, defaultDataset } from '../test/support/dataset.ts';
import { temporaryDirectory } from '../test/support/temporary.ts';

const directory = defaultDataset();
const isInstalled = spawnSync('schemathesis', ['--version']).status === 0;
const skip = !directory ? datasetMissing : isInstalled ? false : 'needs Schemathesis: pip install schemathesis';

suite('what Schemathesis makes up', { skip, concurrency: false }, () => {
  let app: ReturnType<typeof createApp>;
  let keys: KeyStore;
  let key: string;
  let codes: string[];
  const jobsDirectory = mkdtempSync(join(tmpdir(), 'schemathesis-jobs-'));
  before(async () => {
    const unlimited = Number.MAX_SAFE_INTEGER;
    const plan = { callsPerDay: unlimited, callsPerSecond: unlimited, burst: unlimited, batchSize: 100 };
    keys = openKeys(':memory:', { plans: { free: plan }, isAlone: true });
    const limits = { maxWaitMs: 0 };
    // Every answer of a job, and none that there are no jobs.
    const jobs = { directory: jobsDirectory };
    const store = openDataset(directory!);
    codes = store.countries.assigned.map(({ iso2 }) => iso2);
    app = createApp({ store: { current: store }, keys, version: '0.0.0-test', limits, jobs });
    await app.listen({ host: '127.0.0.1', port: 0 });
    ({ key } = await keys.create({}, 'test'));
  });
  after(async () => {
    await app.close();
    await keys.close();
    rmSync(jobsDirectory, { recursive: true });
  });

  for (const profile of profiles) {
    test(`is answered as /openapi.json says in profile ${profile}`, async (t) => {
      const { port } = app.server.address() as AddressInfo;
      const args = [
        ...['run', `http://127.0.0.1:${port}/openapi.json`, '--no-color', '--seed', '1', '--max-examples', '3'],
        ...['-H', `X-API-Key: ${key}`, '-H', `X-API-Variant: ${profile}`],
        ...['--phases', profile === 'default' ? 'examples,coverage,fuzzing' : 'examples,fuzzing'],
        '--checks',
        // The other profiles ignore parameters that they do not have, whatever their value.
        `${profile === 'default' ? 'negative_data_rejection,' : ''}not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,unsupported_method,accepted_as_described`,
        // On a busy machine making up requests takes long too.
        ...['--suppress-health-check', 'too_slow'],
        // What changes the key in use, or makes new ones, has tests of its own.
        ...['--exclude-path-regex', '^/account'],
      ];
      // It keeps what it found where it runs.
      const env = {
        ...process.env,
        SCHEMATHESIS_HOOKS: join(import.meta.dirname, 'schemathesis_rules.py'),
        COUNTRY_CODES: JSON.stringify(codes),
      };
      const child = spawn('schemathesis', args, { cwd: temporaryDirectory(t), env });
      let output = '';
      child.stdout.on('data', (text) => {
        output += text;
      });
      const [code] = await once(child, 'close');
      assert.equal(code, 0, output);
      const [, passed = '0'] = /generated, (\d+) passed/.exec(output) ?? [];
      assert.ok(Number(passed) > 50, output);
    });
  }
});
