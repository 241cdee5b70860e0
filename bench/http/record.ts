/**
 * Records the answers to 10,000 requests of a dataset, to compare two states of the service:
 *
 *     node scripts/node26.js bench/http/record.ts --dataset data/<version> --out before.ndjson [--count 10000]
 *
 * The same in both states, then `diff before.ndjson after.ndjson`.
 */
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDataset } from '../../src/api/open.ts';
import { createApp } from '../../src/server/app.ts';
import { currentVersion } from '../../src/store/manifest.ts';
import { localKeys } from '../../test/support/local-keys.ts';
import { record } from '../../test/support/record.ts';
import { recordedKeys } from '../../test/support/recorded-requests.ts';
import { noon, testPlans } from '../../test/support/service.ts';

const { values } = parseArgs({
  options: {
    dataset: { type: 'string', default: join('data', currentVersion('data') ?? '') },
    out: { type: 'string', default: 'recorded.ndjson' },
    count: { type: 'string', default: '10000' },
  },
});
const now = () => noon;
const { keys, makeKey } = localKeys(':memory:', { plans: testPlans, now });
const app = createApp({
  ...{ store: { current: openDataset(values.dataset) }, keys, now, version: '0.0.0-record' },
  ...{ signUp: { mode: 'open' }, trustedProxies: ['127.0.0.1'] },
  limits: { maxWaitMs: 0 },
});
await app.listen({ host: '127.0.0.1', port: 0 });
const made = Object.fromEntries(
  Object.entries(recordedKeys).map(([name, options]) => [name, makeKey({ plan: 'open', ...options } as never)]),
);
const answers = await record((app.server.address() as AddressInfo).port, made, Number(values.count));
writeFileSync(values.out, answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
await app.close();
process.exit(0);
