/** Tells what kind of source a file is, by its name and its first bytes. */
import { basename } from 'node:path';
import { openPromise } from 'yauzl';
import { UsageError } from '../errors.ts';
import type { SourceKind } from './source-kinds.ts';
import { textLines } from './text-lines.ts';

/** Official file names, first match wins. */
const byName: readonly (readonly [RegExp, SourceKind])[] = [
  [/\.mmdb$/i, 'mmdb'],
  [/\.pbf$/i, 'osm-pbf'],
  [/\.osm(\.gz|\.bz2|\.zst)?$/i, 'osm-xml'],
  [/\.(geo)?parquet$/i, 'overture'],
  [/\.geojson(l|s)?(\.gz|\.zip)?$/i, 'openaddresses'],
  [/^(cities\d+).*\.(txt|zip)$/i, 'geonames-places'],
  [/^admin1Codes.*\.txt$/i, 'geonames-admin1'],
  [/^admin2Codes.*\.txt$/i, 'geonames-admin2'],
  [/^countryInfo.*\.txt$/i, 'geonames-countries'],
  [/^alternateNames.*\.(txt|zip)$/i, 'geonames-alternate-names'],
  [/^(BAN_|adresses-).*\.(csv|csv\.gz|zip)$/i, 'ban'],
  [/^STADFANG.*\.(dsv|csv)$/i, 'stadfang'],
  [/^bag.*\.csv(\.gz)?$/i, 'bag'],
  [/\.gml(\.gz)?$/i, 'prg'],
  [/\.csv(\.gz|\.zip)?$/i, 'openaddresses'],
];

/** Kind of a source file. Throws UsageError when neither name nor content tells it. */
export async function detectSource(path: string): Promise<SourceKind> {
  const name = basename(path);
  for (const [pattern, kind] of byName) if (pattern.test(name)) return kind;
  if (/\.zip$/i.test(name)) {
    for (const member of await zipMembers(path)) {
      for (const [pattern, kind] of byName) if (pattern.test(basename(member))) return kind;
    }
  }
  // GeoNames' country and world files share their names (US.txt, allCountries.zip); their columns tell them apart.
  if (/\.(txt|zip)$/i.test(name)) {
    const columns = (await firstLine(path))?.split('\t').length;
    if (columns === 12) return 'geonames-postal';
    if (columns === 19) return 'geonames-places';
  }
  throw new UsageError(`cannot tell what kind of source ${path} is; say it as kind=${path}`);
}

async function firstLine(path: string): Promise<string | undefined> {
  for await (const lines of textLines(path)) if (lines.length > 0) return lines[0];
  return undefined;
}

async function zipMembers(path: string): Promise<string[]> {
  const archive = await openPromise(path);
  const names: string[] = [];
  for await (const { fileName } of archive.eachEntry()) names.push(fileName);
  return names;
}
