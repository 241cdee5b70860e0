/** The table of well-known landmarks, parks, natural features and regions of the world: sources/landmarks, written for this project. */
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { BoundingBox } from '../../../core/bounding-box.ts';
import type { NamedFeature } from '../../../core/named-feature.ts';
import { firstLandmarkId } from '../../../store/identifiers.ts';
import type { SourceInfo } from '../../../store/manifest-format.ts';
import fame from './fame.json' with { type: 'json' };
import { type FeatureKind, type FeatureKinds, readKinds } from './feature-kinds.ts';

const directory = new URL('../../../../sources/landmarks/', import.meta.url);

type Row = Record<'id' | 'name' | 'other_names' | 'kind' | 'country' | 'lat' | 'lng' | 'bbox' | 'rank', string>;

export const landmarksSource: SourceInfo = {
  id: 'whereabouts-landmarks',
  title: 'Well-known landmarks, parks, natural features and regions of the world',
  version: 'sources/landmarks',
  vintage: '2026-11',
  licence: 'Apache-2.0',
  attribution: 'Whereabouts contributors',
  url: 'https://www.apache.org/licenses/LICENSE-2.0',
};

/** All rows of the table. Those in countries that the dataset lacks are left out. */
export function landmarks(isCountry: (code: string) => boolean): NamedFeature[] {
  const kinds = readKinds();
  return readdirSync(directory)
    .filter((name) => name.endsWith('.csv'))
    .sort()
    .flatMap((name) => landmarksIn(readFileSync(new URL(name, directory), 'utf8'), isCountry, kinds));
}

/** The rows of one file of the table. Throws an Error for a kind that is not in the list. */
export function landmarksIn(csv: string, isCountry: (code: string) => boolean, kinds: FeatureKinds): NamedFeature[] {
  const rows: Row[] = parse(csv, { columns: true, bom: true });
  return rows.flatMap((row) => {
    const countries = row.country.split('|').filter(isCountry);
    if (row.country !== '' && countries.length === 0) return [];
    const kind = kinds[row.kind];
    if (!kind)
      throw new Error(`${row.id} ${row.name}: no kind ${JSON.stringify(row.kind)} in sources/landmarks/kinds.json`);
    return landmarkOf(row, countries, kind);
  });
}

function landmarkOf(
  { id, name, kind, lat, lng, bbox, rank, ...row }: Row,
  countries: readonly string[],
  { layer, category }: FeatureKind,
): NamedFeature {
  const { namesIn, knownNames } = namesOf(row.other_names, name);
  return {
    id: firstLandmarkId + Number(id),
    layer,
    kind,
    category,
    bbox: boxOf(bbox),
    source: landmarksSource.id,
    sourceId: id,
    name,
    knownNames,
    otherNames: [],
    namesIn,
    country: countries[0] ?? '',
    region: countries.length > 1 || isWide(boxOf(bbox)) ? '' : undefined,
    lat: Number(lat),
    lng: Number(lng),
    prominence: fameOf(layer, kind, rank, knownNames.length + Object.keys(namesIn).length),
  };
}

/** What is wider or higher than this, in degrees, is in several regions. */
const maxRegionDegrees = 1.5;
const isWide = (box: BoundingBox | undefined) =>
  box !== undefined && (box[3] - box[1] > maxRegionDegrees || (box[2] - box[0] + 360) % 360 > maxRegionDegrees);

const tag = /^([a-z]{2,3}(?:-[a-z0-9]{2,8})*):(.+)$/i;

/**
 * The names of `xx:name|name|…`: the first of each language, and all others, which are known by no language or are further
 * ones of theirs.
 */
export function namesOf(list: string, main: string): Pick<NamedFeature, 'namesIn' | 'knownNames'> {
  const namesIn: Record<string, string> = {};
  const knownNames = new Set<string>();
  for (const each of list.split('|').map((part) => part.trim())) {
    const [, language, tagged] = tag.exec(each) ?? [];
    if (language === undefined) knownNames.add(each);
    else if (namesIn[language.toLowerCase()] === undefined) namesIn[language.toLowerCase()] = tagged.trim();
    else knownNames.add(tagged.trim());
  }
  return { namesIn, knownNames: [...knownNames].filter((name) => name !== '' && name !== main) };
}

/** The box of `west south east north`; undefined for none. */
function boxOf(text: string): BoundingBox | undefined {
  if (text.trim() === '') return undefined;
  const [west, south, east, north] = text.trim().split(/\s+/).map(Number);
  return [west, south, east, north];
}

/**
 * How prominent something is, on the scale of places: by the fame that the table gives it, the size of what its layer and kind
 * are, and the number of its names, as for places.
 */
export function fameOf(layer: string, kind: string, rank: string, names: number): number {
  const of = (points: Readonly<Record<string, number>>, name: string) => points[name] ?? 0;
  const known = fame.perTenfoldNames * Math.log10(1 + Math.min(fame.maxNames, names));
  return of(fame.rank, rank) + of(fame.layer, layer) + of(fame.kind, kind) + known;
}
