/**
 * Where the public extracts of a country are: the layouts of Geofabrik (OpenStreetMap), GeoNames (postal codes) and
 * OpenAddresses. The addresses of all three can be those of mirrors. docs/updating.md says against what each was checked.
 */
import { Failure } from '../errors.ts';
import type { SourceKind } from '../sources/source-kinds.ts';
import { isGeofabrikIndex, osmExtract } from './geofabrik.ts';
import { openAddressesExtracts } from './openaddresses.ts';
import { remoteFile } from './remote-file.ts';
import { readDocument } from './small-document.ts';

export type Mirrors = { geofabrik: string; geonames: string; openaddresses: string };

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
const remedy = "check the network and the mirror's address in the configuration";

/** The text of a publisher's list or note. Throws Failure with the remedy where there is none, and when it is too large or slow. */
export async function readList(url: string): Promise<string> {
  const content = await readDocument(url, { maxBytes, timeoutMs: 60_000, remedy });
  if (content === undefined) throw new Failure(`${url} answered 404; ${remedy}`);
  return content.toString();
}

/** The same as JSON; undefined for what is none, such as the page of a proxy. */
export async function readJsonList(url: string): Promise<unknown> {
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
  mirrors: Mirrors,
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
