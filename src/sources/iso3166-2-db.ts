/**
 * A region of the npm package iso3166-2-db, which ties GeoNames' codes to ISO 3166-2 as it was some years before the
 * list of iso-3166.
 */
export type CrosswalkRegion = {
  /** Alpha-2 code. */
  country: string;
  /** GeoNames admin1 code; `''` when unknown. */
  admin1: string;
  geonameId: number | undefined;
  /** ISO 3166-2 code such as `DE-BY`, perhaps withdrawn since; undefined when there is none. */
  isoCode: string | undefined;
  /** Names by BCP 47 language. */
  names: Map<string, string>;
};

type Entry = {
  name: string;
  names: Record<string, string>;
  iso?: string;
  admin?: string;
  reference?: { geonames?: number | string };
};

/** Reads `data/iso3166-2.json` of iso3166-2-db. */
export function readCrosswalk(text: string): CrosswalkRegion[] {
  const countries = JSON.parse(text) as Record<string, { regions: Entry[] }>;
  return Object.entries(countries).flatMap(([country, { regions }]) =>
    regions.map((entry) => ({
      country,
      admin1: entry.admin ?? '',
      geonameId: Number(entry.reference?.geonames) || undefined,
      // `X1~` marks a code that the package made up.
      isoCode: entry.iso && !entry.iso.includes('~') ? `${country}-${entry.iso}` : undefined,
      names: namesOf(entry),
    })),
  );
}

/** Texts that stand in the package's name columns by mistake (a translation of the language's name). */
const noNames = new Set(['Китайский', 'китайский', 'Chinese']);

function namesOf({ name, names }: Entry): Map<string, string> {
  const byLanguage = new Map<string, string>();
  for (const [key, text] of Object.entries(names)) {
    if (key === 'geonames' || !text || noNames.has(text)) continue;
    byLanguage.set(key === 'kr' ? 'ko' : key, text); // the package has Korean under Korea's country code
  }
  if (!byLanguage.has('en')) byLanguage.set('en', name);
  return byLanguage;
}
