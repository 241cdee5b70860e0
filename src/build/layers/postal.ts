/**
 * The postal layer: postal codes of as many countries as the default packages have, or of GeoNames' dump where the
 * user gives one. Given rows take the place of all default rows of the countries they contain.
 */
import { basename, join } from 'node:path';
import type { DroppedRows, NamedPostalRow } from '../../core/postal/row.ts';
import { defaultPackages } from '../../sources/default-packages.ts';
import { australiaPostal } from '../../sources/postal/australia.ts';
import { canadaPostal } from '../../sources/postal/canada.ts';
import { francePostal } from '../../sources/postal/france.ts';
import { geonamesPostal } from '../../sources/postal/geonames.ts';
import { japanPostal } from '../../sources/postal/japan.ts';
import { postalCities } from '../../sources/postal/postal-cities.ts';
import { PostalTableWriter, postalFile } from '../../store/packed/postal-table.ts';
import { openWorld } from '../../store/packed/world.ts';
import type { SourceInfo } from '../../store/store.ts';
import type { LayerBuilder } from '../layer.ts';
import { addMeasured, addNamed, type LayerRows, type Naming } from './postal/layer-rows.ts';
import { PlaceCodes } from './postal/places.ts';
import { givenSourceInfo, postalSources, sourceInfo } from './postal/sources.ts';

export const postalLayer: LayerBuilder = {
  name: 'postal',
  needs: ['world'],
  async build({ inputs, directory, progress }) {
    const { countries, regions, places } = openWorld(directory);
    const dropped: DroppedRows = {};
    const layer: LayerRows = {
      table: new PostalTableWriter(),
      placeCodes: new PlaceCodes(places),
      places,
      regions,
      dropped,
    };
    const sources: SourceInfo[] = [];
    /** Countries that have their rows; a later source leaves them alone. */
    const done = new Set<string>();
    type Source = (typeof postalSources)[keyof typeof postalSources];
    const file = (source: Source, name: string) => inputs.packageFile(source.package, name);
    const use = (source: Source) => sources.push(sourceInfo(source, inputs.packageVersion(source.package)));

    const given = inputs.given('geonames-postal');
    for (const [at, path] of given.entries()) {
      progress((0.1 * at) / given.length, `reading ${basename(path)}`);
      for await (const rows of geonamesPostal(path, dropped)) {
        addMeasured(layer, rows, 'geonames-postal', true);
        for (const { country } of rows) done.add(country);
      }
    }
    if (given.length > 0) sources.push(givenSourceInfo(given.map((path) => basename(path)).join(', ')));

    for (const [country, source] of [
      ['US', postalSources.geonamesUs],
      ['IN', postalSources.geonamesIndia],
    ] as const) {
      if (done.has(country)) continue;
      progress(0.1, `postal codes of ${country}`);
      for await (const rows of geonamesPostal(file(source, source.files[0]), dropped))
        addMeasured(layer, rows, source.id, false);
      use(source);
      done.add(country);
    }
    if (!done.has('CA')) {
      const source = postalSources.canada;
      addMeasured(layer, canadaPostal(file(source, source.files[0])), source.id, false);
      use(source);
      done.add('CA');
    }
    if (!done.has('AU')) {
      const source = postalSources.australia;
      addMeasured(layer, australiaPostal(file(source, source.files[0]), dropped), source.id, false);
      use(source);
      done.add('AU');
    }

    const addByCountry = (rows: readonly NamedPostalRow[], naming: Naming) => {
      let added = 0;
      const byCountry = Map.groupBy(rows, ({ country }) => country);
      for (const [country, own] of byCountry) if (!done.has(country)) added += addNamed(layer, country, own, naming);
      for (const country of byCountry.keys()) done.add(country);
      return added;
    };
    for (const [step, source, read] of [
      [0.2, postalSources.france, francePostal],
      [0.3, postalSources.japan, japanPostal],
    ] as const) {
      progress(step, source.title);
      const naming = { source: source.id, isHeaviestOnly: false, isGazetteerName: false };
      if (addByCountry(read(file(source, source.files[0])), naming) > 0) use(source);
    }

    const source = postalSources.postalCities;
    const tables = defaultPackages[source.package] ?? [];
    const iso2 = new Map(countries.assigned.map((country) => [country.iso3, country.iso2]));
    iso2.set('XKX', 'XK');
    const naming = { source: source.id, isHeaviestOnly: true, isGazetteerName: true };
    for (const [at, name] of tables.entries()) {
      progress(0.4 + (0.5 * at) / tables.length, basename(name, '.tsv'));
      const country = iso2.get(basename(name, '.tsv'));
      if (country && !done.has(country)) addByCountry(postalCities(file(source, name), country, dropped), naming);
    }
    use(source);

    progress(0.9, 'sorting');
    const { codes, rows } = layer.table.write(join(directory, postalFile), layer.placeCodes.finish());
    progress(1, 'done');
    return { records: { postal_codes: codes, rows }, dropped, sources, files: [postalFile] };
  },
};
