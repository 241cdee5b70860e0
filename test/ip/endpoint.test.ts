import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { ask, createOperation } from '../../src/api/execute.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import type { WhereaboutsError } from '../../src/errors.ts';
import type { Store } from '../../src/store/store.ts';
import type { Profile } from '../support/ask.ts';
import { writeMmdb } from '../support/mmdb-writer.ts';
import { smallPackages } from '../support/small-packages.ts';
import { smallWorld } from '../support/small-world.ts';
import { smallIp, temporaryDirectory } from './small-ip.ts';

const { ip: ipLookup } = endpoints;

/** What is known of Germany. */
const packages = { countries: smallPackages.countries };

/** 2026-07-01 12:34:56 UTC. */
const now = Date.UTC(2026, 6, 1, 12, 34, 56);

/** Asks /ip over a world of one country, two zones, and a few ranges. */
async function asker(t: TestContext) {
  const berlin = { id: 1, name: 'Berlin', lat: 52.5, lng: 13.4, country: 'DE', population: 3_600_000 };
  const world = await smallWorld(
    [{ ...berlin, timezone: 'Europe/Berlin' }],
    [
      { name: 'Europe/Berlin', box: [5, 47, 15, 55] },
      { name: 'America/New_York', box: [-80, 30, -70, 45] },
    ],
    [],
    { packages },
  );
  t.after(world.close);
  const directory = temporaryDirectory(t);
  const own = writeMmdb(join(directory, 'own.mmdb'), {
    '91.64.0.0/16': { country_code: 'DE', city: 'Berlin', state1: 'State of Berlin', latitude: 52.52, longitude: 13.4 },
    '91.65.0.0/16': { country_code: 'DE' },
    '91.66.0.0/16': { country_code: 'DE', latitude: 40.5, longitude: -75 },
    '91.67.0.0/16': { country_code: 'DE', timezone: 'Asia/Tokyo', latitude: 40.5, longitude: -75 },
    '91.69.0.0/16': { country_code: 'DE', timezone: 'Nowhere/Land' },
    '91.68.0.0/16': { country_code: 'NZ', timezone: 'Nowhere/Land' },
    '2a02:8108::/32': { country_code: 'DE', city: 'Berlin', latitude: 0, longitude: 13.4 },
  });
  const { ranges, report } = await smallIp(
    t,
    { asn4: '9.9.9.0,9.9.9.255,19281,Quad9\n91.64.0.0,91.64.255.255,3209,Vodafone GmbH\n' },
    [own],
  );
  const layer = { ...report, sources: [], files: [], buildSeconds: 0 };
  const store: Store = {
    ...world.store,
    ip: ranges,
    manifest: { ...world.store.manifest, layers: { ...world.store.manifest.layers, ip: layer } },
  };
  return (ip: string | undefined, profile: Profile = 'default', clientAddress?: string) => {
    const raw = ip === undefined ? {} : { ip };
    return ask(createOperation('ip', ipLookup), raw, { store, profile, now, clientAddress });
  };
}

const refused = (code: string, detail: RegExp) => (error: WhereaboutsError) => {
  assert.equal(error.code, code);
  assert.match(error.message, detail);
  return true;
};

test('each profile has exactly its fields', async (t) => {
  const ask = await asker(t);
  const common = {
    ip: '91.64.0.1',
    country: 'DE',
    city: 'Berlin',
    timezone: 'Europe/Berlin',
    currency: 'EUR',
    isp: 'Vodafone GmbH',
  };
  const onlyA = {
    ...{ country_name: 'Germany', current_time: '2026-07-01 14:34:56', currency_symbol: '€', phone_code: '+49' },
    ...{ languages: ['German'], asn: 'AS3209', is_eu: true },
  };
  const onlyB = { admin1: 'State of Berlin', lat: 52.52, lng: 13.4 };
  assert.deepEqual(ask('91.64.0.1'), { ...common, ...onlyA, ...onlyB });
  assert.deepEqual(ask('91.64.0.1', 'a'), { ...common, ...onlyA });
  assert.deepEqual(ask('91.64.0.1', 'b'), { ...common, ...onlyB });
});

test('what is unknown is null, in every profile', async (t) => {
  const ask = await asker(t);
  const nulls = { country: null, city: null, timezone: null, currency: null };
  const onlyA = {
    ...{
      country_name: null,
      current_time: null,
      currency_symbol: null,
      phone_code: null,
      languages: null,
      is_eu: null,
    },
    asn: 'AS19281',
  };
  const onlyB = { admin1: null, lat: null, lng: null };
  assert.deepEqual(ask('9.9.9.9'), { ip: '9.9.9.9', ...nulls, ...onlyA, ...onlyB, isp: 'Quad9' });
  assert.deepEqual(ask('9.9.9.9', 'a'), { ip: '9.9.9.9', ...nulls, ...onlyA, isp: 'Quad9' });
  assert.deepEqual(ask('9.9.9.9', 'b'), { ip: '9.9.9.9', ...nulls, ...onlyB, isp: 'Quad9' });
  // A country and a zone that no other source has; an unknown zone is none.
  const { country, country_name, timezone, current_time, is_eu } = ask('91.68.0.1');
  assert.deepEqual([country, country_name, timezone, current_time, is_eu], ['NZ', null, null, null, null]);
});

test('the zone is the database’s own, else that of the position, else that of the country', async (t) => {
  const ask = await asker(t);
  assert.equal(ask('91.67.0.1').timezone, 'Asia/Tokyo');
  assert.equal(ask('91.67.0.1').current_time, '2026-07-01 21:34:56');
  assert.equal(ask('91.66.0.1').timezone, 'America/New_York');
  assert.equal(ask('91.66.0.1').current_time, '2026-07-01 08:34:56');
  assert.equal(ask('91.65.0.1').timezone, 'Europe/Berlin');
  assert.equal(ask('91.69.0.1').timezone, 'Europe/Berlin');
});

