/**
 * Well-known landmarks, parks, natural features and regions of the world (sources/landmarks, written for this project), and an
 * operator's own.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BoundingBox } from '../../../core/geo.ts';
import type { FeatureLayer, NamedFeature, PoiCategory } from '../../../core/place-kinds.ts';
import { UsageError } from '../../../errors.ts';
import type { GeonamesPlace } from '../../../sources/geonames.ts';
import { type LandmarkRow, readLandmarks } from '../../../sources/landmarks.ts';
import { firstLandmarkId, firstOwnLandmarkId } from '../../../store/identifiers.ts';
import type { SourceInfo } from '../../../store/manifest.ts';
import { type Inputs, namesOf, sourceInfo } from '../../layer.ts';
import fame from './fame.json' with { type: 'json' };

// Kinds of landmarks, parks and other features: sources/landmarks/kinds.json.

/** The layer that features of a kind are of, and their category among points of interest; null for what is none. */
type FeatureKind = { layer: FeatureLayer; category: PoiCategory | null };

/** All kinds by name. */
export type FeatureKinds = Readonly<Record<string, FeatureKind>>;

/** Reads the list of kinds. */
export const readKinds = (): FeatureKinds =>
  JSON.parse(readFileSync(new URL('../../../../sources/landmarks/kinds.json', import.meta.url), 'utf8'));

const directory = new URL('../../../../sources/landmarks/', import.meta.url);

export const landmarksSource = 'whereabouts-landmarks';

/** Where the rows of a table belong: their source, and the first identifier of its range. */
type Origin = { source: string; firstId: number; path: string };

/** All rows of the project's table. Those in countries that the dataset lacks are left out. */
export function landmarks(isCountry: (code: string) => boolean): NamedFeature[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.csv'))
    .sort()
    .flatMap((name) => {
      const path = new URL(name, directory);
      return landmarksIn(readFileSync(path, 'utf8'), isCountry, readKinds(), fileURLToPath(path));
    });
}

/** The rows of one file of the project's table. Throws UsageError for a wrong value. */
export function landmarksIn(
  csv: string,
  isCountry: (code: string) => boolean,
  kinds: FeatureKinds,
  path = 'sources/landmarks',
): NamedFeature[] {
  const origin = { source: landmarksSource, firstId: firstLandmarkId, path };
  return readLandmarks(csv, path).flatMap((row) => featuresOf(row, isCountry, kinds, origin));
}

/** What an operator's tables add, and what they correct, by the identifier of the record. */
type OwnLandmarks = {
  features: NamedFeature[];
  corrections: Corrections;
  sources: SourceInfo[];
};

/** The operator's tables. Throws UsageError for a wrong value. */
export function ownLandmarks(inputs: Inputs, isCountry: (code: string) => boolean): OwnLandmarks {
  const kinds = readKinds();
  const paths = inputs.userFiles('landmarks');
  const features: NamedFeature[] = [];
  const corrections = new Map<number, LandmarkRow>();
  for (const path of paths) {
    const origin = { source: 'own-landmarks', firstId: firstOwnLandmarkId, path };
    for (const row of readLandmarks(readFileSync(path, 'utf8'), path)) {
      if (row.corrects === undefined) features.push(...featuresOf(row, isCountry, kinds, origin));
      else corrections.set(row.corrects, row);
    }
  }
  const source = sourceInfo('own-landmarks', inputs, { version: namesOf(paths) });
  return { features, corrections, sources: paths.length === 0 ? [] : [source] };
}

/** Fame of an operator's row that does not state it: known in its continent. */
const ownRank = 3;

function featuresOf(
  { id, name, kind, lat, lng, bbox, rank = ownRank, namesIn, knownNames, ...row }: LandmarkRow,
  isCountry: (code: string) => boolean,
  kinds: FeatureKinds,
  { source, firstId, path }: Origin,
): NamedFeature[] {
  const countries = row.countries.filter(isCountry);
  if (row.countries.length > 0 && countries.length === 0) return [];
  const found = kinds[kind!];
  if (!found) {
    const known = Object.keys(kinds).join(', ');
    throw new UsageError(`${path}: ${id} ${name} has the kind ${JSON.stringify(kind)}, expected one of ${known}`);
  }
  const isOwn = firstId === firstOwnLandmarkId;
  return [
    {
      id: firstId + id,
      ...found,
      kind,
      bbox,
      source,
      sourceId: String(id),
      name: name!,
      knownNames,
      otherNames: [],
      namesIn,
      country: countries[0] ?? (isOwn ? undefined : ''),
      region: countries.length > 1 || isWide(bbox) ? '' : undefined,
      lat: lat!,
      lng: lng!,
      prominence: fameOf(found.layer, kind!, rank, knownNames.length + Object.keys(namesIn).length),
    },
  ];
}

/** What is wider or higher than this, in degrees, is in several regions. */
const maxRegionDegrees = 1.5;
const isWide = (box: BoundingBox | undefined) =>
  box !== undefined && (box[3] - box[1] > maxRegionDegrees || (box[2] - box[0] + 360) % 360 > maxRegionDegrees);

/**
 * How prominent something is, on the scale of places: by its fame, the size of what its layer and kind are, and the number of its
 * names, as for places.
 */
function fameOf(layer: string, kind: string, rank: number, names: number): number {
  const of = (points: Readonly<Record<string, number>>, name: string | number) => points[name] ?? 0;
  const known = fame.perTenfoldNames * Math.log10(1 + Math.min(fame.maxNames, names));
  return of(fame.rank, rank) + of(fame.layer, layer) + of(fame.kind, kind) + known;
}

// An operator's corrections of places and features: other names, another main name or position.

/** Rows by the identifier of the record that each corrects. */
export type Corrections = ReadonlyMap<number, LandmarkRow>;

/** The place as its correction has it; its former name stays one of its names. */
export function correctedPlace(place: GeonamesPlace, corrections: Corrections): GeonamesPlace {
  const row = corrections.get(place.id);
  if (!row) return place;
  const { name = place.name, lat = place.lat, lng = place.lng, namesIn, knownNames } = row;
  const isRenamed = name !== place.name;
  return {
    ...place,
    name,
    asciiName: isRenamed ? name : place.asciiName,
    alternateNames: isRenamed ? [...place.alternateNames, place.name] : place.alternateNames,
    atlasNames: [...(place.atlasNames ?? []), ...knownNames, ...Object.values(namesIn)],
    lat,
    lng,
  };
}

/** The same of a feature, whose names by language are its own. */
export function correctedFeature<F extends NamedFeature & { id: number }>(feature: F, corrections: Corrections): F {
  const row = corrections.get(feature.id);
  if (!row) return feature;
  const { name = feature.name, lat = feature.lat, lng = feature.lng, bbox = feature.bbox } = row;
  const formerName = name === feature.name ? [] : [feature.name];
  return {
    ...feature,
    name,
    lat,
    lng,
    bbox,
    knownNames: [...feature.knownNames, ...row.knownNames, ...formerName],
    namesIn: { ...feature.namesIn, ...row.namesIn },
  };
}
