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
  'certificates.existingConfigMap=our-ca',
  'ingress.balanceByKey=true',
  'networkPolicy.ingressFrom[0].namespaceSelector.matchLabels.name=ingress',
];

/** A setting of each value, after others that it needs, and what only then is rendered. */
const renderedValues: readonly (readonly [string, RegExp])[] = [
  ['image.repository=registry.example.org/maps', /image: "registry\.example\.org\/maps:/],
  ['image.tag=9.9', /image: "whereabouts:9\.9"/],
  ['image.pullPolicy=Always', /imagePullPolicy: Always/],
  ['imagePullSecrets[0].name=pull-secret', /imagePullSecrets:\s+- name: pull-secret/],
  ['autoscaling.enabled=false replicas=7', /replicas: 7/],
  ['dataset.address=https://maps.example.org/world', /value: "https:\/\/maps\.example\.org\/world"/],
  ['dataset.everySeconds=61', /EVERY_SECONDS\s+value: "61"/],
  ['dataset.size=9Gi', /sizeLimit: 9Gi/],
  ['dataset.existingSecret=s3-secret', /secretRef:\s+name: s3-secret/],
  ['keys.existingSecret=valkey', /secretKeyRef:\s+name: valkey/],
  ['keys.secretKey=address', /key: address/],
  ['jobsMb=4000', /JOBS_MB\s+value: "4000"/],
  ['keys.replicas=1', /KEY_REPLICAS\s+value: "1"/],
  ['keys.whenAway=allow', /WHEN_KEYS_AWAY\s+value: allow/],
  ['streets.existingSecret=search', /WHEREABOUTS_STREETS\s+valueFrom:\s+secretKeyRef:\s+name: search/],
  ['streets.existingSecret=search streets.secretKey=address', /name: search\s+key: address/],
  ['signUp=verified', /SIGN_UP\s+value: verified/],
  ['workers=auto', /WORKERS\s+value: "auto"/],
  [
    'certificates.existingConfigMap=our-ca',
    /NODE_EXTRA_CA_CERTS\s+value: \/etc\/certificates\/ca\.crt[\s\S]*name: our-ca/,
  ],
  ['certificates.existingConfigMap=our-ca certificates.key=root.pem', /\/etc\/certificates\/root\.pem/],
  ['env.WHEREABOUTS_LOG_REQUESTS=true', /WHEREABOUTS_LOG_REQUESTS\s+value: "true"/],
  ['config.plans.free.callsPerDay=5000', /callsPerDay[\s\S]*\/etc\/whereabouts\/settings\.json/],
  ['serviceAccount.create=false serviceAccount.name=mapper', /serviceAccountName: mapper/],
  ['serviceAccount.annotations.role=reader', /annotations:\s+role: reader/],
  ['service.type=LoadBalancer', /type: LoadBalancer/],
  ['service.port=8081', /port: 8081/],
  ['ingress.className=nginx', /ingressClassName: nginx/],
  ['ingress.annotations.team=maps', /annotations:\s+team: maps/],
  ['ingress.hosts={maps.example.org}', /host: "maps\.example\.org"/],
  ['ingress.tls[0].secretName=tls', /secretName: tls/],
  ['ingress.balanceByKey=true', /upstream-hash-by: \$http_x_api_key[\s\S]*upstream-hash-by-subset-size: "3"/],
  ['trustedProxies={10.0.0.0/8}', /TRUSTED_PROXIES\s+value: "10\.0\.0\.0\/8"/],
  ['resources.limits.memory=3Gi', /memory: 3Gi/],
  ['autoscaling.minReplicas=4', /minReplicas: 4/],
  ['autoscaling.maxReplicas=40', /maxReplicas: 40/],
  ['autoscaling.targetCpuPercent=50', /averageUtilization: 50/],
  ['autoscaling.targetLagMs=40', /averageValue: 40m/],
  ['podDisruptionBudget.maxUnavailable=2', /maxUnavailable: 2/],
  [
    'networkPolicy.ingressFrom[0].podSelector.matchLabels.app=proxy',
    /from:\s+- podSelector:\s+matchLabels:\s+app: proxy/,
  ],
  ['networkPolicy.metricsFrom[0].podSelector.matchLabels.app=prometheus', /matchLabels:\s+app: prometheus/],
  ['serviceMonitor.interval=31s', /interval: 31s/],
  ['serviceMonitor.labels.release=prom', /release: prom/],
  ['prometheusRule.labels.team=maps', /team: maps/],
  ['preStopSeconds=11', /command: \[sleep, "11"\]/],
  ['terminationGracePeriodSeconds=50', /terminationGracePeriodSeconds: 50/],
  ['podAnnotations.note=here', /note: here/],
  ['nodeSelector.disk=ssd', /nodeSelector:\s+disk: ssd/],
  ['tolerations[0].key=spot', /tolerations:\s+- key: spot/],
  ['affinity.nodeAffinity.x=y', /affinity:\s+nodeAffinity/],
  ['topologySpreadConstraints[0].maxSkew=5', /maxSkew: 5/],
];

/** Values that turn a resource on or off, and the kind of that resource. */
const switches: Readonly<Record<string, string>> = {
  'autoscaling.enabled': 'HorizontalPodAutoscaler',
  'ingress.enabled': 'Ingress',
  'networkPolicy.enabled': 'NetworkPolicy',
  'prometheusRule.enabled': 'PrometheusRule',
  'serviceAccount.create': 'ServiceAccount',
  'serviceMonitor.enabled': 'ServiceMonitor',
};

type Schema = { properties?: Record<string, Schema> };
/** Names of a schema's values, as `--set` takes them. */
const leaves = ({ properties }: Schema, path = ''): string[] =>
  properties
    ? Object.entries(properties).flatMap(([name, each]) => leaves(each, path ? `${path}.${name}` : name))
    : [path];

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

  test('every value is in what it renders, and the schema has no other', () => {
    const turnedOn = [
      ...[...required, 'ingress.enabled=true', 'ingress.hosts={a}', 'serviceMonitor.enabled=true'],
      'prometheusRule.enabled=true',
    ];
    const plain = render(turnedOn).stdout;
    for (const [value, rendered] of renderedValues) {
      const { status, stdout, stderr } = render([...turnedOn, ...value.split(' ')]);
      assert.equal(status, 0, stderr);
      assert.ok(rendered.test(stdout), `${value} is not rendered`);
      assert.ok(!rendered.test(plain), `${value} is rendered without it`);
    }
    for (const [name, kind] of Object.entries(switches)) {
      const has = (isOn: boolean) =>
        new RegExp(`^kind: ${kind}$`, 'm').test(render([...turnedOn, `${name}=${isOn}`]).stdout);
      assert.deepEqual([has(true), has(false)], [true, false], name);
    }
    const tried = [...Object.keys(switches), ...renderedValues.map(([value]) => value.split(' ').at(-1)!)];
    for (const name of leaves(JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'))))
      assert.ok(name === 'global' || tried.some((value) => value.startsWith(name)), `${name} is not tried`);
  });

  test('a value that does not exist, or has another type, is refused by name', () => {
    for (const [value, told] of [
      ['singUp=open', /singUp/],
      ['signUp=everyone', /signUp/],
      ['keys.replica=1', /replica/],
      ['replicas=many', /replicas/],
      ['dataset.address=maps/world', /dataset.address|address/],
    ] as const) {
      const { status, stderr } = render([...required, value]);
      assert.notEqual(status, 0, value);
      assert.match(stderr, told);
    }
  });

  test('metrics are in a service of their own, which a load balancer does not publish', () => {
    const services = render([...required, 'service.type=LoadBalancer'])
      .stdout.split(/^---\n/m)
      .filter((text) => /^kind: Service$/m.test(text));
    const [metrics] = services.filter((text) => text.includes('9464'));
    assert.match(metrics, /name: maps-whereabouts-metrics\n[\s\S]*clusterIP: None/);
    assert.ok(!services.find((text) => text.includes('LoadBalancer'))?.includes('9464'));
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
