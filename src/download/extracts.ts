/**
 * Where the public extracts of a country are: the layouts of Geofabrik (OpenStreetMap), GeoNames (postal codes) and
 * OpenAddresses. The addresses of all three can be those of mirrors. docs/updating.md says against what each was checked.
 */
import { Failure, UsageError } from '../errors.ts';
import type { SourceKind } from '../sources/source-kinds.ts';
import { readDocument, remoteFile } from './download.ts';
import published from './published.json' with { type: 'json' };

/** One file to download; the name is unique among the extracts of a build, and may lie in folders. */
export type Extract = {
  /** Alpha-2; `*` for the whole world. */
  country: string;
  kind: SourceKind;
  url: string;
  fileName: string;
  /** Where the publisher says it beforehand. */
  bytes?: number;
  /** Address of a note on the file's licence, stored next to it with the suffix `.meta`. */
  note?: string;
  /** The publisher requires a login. */
  needsToken?: boolean;
};

export const publishers = ['osm', 'postal', 'openaddresses'] as const;
export type Publisher = (typeof publishers)[number];

/** Countries whose whole postal codes GeoNames has in a further file; the usual one has their first parts. */
const wholeCodes = ['CA', 'GB', 'NL'];

/** Geofabrik's index, the largest document that is read, has about 4 MB. */
const maxBytes = 64 * 2 ** 20;
const remedy =
  "check the network and the mirror's address in the configuration, or add an extract that was downloaded elsewhere with --source <file>";

/** The text of a publisher's list or note. Throws Failure with the remedy where there is none, and when it is too large or slow. */
export async function readList(url: string): Promise<string> {
  const content = await readDocument(url, { maxBytes, timeoutMs: 60_000, remedy });
  if (content === undefined) throw new Failure(`${url} answered 404; ${remedy}`);
  return content.toString();
}

/** The same as JSON; undefined for what is none, such as the page of a proxy. */
async function readJsonList(url: string): Promise<unknown> {
  const text = await readList(url);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A path below an address, with or without a slash at its end. */
export const under = (base: string, path: string) => new URL(path, base.endsWith('/') ? base : `${base}/`).href;

/** The extracts of some countries (alpha-2), of some publishers. Throws Failure naming a country that has none. */
export async function findExtracts(
  countries: readonly string[],
  from: readonly Publisher[],
  mirrors: Record<'geofabrik' | 'geonames' | 'openaddresses', string>,
): Promise<Extract[]> {
  const extracts: Extract[] = [];
  if (from.includes('osm')) {
    const url = under(mirrors.geofabrik, 'index-v1.json');
    const index = await readJsonList(url);
    if (!isGeofabrikIndex(index)) throw new Failure(`${url} is not an index of extracts; ${remedy}`);
    for (const country of countries) extracts.push(osmExtract(index, country, mirrors.geofabrik));
  }
  if (from.includes('postal')) {
    for (const country of countries) {
      const further = wholeCodes.includes(country) ? [`${country}_full.csv.zip`] : [];
      for (const fileName of [`${country}.zip`, ...further]) {
        const url = under(mirrors.geonames, `export/zip/${fileName}`);
        extracts.push({ country, kind: 'geonames-postal', url, fileName: `geonames-postal-${fileName}` });
      }
    }
  }
  if (from.includes('openaddresses')) {
    for (const country of countries) extracts.push(...(await openAddressesExtracts(country, mirrors.openaddresses)));
  }
  return extracts;
}

/** A file as its server states it: `missing`, or its bytes, undefined where the server does not state or answer. */
export async function remoteSize(url: string): Promise<number | 'missing' | undefined> {
  const file = await remoteFile(url);
  return file === 'missing' ? file : file === 'unreachable' ? undefined : file.bytes;
}

// OpenStreetMap extracts by the index of Geofabrik, `index-v1.json`: a GeoJSON collection whose features have an `id`,
// a `name`, `iso3166-1:alpha2` codes and `urls.pbf`; `<pbf>.md5` is next to each file.

type GeofabrikIndex = {
  features: {
    properties: { id: string; name?: string; 'iso3166-1:alpha2'?: string[] | null; urls?: { pbf?: string } };
  }[];
};

function isGeofabrikIndex(value: unknown): value is GeofabrikIndex {
  const { features } = (value ?? {}) as Partial<GeofabrikIndex>;
  return Array.isArray(features) && features.every((feature) => typeof feature?.properties?.id === 'string');
}

type Area = GeofabrikIndex['features'][number]['properties'];

/**
 * Extracts that contain countries which the index names by no code and no name. Found by the extracts' polygons in a
 * copy of the index.
 */
const insideOf: Readonly<Record<string, string>> = published.insideOf;

const names = new Intl.DisplayNames(['en'], { type: 'region' });

/** The smallest extract that covers a country. Throws UsageError with the remedy when there is none. */
function osmExtract({ features }: GeofabrikIndex, country: string, base: string): Extract {
  const areas = features.map(({ properties }) => properties).filter(({ urls }) => urls?.pbf);
  const name = folded(names.of(country) ?? '');
  const isNamed = (area: Area) => folded(area.name ?? '') === name || folded(area.id) === name;
  const codes = (area: Area) => area['iso3166-1:alpha2'] ?? [];
  // Some codes of the index are mistaken (`american-oceania` has VU), and two extracts may have one: the name decides.
  const [best = areas.find(isNamed) ?? areas.find(({ id }) => id === insideOf[country])] = areas
    .filter((area) => codes(area).includes(country))
    .sort(
      (a, b) => codes(a).length - codes(b).length || Number(isNamed(b)) - Number(isNamed(a)) || (a.id < b.id ? -1 : 1),
    );
  if (!best) {
    throw new UsageError(
      `${base} has no OpenStreetMap extract of ${country} alone; pass another file with --source, such as ` +
        'that of its continent',
    );
  }
  // The index names its publisher's host; a mirror has the same paths.
  const url = new URL(new URL(best.urls!.pbf!, base).pathname, new URL(base).origin).href;
  return { country, kind: 'osm-pbf', url, fileName: `${best.id.replaceAll('/', '-')}.osm.pbf` };
}

/** A name without case, accents, spaces and the small words that the two spell differently. */
function folded(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/\b(and|the|of)\b/g, '')
    .replace(/[^a-z]/g, '');
}

