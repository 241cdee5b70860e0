/**
 * Where the public extracts of a country are: the layouts of Geofabrik (OpenStreetMap), GeoNames (postal codes) and
 * OpenAddresses. The addresses of all three can be those of mirrors. docs/updating.md says against what each was checked.
 */
import { UsageError } from '../errors.ts';
import type { SourceKind } from '../sources/source-kinds.ts';
import { reasonOf } from './download.ts';
import { type GeofabrikIndex, osmExtract } from './geofabrik.ts';
import { openAddressesExtracts } from './openaddresses.ts';
import { remoteFile } from './remote-file.ts';

export type Mirrors = { geofabrik: string; geonames: string; openaddresses: string };

/** One file to download; the name is unique among the extracts of a build, and may lie in folders. */
export type Extract = {
  country: string;
  kind: SourceKind;
  url: string;
  fileName: string;
  /** Where the publisher says it beforehand. */
  bytes?: number;
  /** Address of a note on the file's licence, kept beside it with the ending `.meta`. */
  note?: string;
  /** The publisher gives the file to those who are signed in. */
  needsToken?: boolean;
};

export const publishers = ['osm', 'postal', 'openaddresses'] as const;
export type Publisher = (typeof publishers)[number];

/** Countries whose whole postal codes GeoNames has in a further file; the usual one has their first parts. */
const wholeCodes = ['CA', 'GB', 'NL'];

/** An answer of 200. Throws UsageError with the remedy for any other. */
export async function get(url: string): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) }).catch((error: Error) => {
    throw new UsageError(
      `${url} could not be read (${reasonOf(error)}); check the network, or name a mirror in the configuration`,
    );
  });
  if (!response.ok)
    throw new UsageError(`${url} answered ${response.status}; check the mirror's address in the configuration`);
  return response;
}

/** A path below an address, with or without a slash at its end. */
export const under = (base: string, path: string) => new URL(path, base.endsWith('/') ? base : `${base}/`).href;

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
  return file === 'missing' ? file : file.bytes;
}
