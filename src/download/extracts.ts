/**
 * Where the public extracts of a country are: the layouts of Geofabrik (OpenStreetMap), GeoNames (postal codes) and
 * OpenAddresses. The addresses of all three can be those of mirrors.
 */
import { UsageError } from '../errors.ts';
import type { SourceKind } from '../sources/source-kinds.ts';

export type Mirrors = { geofabrik: string; geonames: string; openaddresses: string };

/** One file to download; the name is unique among the extracts of a build. */
export type Extract = { country: string; kind: SourceKind; url: string; fileName: string };

export const publishers = ['osm', 'postal', 'openaddresses'] as const;
export type Publisher = (typeof publishers)[number];

type GeofabrikIndex = {
  features: {
    properties: { id: string; 'iso3166-1:alpha2'?: string[]; urls?: { pbf?: string } };
  }[];
};

const get = async (url: string): Promise<Response> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) }).catch((error: Error) => {
    throw new UsageError(
      `${url} could not be read (${error.message}); check the network, or name a mirror in the configuration`,
    );
  });
  if (!response.ok)
    throw new UsageError(`${url} answered ${response.status}; check the mirror's address in the configuration`);
  return response;
};

const under = (base: string, path: string) => new URL(path, base.endsWith('/') ? base : `${base}/`).href;

/** The extracts of some countries (alpha-2), of some publishers. Throws UsageError naming a country that has none. */
export async function findExtracts(
  countries: readonly string[],
  from: readonly Publisher[],
  mirrors: Mirrors,
): Promise<Extract[]> {
  const extracts: Extract[] = [];
  if (from.includes('osm')) {
    const index = (await (await get(under(mirrors.geofabrik, 'index-v1.json'))).json()) as GeofabrikIndex;
    for (const country of countries) extracts.push(osmExtract(index, country, mirrors.geofabrik));
  }
  if (from.includes('postal')) {
    for (const country of countries) {
      const fileName = `${country}.zip`;
      const url = under(mirrors.geonames, `export/zip/${fileName}`);
      extracts.push({ country, kind: 'geonames-postal', url, fileName: `geonames-postal-${fileName}` });
    }
  }
  if (from.includes('openaddresses')) {
    const state = await (await get(under(mirrors.openaddresses, 'state.txt'))).text();
    for (const country of countries) extracts.push(...openAddressesExtracts(state, country, mirrors.openaddresses));
  }
  return extracts;
}

/** The smallest extract that covers a country: some countries share one (`malaysia-singapore-brunei`). */
function osmExtract({ features }: GeofabrikIndex, country: string, base: string): Extract {
  const covering = features
    .map(({ properties }) => properties)
    .filter((properties) => properties['iso3166-1:alpha2']?.includes(country) && properties.urls?.pbf)
    .sort((a, b) => a['iso3166-1:alpha2']!.length - b['iso3166-1:alpha2']!.length || (a.id < b.id ? -1 : 1));
  if (covering.length === 0) {
    throw new UsageError(`${base} has no OpenStreetMap extract for ${country}; give a file of your own with --source`);
  }
  // The index names its publisher's host; a mirror has the same paths.
  const path = new URL(covering[0].urls!.pbf!, base).pathname;
  const { id } = covering[0];
  const url = new URL(path, new URL(base).origin).href;
  return { country, kind: 'osm-pbf', url, fileName: `${id.replaceAll('/', '-')}.osm.pbf` };
}

/** `state.txt` is a table with a header; `source` is `us/ca/alameda.json`, `processed` the address of its result. */
function openAddressesExtracts(state: string, country: string, base: string): Extract[] {
  const [header, ...rows] = state
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));
  const source = header?.indexOf('source') ?? -1;
  const processed = header?.indexOf('processed') ?? -1;
  if (source < 0 || processed < 0) {
    throw new UsageError(
      `${under(base, 'state.txt')} lacks the columns "source" and "processed"; check the mirror's address`,
    );
  }
  const own = rows.filter((row) => row[source]?.startsWith(`${country.toLowerCase()}/`) && row[processed]);
  return own.map((row) => {
    const name = row[source].replace(/\.json$/, '').replaceAll('/', '-');
    return {
      country,
      kind: 'openaddresses',
      url: new URL(row[processed], base).href,
      fileName: `openaddresses-${name}.zip`,
    };
  });
}

/** Bytes of a file as its server states them; undefined where it does not, or cannot be asked. */
export async function remoteSize(url: string): Promise<number | undefined> {
  const response = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(20_000) }).catch(() => undefined);
  const length = response?.ok ? response.headers.get('content-length') : null;
  return length ? Number(length) : undefined;
}
