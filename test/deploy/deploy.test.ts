/** Alert rules and dashboard against our metrics. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMetrics } from '../../src/server/metrics.ts';
import { metricsText } from '../../src/server/processes/metrics-text.ts';

const deploy = join(import.meta.dirname, '../../deploy');
const chart = join(deploy, 'helm/whereabouts');
const alerts = join(chart, 'alerts.yaml');

test('alert rules and dashboard query existing metrics', () => {
  const metrics = createMetrics();
  metrics.record({ endpoint: 'search', profile: 'default' }, 200, 1);
  const served = metricsText(
    [
      {
        pid: 1,
        answers: metrics.snapshot(),
        dataset: 'one',
        startedAt: 0,
        lagMs: 0,
        waiting: 0,
        refusedPart: 0,
        connections: 0,
        isKeyStoreHealthy: true,
        cpuSeconds: 0,
        residentBytes: 0,
        heapBytes: 0,
      },
    ],
    { version: '' },
  );
  const names = new Set([...served.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  for (const file of [alerts, join(deploy, 'monitoring/grafana-dashboard.json')]) {
    const metrics = readFileSync(file, 'utf8').match(/whereabouts_\w+/g)!;
    assert.ok(metrics.length > 5);
    for (const name of metrics) assert.ok(names.has(name.replace(/_bucket$/, '')), `${file}: ${name}`);
  }
});
