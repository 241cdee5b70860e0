/**
 * The files of the whole world that their publishers renew by the day or month: GeoNames' gazetteer, names by language
 * and postal codes, and the IP tables of DB-IP. The addresses of both can be those of mirrors of the same layout.
 */
import { Failure } from '../errors.ts';
import type { SourceKind } from '../sources/source-kinds.ts';
import { type Extract, remoteSize, under } from './extracts.ts';
import { remoteFile } from './remote-file.ts';

/** GeoNames: path, kind. */
const geonamesFiles: readonly (readonly [string, SourceKind])[] = [
  ['export/dump/allCountries.zip', 'geonames-places'],
  ['export/dump/alternateNamesV2.zip', 'geonames-alternate-names'],
  ['export/dump/admin1CodesASCII.txt', 'geonames-admin1'],
  ['export/dump/admin2Codes.txt', 'geonames-admin2'],
  ['export/dump/countryInfo.txt', 'geonames-countries'],
  ['export/zip/allCountries.zip', 'geonames-postal'],
  ['export/zip/CA_full.csv.zip', 'geonames-postal'],
  ['export/zip/GB_full.csv.zip', 'geonames-postal'],
  ['export/zip/NL_full.csv.zip', 'geonames-postal'],
];

/** DB-IP's free tables are named after their month. */
const ipTables = ['city', 'asn'];

/** Where the two publishers' servers are, or mirrors of their layouts. */
type OfficialMirrors = { geonames: string; dbip: string };

/**
 * The official files as they are published at a time. Throws Failure if a server does not answer, with all that was
 * to be downloaded, or if DB-IP has no table of that month or the one before.
 */
export async function officialFiles(mirrors: OfficialMirrors, now: Date): Promise<Extract[]> {
  const files = geonamesFiles.map(([path, kind]): Extract => {
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
