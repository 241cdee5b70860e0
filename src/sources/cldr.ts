/** Readers for the files of the Unicode CLDR packages cldr-core, cldr-localenames-full and cldr-subdivisions-full. */

/** What CLDR's `territoryInfo.json` says of a territory. */
export type Territory = {
  population: number;
  /** BCP 47 languages with any official status there (nationwide, regional or in practice), script left out. */
  officialLanguages: string[];
};

type TerritoryInfo = {
  supplemental: {
    territoryInfo: Record<
      string,
      { _population: string; languagePopulation?: Record<string, { _officialStatus?: string }> }
    >;
  };
};

/** Reads `cldr-core/supplemental/territoryInfo.json`: territories by alpha-2 code. */
export function readTerritories(text: string): Map<string, Territory> {
  const info = (JSON.parse(text) as TerritoryInfo).supplemental.territoryInfo;
  return new Map(
    Object.entries(info).map(([code, { _population, languagePopulation = {} }]) => {
      const official = Object.entries(languagePopulation).filter(([, { _officialStatus }]) => _officialStatus);
      const officialLanguages = [...new Set(official.map(([language]) => language.split('_')[0]))];
      return [code, { population: Number(_population), officialLanguages }];
    }),
  );
}

type Containment = {
  supplemental: { territoryContainment: Record<string, { _contains: string[]; _grouping?: string }> };
};

/**
 * Reads `cldr-core/supplemental/territoryContainment.json`: for each territory the UN M49 code of the smallest
 * geographical region that holds it (`155` is Western Europe), and the members of the European Union.
 */
export function readContainment(text: string): { regionOf: Map<string, string>; europeanUnion: Set<string> } {
  const groups = (JSON.parse(text) as Containment).supplemental.territoryContainment;
  const regionOf = new Map<string, string>();
  for (const [group, { _contains, _grouping }] of Object.entries(groups)) {
    if (!/^\d{3}$/.test(group) || _grouping) continue;
    for (const member of _contains) if (/^[A-Z]{2}$/.test(member)) regionOf.set(member, group);
  }
  return { regionOf, europeanUnion: new Set(groups.EU._contains) };
}

type SubdivisionNames = {
  subdivisions: { localeDisplayNames: { subdivisions: Record<string, string> } };
};

/**
 * Reads a `cldr-subdivisions-full/subdivisions/<language>/<language>.json`: names by ISO 3166-2 code (`US-CA`).
 * Codes that ISO has withdrawn are among them.
 */
export function readSubdivisionNames(text: string): Map<string, string> {
  const names = (JSON.parse(text) as SubdivisionNames).subdivisions.localeDisplayNames.subdivisions;
  return new Map(
    Object.entries(names).map(([code, name]) => [`${code.slice(0, 2)}-${code.slice(2)}`.toUpperCase(), name]),
  );
}

type TerritoryNames = { main: Record<string, { localeDisplayNames: { territories: Record<string, string> } }> };

/** Latin abbreviations so short are codes of other countries in other languages (`RU` is Breton for the United Kingdom). */
export const isShortAbbreviation = (name: string): boolean => /^[\p{Script=Latin}.\s]{1,3}$/u.test(name);

/**
 * Reads a `cldr-localenames-full/main/<language>/territories.json`: the names of each country by alpha-2 code, variants
 * (`Czech Republic`, `Ivory Coast`) included, its Latin abbreviations of up to three letters left out.
 */
export function readTerritoryNames(text: string): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { localeDisplayNames } of Object.values((JSON.parse(text) as TerritoryNames).main)) {
    for (const [key, name] of Object.entries(localeDisplayNames.territories)) {
      const code = /^([A-Z]{2})(?:-alt-\w+)?$/.exec(key)?.[1];
      if (!code || (key.length > 2 && isShortAbbreviation(name))) continue;
      names.set(code, [...(names.get(code) ?? []), name]);
    }
  }
  return names;
}
