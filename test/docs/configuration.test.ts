import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { environmentName, loadConfig, removedSettings, settings } from '../../src/config.ts';
import { UsageError } from '../../src/errors.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8');

test('docs/configuration.md has every setting, its variable and its default, and no other', () => {
  const written = [...page.matchAll(/^\| `(\w+)` \| `?([\w ]+)`? \| (?:`(.*)`|see below) \|/gm)].map(
    ([, name]) => name,
  );
  assert.deepEqual(
    written.filter((name) => name in settings.properties),
    Object.keys(settings.properties),
  );
  for (const [name, schema] of Object.entries(settings.properties)) {
    if (name === 'plans') continue;
    const { default: fallback, description } = schema as unknown as { default: unknown; description: string };
    assert.ok(
      page.includes(
        `| \`${name}\` | \`${environmentName(name)}\` | \`${JSON.stringify(fallback)}\` | ${description} |`,
      ),
      `the row of ${name} is up to date`,
    );
  }
});

test('the command line wins over the environment, and that over the default', () => {
  const environment = { WHEREABOUTS_PORT: '9000', WHEREABOUTS_TRUSTED_PROXIES: '10.0.0.0/8, 192.168.1.1' };
  assert.equal(loadConfig({ environment: {} }).port, 8080);
  assert.equal(loadConfig({ environment }).port, 9000);
  assert.equal(loadConfig({ environment, overrides: { port: 9001 } }).port, 9001);
  assert.deepEqual(loadConfig({ environment }).trustedProxies, ['10.0.0.0/8', '192.168.1.1']);
});

test('origins of a map are read from the environment', () => {
  const environment = { WHEREABOUTS_MAP_ORIGINS: 'https://tiles.example.org, http://127.0.0.1:8000' };
  assert.deepEqual(loadConfig({ environment }).mapOrigins, ['https://tiles.example.org', 'http://127.0.0.1:8000']);
});

test('a wrong setting is refused, naming it, its variable and what it got', () => {
  const refusal = (environment: Record<string, string>, overrides = {}) => {
    let message = '';
    assert.throws(
      () => loadConfig({ environment, overrides }),
      (error) => error instanceof UsageError && Boolean((message = error.message)),
    );
    return message;
  };
  assert.match(refusal({ WHEREABOUTS_PORT: 'http' }), /port \(WHEREABOUTS_PORT\).*"http"/);
  assert.match(refusal({ WHEREABOUTS_LOG_LEVEL: 'loud' }), /logLevel \(WHEREABOUTS_LOG_LEVEL\)/);
  assert.match(refusal({ WHEREABOUTS_TRUSTED_PROXIES: 'proxy.example' }), /"proxy.example" is not an IP address/);
  assert.match(refusal({ WHEREABOUTS_TRUSTED_PROXIES: '::1,10.0.0.0/33' }), /"10.0.0.0\/33" is not an IP address/);
  assert.match(
    refusal({ WHEREABOUTS_MAP_ORIGINS: 'tiles.example.org' }),
    /mapOrigins.0 .* must match .*tiles.example.org/,
  );
  for (const name of Object.keys(settings.properties).filter((each) => each.endsWith('Mirror')))
    assert.match(
      refusal({ [environmentName(name)]: 'mirror' }),
      new RegExp(`${name} .* is no http:// or https:// address`),
    );
  assert.match(refusal({}, { trustedProxies: 5 }), /trustedProxies .* must be array, got 5/);
  assert.match(refusal({}, { plans: 5 }), /plans .* must be object, got 5/);
  assert.match(
    refusal({ WHEREABOUTS_KEYS: 'redis://:ab@one,redis://:pa%ss@two' }),
    /keys \(WHEREABOUTS_KEYS\) has a % in its user or password[^\n]*; write %25$/m,
  );
  assert.match(refusal({}, { prot: 1 }), /there is no setting prot/);
  for (const [name, remedy] of Object.entries(removedSettings)) {
    assert.ok(!(name in settings.properties), name);
    assert.ok(refusal({}, { [name]: 1 }).includes(`${name} is no setting any more: ${remedy}`));
    assert.ok(refusal({ [environmentName(name)]: '1' }).includes(`${environmentName(name)} is no setting any more`));
  }
  assert.match(refusal({}, { 'pr\not': 1 }), /^[^\n]*there is no setting pr ot/);
});

test('plans of the configuration are added to the built-in ones or take their place', () => {
  const plan = { callsPerDay: 5, callsPerSecond: 1, burst: 1, batchSize: 10 };
  const { plans } = loadConfig({ environment: {}, overrides: { plans: { free: plan, tiny: plan } } });
  assert.deepEqual(Object.keys(plans), ['free', 'pro', 'scale', 'tiny']);
  assert.equal(plans.free.callsPerDay, 5);
  assert.equal(plans.pro.callsPerDay, 100_000);
});
