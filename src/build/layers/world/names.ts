import { join } from 'node:path';
import { fold } from '../../../core/fold.ts';
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
import type { LayerJob, LayerReport } from '../../layer.ts';
import { buildAreas } from './areas.ts';
import type { RankedPlace } from './places.ts';

/** From this many inhabitants on every name counts: without language tags the local one cannot be told. */
const wellKnownPopulation = 100_000;

/** Writes the index of place names and of the areas (countries, regions) that give them context. */
export async function buildPlaceNames(
  job: LayerJob,
  places: readonly RankedPlace[],
  regions: Regions,
  countries: Countries,
): Promise<Omit<LayerReport, 'sources'>> {
  const builder = new NameIndexBuilder();
  const postings = new PostingRanks(
    Float32Array.from(places, ({ prominence }) => prominence),
    Uint32Array.from(places, ({ population }) => population),
  );
  const rankOf = postings.ranks();
  let names = 0;
  for (const [index, place] of places.entries()) {
    names += addNames(place, (key, kind) => builder.add(key, rankOf(index, kind)));
    if (index % 20_000 === 0) job.progress(0.45 + 0.3 * (index / places.length), 'indexing names');
  }
  const keys = builder.size;
  job.progress(0.8, 'sorting names');
  const codes = [...new Set(places.map(({ country }) => country))].sort();
  const numbers = new Map(codes.map((code, number) => [code, number]));
  const groups = Uint8Array.from(places, ({ country }) => numbers.get(country)!);
  const index = builder.finish(
    codes.length,
    (rank) => groups[postings.place(rank)],
    (rank) => postings.place(rank),
  );
  job.progress(0.9, 'indexing areas');
  const areas = buildAreas(places, codes, regions, countries);
  writePack(join(job.directory, placeNamesFile), null, {
    ...prefixed('name', index),
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
