/** The Helm chart by helm and Kubernetes' own schemas, the alert rules by Prometheus. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { temporaryDirectory } from '../support/temporary.ts';

const deploy = join(import.meta.dirname, '../../deploy');

const chart = join(deploy, 'helm/whereabouts');

const alerts = join(chart, 'alerts.yaml');

const run = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: 'utf8' });

const needs = (remedy: string, program: string, ...args: string[]) =>
  run(program, ...args).status !== 0 && `needs ${program}: ${remedy}`;

const noHelm = needs('go install helm.sh/helm/v3/cmd/helm@v3.22.0', 'helm', 'version');

const noSchemas = needs('pip install kubernetes-validate', 'kubernetes-validate', '--version');

const noPromtool = needs("Debian's package prometheus", 'promtool', '--version');

const required = ['dataset.address=s3://maps/world', 'keys.existingSecret=keys'];

const everything = [
  'dataset.existingSecret=s3',
  'ingress.enabled=true',
  'ingress.hosts={places.example.org}',
  'serviceMonitor.enabled=true',
  'prometheusRule.enabled=true',
  'autoscaling.targetLagMs=50',
  'config.plans.free.callsPerDay=5000',
  'trustedProxies={10.0.0.0/8}',
  'env.WHEREABOUTS_LOG_REQUESTS=true',
  'streets.existingSecret=whereabouts-streets',
  'networkPolicy.ingressFrom[0].namespaceSelector.matchLabels.name=ingress',
];

const render = (values: readonly string[]) =>
  run('helm', 'template', 'maps', chart, '--kube-version', '1.33.0', ...values.flatMap((value) => ['--set', value]));

suite('the Helm chart', { skip: noHelm }, () => {
  test('is accepted by helm lint', () => {
    const { status, stdout } = run('helm', 'lint', '--strict', chart, ...required.flatMap((value) => ['--set', value]));
    assert.equal(status, 0, stdout);
  });

  test('renders what Kubernetes accepts, with the required values and with all of them', { skip: noSchemas }, (t) => {
    const file = join(temporaryDirectory(t), 'rendered.yaml');
    for (const values of [required, [...required, 'autoscaling.enabled=false'], [...required, ...everything]]) {
      const { status, stdout, stderr } = render(values);
      assert.equal(status, 0, stderr);
      // Resources of the Prometheus operator have no schema of Kubernetes'.
      const core = stdout.split(/^---\n/m).filter((text) => !text.includes('monitoring.coreos.com'));
      writeFileSync(file, core.join('---\n'));
      const checked = run('kubernetes-validate', '--strict', file);
      assert.equal(checked.status, 0, checked.stdout + checked.stderr);
    }
  });

  test('says which required value is missing', () => {
    assert.match(render([]).stderr, /dataset\.address is required: where `whereabouts publish` put the dataset/);
    assert.match(render(required.slice(0, 1)).stderr, /keys\.existingSecret is required: a secret with the address/);
  });

  test('carries the alert rules into the cluster', () => {
    const { stdout } = render([...required, 'prometheusRule.enabled=true']);
    for (const [, alert] of readFileSync(alerts, 'utf8').matchAll(/alert: (\w+)/g))
      assert.ok(stdout.includes(`alert: ${alert}`), alert);
  });
});

test('alert rules fire on their condition, and not before', { skip: noPromtool }, () => {
  const { status, stderr, stdout } = run('promtool', 'test', 'rules', join(import.meta.dirname, 'alerts.test.yaml'));
  assert.equal(status, 0, stdout + stderr);
});
