/**
 * The postal layer: postal codes of as many countries as the default packages have, or of GeoNames' dump where the user
 * provides one. Its rows replace all default rows of the countries they contain.
 */
import { basename, join } from 'node:path';
import type { DroppedRows, MeasuredPostalRow, NamedPostalRow } from '../../core/postal/row.ts';
import { defaultPackages } from '../../sources/default-packages.ts';
import { australiaPostal } from '../../sources/postal/australia.ts';
import { francePostal } from '../../sources/postal/france.ts';
import { geonamesPostal } from '../../sources/postal/geonames.ts';
import { italyPostal } from '../../sources/postal/italy.ts';
import { japanPostal } from '../../sources/postal/japan.ts';
import { norwayPostal } from '../../sources/postal/norway.ts';
import { postalCities } from '../../sources/postal/postal-cities.ts';
import { zipcodesPostal } from '../../sources/postal/zipcodes.ts';
import type { SourceInfo } from '../../store/manifest-format.ts';
import { PostalTableWriter, postalFile } from '../../store/packed/postal-table.ts';
import { openWorld } from '../../store/packed/world.ts';
import type { LayerBuilder } from '../layer.ts';
import { addMeasured, addNamed, type LayerRows } from './postal/layer-rows.ts';
import { PlaceCodes } from './postal/places.ts';
import { postalSources, sourceInfo, userSourceInfo } from './postal/sources.ts';

/** National lists that name the place of each code; what the world's table may add to each. */
const nationalLists = [
  { source: postalSources.france, read: francePostal, addsCodes: false },
  { source: postalSources.japan, read: japanPostal, addsCodes: false },
  { source: postalSources.norway, read: norwayPostal, addsCodes: true },
  { source: postalSources.italy, read: italyPostal, addsCodes: true },
] as const;

type Source = (typeof postalSources)[keyof typeof postalSources];

export const postalLayer: LayerBuilder = {
  name: 'postal',
  needs: ['world'],
  async build({ inputs, directory, progress }) {
    const { countries, regions, places } = openWorld(directory);
    const dropped: DroppedRows = {};
    const placeCodes = new PlaceCodes(places);
    const layer: LayerRows = { table: new PostalTableWriter(), placeCodes, places, regions, dropped };
    const sources: SourceInfo[] = [];
    /** Countries that are complete; later sources skip them. */
    const done = new Set<string>();
    const file = (source: Source) => inputs.packageFile(source.package, source.files[0]);
    const use = (source: Source) => sources.push(sourceInfo(source, inputs.packageVersion(source.package)));

    const userFiles = inputs.userFiles('geonames-postal');
    const emptySources: string[] = [];
    for (const [at, path] of userFiles.entries()) {
      progress((0.1 * at) / userFiles.length, `reading ${basename(path)}`);
      let added = 0;
      for await (const rows of geonamesPostal(path, dropped)) {
        added += addMeasured(layer, rows, 'geonames-postal', true);
        for (const { country } of rows) done.add(country);
      }
      if (added === 0) emptySources.push(path);
    }
    if (userFiles.length > 0) sources.push(userSourceInfo(userFiles.map((path) => basename(path)).join(', '), done));

    /** The package writes a state by its code. */
    const withRegionName = (row: MeasuredPostalRow): MeasuredPostalRow => {
      const region = regions.byIsoCode(`${row.country}-${row.admin1}`);
      return { ...row, admin1: region < 0 ? null : regions.get(region).name };
    };
    const geonames = (source: Source) => geonamesPostal(file(source), dropped);
    for (const { country, source, read } of [
      { country: 'US', source: postalSources.geonamesUs, read: geonames },
      { country: 'IN', source: postalSources.geonamesIndia, read: geonames },
      { country: 'CA', source: postalSources.canada, read: (source: Source) => [zipcodesPostal(file(source), 'CA')] },
      {
        country: 'AU',
        source: postalSources.australia,
        read: (source: Source) => [australiaPostal(file(source), dropped)],
      },
    ]) {
      if (done.has(country)) continue;
      progress(0.1, source.title);
      const known = new Set<string>();
      for await (const rows of read(source)) {
        addMeasured(layer, rows, source.id, false);
        if (country === 'US') for (const { code } of rows) known.add(code);
      }
      use(source);
      if (country === 'US') {
        const { zipcodesUs } = postalSources;
        const missing = zipcodesPostal(file(zipcodesUs), 'US').filter(({ code }) => !known.has(code));
        addMeasured(layer, missing.map(withRegionName), zipcodesUs.id, false);
        use(zipcodesUs);
      }
      done.add(country);
    }

    const world = postalSources.postalCities;
    const worldNaming = { source: world.id, isHeaviestOnly: true, isGazetteerName: true };
    const tables = new Map((defaultPackages[world.package] ?? []).map((name) => [basename(name, '.tsv'), name]));
    const worldRows = (country: string): readonly NamedPostalRow[] => {
      const table = tables.get(countries.get(country)?.iso3 ?? '');
      return table ? postalCities(inputs.packageFile(world.package, table), country, dropped) : [];
    };
    for (const [at, { source, read, addsCodes }] of nationalLists.entries()) {
      progress(0.2 + 0.05 * at, source.title);
      const byCountry = [...Map.groupBy(read(file(source)), ({ country }) => country)];
      const naming = { source: source.id, isHeaviestOnly: false, isGazetteerName: false };
      for (const [country, rows] of byCountry) {
        if (done.has(country)) continue;
        const completion = { rows: worldRows(country), naming: worldNaming, addsCodes };
        addNamed(layer, country, { rows, naming }, completion);
        done.add(country);
        if (!sources.some(({ id }) => id === source.id)) use(source);
      }
    }

    const codes = countries.assigned.map(({ iso2 }) => iso2).concat('XK');
    for (const [at, country] of codes.entries()) {
      if (done.has(country)) continue;
      progress(0.4 + (0.5 * at) / codes.length, `postal codes of ${country}`);
      const rows = worldRows(country);
      if (rows.length === 0) continue;
      addNamed(layer, country, { rows, naming: worldNaming });
      if (!sources.some(({ id }) => id === world.id)) use(world);
    }

    progress(0.9, 'sorting');
    const records = layer.table.write(join(directory, postalFile), placeCodes.finish());
    progress(1, 'done');
    return {
      records: {
        postal_codes: Object.values(records.codes).reduce((sum, codes) => sum + codes, 0),
        postal_rows: records.rows,
      },
      countries: records.codes,
      dropped,
      sources,
      files: [postalFile],
      emptySources,
    };
  },
};
