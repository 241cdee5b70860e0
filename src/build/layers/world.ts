import type { NamedFeature } from '../../core/named-feature.ts';
import { openCountries } from '../../store/packed/countries.ts';
import { openRegions } from '../../store/packed/regions.ts';
import { type BuilderReport, type LayerJob, type LayerReport, sourceInfo } from '../layer.ts';
import { buildCountries } from './world/countries.ts';
import { readCountryNames } from './world/country-names.ts';
import { readFeatures } from './world/features.ts';
import { joinedFeatures, wellKnownFeatures, wellKnownSource } from './world/joined-features.ts';
import { landmarks, landmarksSource, ownLandmarks } from './world/landmarks.ts';
import { buildPlaces } from './world/places.ts';
import { buildRegions } from './world/regions.ts';
import { buildWordUse } from './world/word-use.ts';

/** Countries, administrative regions, places and the names of all of them. Every other layer refers to these. */
export async function buildWorld(job: LayerJob): Promise<BuilderReport> {
  job.progress(0, 'countries');
  const countries = await buildCountries(job);
  job.progress(0.05, 'regions');
  const regions = await buildRegions(job);
  const known = openCountries(job.directory);
  const isCountry = (code: string) => known.get(code) !== undefined;
  const { features, sources } = await readFeatures(job.inputs, isCountry);
  const own = ownLandmarks(job.inputs, isCountry);
  const lists = [features, wellKnownFeatures(isCountry), landmarks(isCountry), own.features];
  const places = await buildPlaces(
    { ...job, progress: (share, step) => job.progress(0.15 + 0.85 * share, step) },
    openRegions(job.directory),
    known,
    readCountryNames(job.inputs),
    lists.reduce<NamedFeature[]>(joinedFeatures, []),
    own.corrections,
  );
  const report = together([countries, regions, places, buildWordUse(job)]);
  return {
    ...places,
    ...report,
    sources: [
      ...report.sources,
      ...sources,
      sourceInfo(wellKnownSource, job.inputs),
      sourceInfo(landmarksSource, job.inputs),
      ...own.sources,
    ],
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
