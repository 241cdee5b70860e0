import { join } from 'node:path';
import type { NameColumns } from '../../../core/search/name-index.ts';
import { NameIndexBuilder } from '../../../core/search/name-index-builder.ts';
import {
  foldedForms,
  isRomanised,
  type NameKind,
  nameKinds,
  otherWritings,
  tails,
} from '../../../core/search/name-keys.ts';
import { PostingRanks } from '../../../core/search/postings.ts';
import { writePack } from '../../../store/packed/pack-file.ts';
import { placeNamesFile } from '../../../store/packed/place-columns.ts';
import type { Countries, Regions } from '../../../store/store.ts';
import { fold } from '../../../text/fold.ts';
import type { LayerJob, LayerReport } from '../../layer.ts';
import { buildAreas } from './areas.ts';
import type { CountryNames } from './country-names.ts';
import type { PlaceColumns } from './places.ts';
import type { RankedPlace, RankedPlaces } from './ranked-places.ts';

/** From this many inhabitants on every name counts: without language tags the local one cannot be told. */
const wellKnownPopulation = 100_000;

/** Writes the index of place names and of the areas (countries, regions) that give them context. */
export async function buildPlaceNames(
  job: LayerJob,
  places: RankedPlaces,
  columns: PlaceColumns,
  regions: Regions,
  countries: Countries,
  countryNames: CountryNames,
): Promise<Omit<LayerReport, 'sources'>> {
  const builder = new NameIndexBuilder();
  const postings = new PostingRanks(columns.prominence, columns.population);
  const rankOf = postings.ranks();
  let names = 0;
  let index = 0;
  for (const place of places) {
    const at = index++;
    names += addNames(place, (key, kind) => builder.add(key, rankOf(at, kind)));
    if (index % 20_000 === 0) job.progress(0.45 + 0.3 * (index / places.size), 'indexing names');
  }
  const keys = builder.size;
  job.progress(0.8, 'sorting names');
  const nameIndex = builder.finish(
    columns.countries.length,
    (rank) => columns.country[postings.place(rank)],
    (rank) => postings.place(rank),
  );
  job.progress(0.9, 'indexing areas');
  const areas = buildAreas(columns, regions, countries, countryNames);
  writePack(join(job.directory, placeNamesFile), null, {
    ...prefixed('name', nameIndex),
    ...prefixed('area', areas.index),
    areas: areas.areas,
  });
  return { records: { names, nameKeys: keys }, dropped: {}, files: [placeNamesFile] };
}

function prefixed(prefix: string, columns: NameColumns): Record<string, NameColumns[keyof NameColumns]> {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [`${prefix}.${name}`, column]));
}

/** Adds every key of a place; gives the number of distinct names it has. */
function addNames(place: RankedPlace, add: (key: string, kind: NameKind) => void): number {
  const main = new Set([place.name, place.asciiName]);
  for (const name of main) {
    for (const form of foldedForms(name)) {
      for (const writing of [form, ...otherWritings(form)]) {
        add(writing, nameKinds.main);
        for (const tail of tails(writing)) add(tail, nameKinds.inner);
      }
    }
  }
  const isWellKnown = place.population >= wellKnownPopulation;
  const others = new Set(place.alternateNames).difference(main);
  for (const name of others) {
    if (isRomanised(name)) {
      add(fold(name), nameKinds.romanised);
      continue;
    }
    const kind = isWellKnown ? nameKinds.known : nameKinds.other;
    for (const form of foldedForms(name)) {
      add(form, kind);
      for (const writing of otherWritings(form)) add(writing, kind);
    }
  }
  return main.size + others.size;
}