test('a latitude of 0 is a place', async (t) => {
  const ask = await asker(t);
  assert.equal(ask('2a02:8108::1').lat, 0);
});

test('an address is echoed in its canonical form, whatever its spelling', async (t) => {
  const ask = await asker(t);
  assert.equal(ask('2A02:8108:0:0:0::0001').ip, '2a02:8108::1');
  assert.equal(ask('::ffff:91.64.0.1').ip, '91.64.0.1');
  assert.equal(ask('0:0:0:0:0:FFFF:5B40:1').ip, '91.64.0.1');
  // Transition addresses are looked up by their IPv4 address, and stay what they are.
  for (const ip of ['2002:5b40:1::', '64:ff9b::5b40:1', '2001:0:4136:e378:8000:63bf:a4bf:fffe']) {
    assert.equal(ask(ip).ip, ip);
    assert.equal(ask(ip).city, 'Berlin');
  }
});

test('without ip the caller’s own address is looked up', async (t) => {
  const ask = await asker(t);
  assert.equal(ask(undefined, 'default', '91.64.0.1').city, 'Berlin');
  assert.equal(ask(undefined, 'b', '::ffff:91.64.0.1').ip, '91.64.0.1');
  assert.equal(ask('91.65.0.1', 'a', '91.64.0.1').city, null);
  assert.throws(() => ask(undefined, 'default', '127.0.0.1'), refused('ip_not_found', /127\.0\.0\.1 .*loopback/));
  assert.throws(() => ask(undefined, 'a', 'fe80::1%eth0'), refused('ip_not_found', /fe80::1 .*link-local/));
  assert.throws(() => ask(undefined), refused('missing_parameter', /^ip is required/));
});

test('what is not an address is refused, saying what was got and what is expected', async (t) => {
  const ask = await asker(t);
  for (const ip of [
    '127.1',
    '010.0.0.1',
    '0x8.8.8.8',
    '8.8.8.8/24',
    '8.8.8.8:80',
    '[::1]',
    'fe80::1%eth0',
    'example.org',
  ]) {
    for (const profile of ['default', 'a', 'b'] as const) {
      assert.throws(
        () => ask(ip, profile),
        (error: WhereaboutsError) => {
          assert.equal(error.code, 'invalid_parameter');
          assert.ok(
            error.message.includes(`ip is ${JSON.stringify(ip)}, expected an IPv4 address of four decimal parts`),
          );
          assert.equal(error.errors?.[0].parameter, 'ip');
          return true;
        },
      );
    }
  }
  for (const ip of ['', '   ', '1'.repeat(201)]) assert.throws(() => ask(ip), refused('invalid_parameter', /^ip /));
});

test('special and unknown addresses are not found, and the detail names which', async (t) => {
  const ask = await asker(t);
  const kinds: [string, RegExp][] = [
    ['10.1.2.3', /10\.1\.2\.3 has no location: it is private \(RFC 1918\)/],
    ['127.0.0.1', /loopback/],
    ['169.254.1.1', /link-local/],
    ['100.64.0.1', /CGNAT/],
    ['192.0.2.1', /documentation/],
    ['224.0.0.1', /multicast/],
    ['240.0.0.1', /reserved/],
    ['0.0.0.0', /unspecified/],
    ['::', /unspecified/],
    ['::1', /loopback/],
    ['fd00::1', /private/],
    ['2001:db8::1', /documentation/],
    ['::ffff:10.1.2.3', /10\.1\.2\.3 .*private/],
    ['2002:a00:1::', /2002:a00:1::, which embeds 10\.0\.0\.1, has no location: it is private/],
    ['64:ff9b::7f00:1', /embeds 127\.0\.0\.1, .*loopback/],
    ['91.200.0.1', /91\.200\.0\.1 is a public address, but none/],
    ['2a00::1', /2a00::1 is a public address, but none/],
  ];
  for (const [ip, detail] of kinds) assert.throws(() => ask(ip), refused('ip_not_found', detail), ip);
});

test('any text gets an answer, 400 or 404', async (t) => {
  const ask = await asker(t);
  const pieces = fc.constantFrom(
    '91.64.0.1',
    '::',
    ':',
    '.',
    'ffff',
    '2002',
    '\0',
    "'",
    '%',
    '/',
    '[',
    ' ',
    '😀',
    '\ud800',
    '0x',
    '-1',
  );
  const texts = fc.oneof(
    ...[fc.ipV4(), fc.ipV6(), fc.ipV4Extended(), fc.webUrl(), fc.string({ unit: 'binary' })],
    fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, fc.constantFrom<Profile>('default', 'a', 'b'), (text, profile) => {
      try {
        assert.equal(typeof ask(text, profile).ip, 'string');
      } catch (error) {
        assert.ok(['invalid_parameter', 'ip_not_found'].includes((error as WhereaboutsError).code), String(error));
      }
    }),
    { numRuns: 2000 },
  );
});

test('an answer may be kept only when an address is given and no clock is in it', () => {
  assert.equal(ipLookup.isCacheable({ ip: '8.8.8.8' }, 'b'), true);
  assert.equal(ipLookup.isCacheable({ ip: '8.8.8.8' }, 'a'), false);
  assert.equal(ipLookup.isCacheable({ ip: '8.8.8.8' }, 'default'), false);
  assert.equal(ipLookup.isCacheable({}, 'b'), false);
});