// Results of OpenAddresses by its API (github.com/openaddresses/batch): `data` lists the latest result of each source,
// `job/<job>` has its licence, `job/<job>/output/source.geojson.gz` leads to the file, for those who are signed in.

type Result = {
  source: string;
  layer: string;
  name: string;
  job: number;
  size?: number | null;
  output?: { output?: boolean };
};

/** The results of a country's address sources, with the address of each one's licence note. Empty when it has none. */
async function openAddressesExtracts(country: string, base: string): Promise<Extract[]> {
  const folder = `${country.toLowerCase()}/`;
  const url = under(base, `data?source=${encodeURIComponent(folder)}&layer=addresses`);
  const results = (await readJsonList(url)) as Result[];
  if (!Array.isArray(results) || results.some((result) => typeof result?.source !== 'string' || !result.job)) {
    throw new UsageError(
      `${url} did not return a list of results with "source" and "job"; check openaddressesMirror in the configuration`,
    );
  }
  // The API finds the text anywhere in a source's name, so `li/` has `us/nc/li/…` too.
  const own = results.filter(
    ({ source, layer, output }) => source.startsWith(folder) && layer === 'addresses' && output?.output !== false,
  );
  return own.map(({ source, layer, name, job, size }) => ({
    country,
    kind: 'openaddresses',
    url: under(base, `job/${job}/output/source.geojson.gz`),
    // As the collections name their files; the reader takes country and state from the folders.
    fileName: `openaddresses/${source}-${layer}-${name}.geojson.gz`.replace(/[^\p{L}\p{N}/._-]/gu, '_'),
    ...(typeof size === 'number' && size > 0 && { bytes: size }),
    note: under(base, `job/${job}`),
    needsToken: true,
  }));
}

// The files of the whole world that their publishers renew by the day or month: GeoNames' gazetteer, names by language
// and postal codes, and the IP tables of DB-IP. The addresses of both can be those of mirrors of the same layout.

/** DB-IP's free tables are named after their month. */
const ipTables = ['city', 'asn'];

/**
 * The official files as they are published at a time, at the two publishers' servers or mirrors of their layouts. Throws Failure if a server does not answer, with all that was
 * to be downloaded, or if DB-IP has no table of that month or the one before.
 */
export async function officialFiles(mirrors: Record<'geonames' | 'dbip', string>, now: Date): Promise<Extract[]> {
  const files = (Object.entries(published.geonames) as [string, SourceKind][]).map(([path, kind]): Extract => {
    const name = path.split('/').at(-1)!;
    const fileName = kind === 'geonames-postal' ? `geonames-postal-${name}` : `geonames-${name}`;
    return { country: world, kind, url: under(mirrors.geonames, path), fileName };
  });
  const tables = ipTables.map((table) => editionsOf(table, mirrors.dbip, now));
  const silent = await silentServer([files[0].url, tables[0][0]]);
  if (silent) {
    const urls = [...files.map(({ url }) => url), ...tables.map(([newest]) => newest)];
    throw new Failure(
      `${silent} does not answer; check the network, or download these files elsewhere and pass each with --source:\n  ${urls.join('\n  ')}`,
    );
  }
  return [...files, ...(await Promise.all(tables.map(newestTable)))];
}

const world = '*';

/** The host of the first address whose server does not answer. */
async function silentServer(urls: readonly string[]): Promise<string | undefined> {
  for (const url of urls) if ((await remoteFile(url)) === 'unreachable') return new URL(url).host;
  return undefined;
}

/** The addresses of a table of this month and the last; a month's own is published within its first days. */
const editionsOf = (table: string, base: string, now: Date): string[] =>
  [0, 1].map((monthsAgo) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo)).toISOString().slice(0, 7);
    return under(base, `free/dbip-${table}-lite-${month}.mmdb.gz`);
  });

async function newestTable(urls: readonly string[]): Promise<Extract> {
  for (const url of urls) {
    const bytes = await remoteSize(url);
    if (bytes !== 'missing') return { country: world, kind: 'mmdb', url, fileName: url.split('/').at(-1)!, bytes };
  }
  throw new Failure(`there is neither ${urls.join(' nor ')}; check the network and dbipMirror in the configuration`);
}
