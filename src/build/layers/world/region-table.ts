import { type DroppedRows, drop } from '../../../core/dropped-rows.ts';
import type { RegionNames } from '../../../sources/admin-polygons.ts';
import type { CrosswalkRegion, IsoSubdivision } from '../../../sources/country-lists.ts';
import type { AdminRow } from '../../../sources/geonames-admin.ts';
import { fold } from '../../../text/fold.ts';
import { betterNamesOfRegions, shortFormsOfRegions } from './country-names.ts';
import type { Admin1ByName } from './municipalities.ts';
import { matchIsoCodes } from './region-iso-codes.ts';
import { type Names, regionNames, type SubregionName } from './region-names.ts';

/** A region on its way into the dataset. */
export type RegionRow = {
  country: string;
  level: 1 | 2;
  name: string;
  isoCode: string | null;
  sourceCode: string;
  /** Position of the level-1 region in the table; -1 for level 1. */
  parent: number;
  /** Names and their languages (`und`: not stated). */
  names: Names;
};

type RegionFacts = {
  admin1: readonly AdminRow[];
  admin2: readonly AdminRow[];
  /** Alpha-2 codes of the countries the dataset has; regions of others are dropped. */
  countries: ReadonlySet<string>;
  subdivisions: readonly IsoSubdivision[];
  /** English names by ISO 3166-2 code. */
  englishNames: ReadonlyMap<string, string>;
  crosswalk: readonly CrosswalkRegion[];
  naturalEarth: readonly RegionNames[];
  /** Makes the look-up of names of level 2, once the first level is there. */
  subregionNames(admin1Of: Admin1ByName): SubregionName;
};

/**
 * The table of regions: first level, then second level, each by country, then folded name, then code. Rows of
 * countries the dataset lacks and second-level rows without their first-level region are counted in `dropped`.
 */
export function regionTable(facts: RegionFacts): { rows: RegionRow[]; dropped: DroppedRows } {
  const dropped: DroppedRows = {};
  const crosswalkOf = crosswalkFinder(facts.crosswalk);
  const betterNames = betterNamesOfRegions();
  const shownName = ({ country, name }: AdminRow) => betterNames.get(`${country} ${name}`) ?? name;
  const admin1 = sorted(
    facts.admin1.filter((row) => facts.countries.has(row.country) || drop(dropped, 'withdrawn country')),
    shownName,
  );
  const isoCodes = isoCodesByKey(admin1, facts, crosswalkOf);
  const names = regionNames(
    admin1.map((row) => {
      const key = `${row.country}.${row.admin1}`;
      return { key, name: row.name, isoCode: isoCodes.get(key), crosswalk: crosswalkOf(row) };
    }),
    facts.englishNames,
    facts.naturalEarth,
    facts.subdivisions,
  );
  const shortForms = shortFormsOfRegions();
  const positions = new Map<string, number>();
  const rows: RegionRow[] = admin1.map((row, position) => {
    const key = `${row.country}.${row.admin1}`;
    positions.set(key, position);
    const isoCode = isoCodes.get(key) ?? null;
    const short = shortForms.get(isoCode ?? '') ?? [];
    const name = shownName(row);
    const further = name === row.name ? short : [row.name, ...short];
    return {
      country: row.country,
      level: 1,
      name,
      isoCode,
      sourceCode: row.admin1,
      parent: -1,
      names: [...names[position], ...further.map((each): Names[number] => ['und', each])],
    };
  });
  const level1Size = rows.length;
  const subregionName = facts.subregionNames((country, name) => {
    const isCalled = (row: RegionRow) => row.country === country && row.names.some(([, text]) => text === name);
    const found = rows.slice(0, level1Size).filter(isCalled);
    return found.length === 1 ? found[0].sourceCode : undefined;
  });
  for (const row of sorted(facts.admin2, ({ name }) => name)) {
    const parent = positions.get(`${row.country}.${row.admin1}`);
    if (!facts.countries.has(row.country)) drop(dropped, 'withdrawn country');
    else if (parent === undefined) drop(dropped, 'level 2 without its level 1');
    else {
      const { country, name, admin2 } = row;
      const own = subregionName(row);
      rows.push({ country, level: 2, name, isoCode: null, sourceCode: admin2, parent, names: own ? [own] : [] });
    }
  }
  return { rows, dropped };
}

function sorted(rows: readonly AdminRow[], nameOf: (row: AdminRow) => string): AdminRow[] {
  const keyed = rows.map((row) => {
    const name = nameOf(row);
    return { row, keys: [row.country, fold(name), name, row.admin1, row.admin2] };
  });
  keyed.sort((a, b) => {
    const at = a.keys.findIndex((key, index) => key !== b.keys[index]);
    return at < 0 ? 0 : a.keys[at] < b.keys[at] ? -1 : 1;
  });
  return keyed.map(({ row }) => row);
}

/** Finds a region's crosswalk entry: by GeoNames identifier where the row has one, else by code. */
function crosswalkFinder(crosswalk: readonly CrosswalkRegion[]) {
  const byId = new Map(crosswalk.map((region) => [region.geonameId, region]));
  const byCode = new Map<string, CrosswalkRegion>();
  for (const region of crosswalk) {
    const key = `${region.country}.${region.admin1}`;
    if (!byCode.has(key)) byCode.set(key, region);
  }
  return (row: AdminRow) =>
    (row.geonameId === undefined ? undefined : byId.get(row.geonameId)) ?? byCode.get(`${row.country}.${row.admin1}`);
}

function isoCodesByKey(
  admin1: readonly AdminRow[],
  { subdivisions, englishNames }: RegionFacts,
  crosswalkOf: (row: AdminRow) => CrosswalkRegion | undefined,
): Map<string, string> {
  const codesByCountry = Map.groupBy(subdivisions, ({ code }) => code.slice(0, 2));
  const found = new Map<string, string>();
  for (const [country, rows] of Map.groupBy(admin1, (row) => row.country)) {
    const regions = rows.map((row) => {
      const entry = crosswalkOf(row);
      return {
        key: `${country}.${row.admin1}`,
        name: row.name,
        crosswalk: entry && { isoCode: entry.isoCode, names: [...entry.names.values()] },
      };
    });
    const codes = (codesByCountry.get(country) ?? []).map(({ code, name, parent }) => ({
      code,
      names: [name, englishNames.get(code) ?? name],
      isTopLevel: parent === country,
    }));
    for (const [key, code] of matchIsoCodes(regions, codes)) found.set(key, code);
  }
  return found;
}
