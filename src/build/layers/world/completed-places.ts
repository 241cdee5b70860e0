/**
 * The default places with what other lists know of them, and the places that only these have. GeoNames' newer default table has no
 * identifiers, no population and no time zone; lists of the world's cities have people and usual names.
 */
import { readFileSync } from 'node:fs';
import { cellNumber, cellNumbersAround, distanceKm, isNear, type LatLng } from '../../../core/geo.ts';
import { reachKm } from '../../../core/place-kinds.ts';
import type { GeonamesPlace } from '../../../sources/geonames.ts';
import type { City, cityTable, PlaceToFind, RegionCodes, WorldCity } from '../../../sources/place-lists.ts';
import { fold } from '../../../text/fold.ts';
import { syntheticId } from './features.ts';
import { namesDirectory } from './languages.ts';

/** Synthetic identifiers are above all of the gazetteer (13 million today) and below those of areas. */
const firstSyntheticId = 100_000_000;
const syntheticIds = 900_000_000;

/** Within this distance a place of the same name is the same place. */
const sameNameKm = 12;
/** Within this distance any place is the same place, renamed. */
const sameSpotKm = 0.3;
/** A place within the built-up area of a city of at least this population is part of it. */
const cityPopulation = 100_000;
/** No built-up area reaches farther; so near is the place that a row has the time zone of. */
const nearKm = 80;

/**
 * A place with the name that a newer table has at its very position: as its main name where it was one of its names, beside
 * which the former one stays; else as another one in use, as the table may mean a town that was put there since, or add a
 * word to it (Nara-shi).
 */
export function withNewerName(place: GeonamesPlace, table: Pick<ReturnType<typeof cityTable>, 'at'>): GeonamesPlace {
  const name = table.at(place)?.name ?? place.name;
  if (name === place.name) return place;
  const isExtended = fold(name).startsWith(`${fold(place.name)} `);
  if (isExtended || !place.alternateNames.includes(name)) return { ...place, atlasNames: [name] };
  return { ...place, name, asciiName: name, otherMainName: place.name };
}

/**
 * The rows that are not a known place under another name or position, as places: those inside a city's reach as parts
 * of it, with the time zone of the nearest known place of their country. Their identifiers are hashes of country, name
 * and position, so that a row has the same one in every dataset.
 */
export function newerPlaces(rows: readonly City[], known: readonly GeonamesPlace[]): GeonamesPlace[] {
  const around = neighboursIn(known);
  const byPeople = known.toSorted((one, other) => one.population - other.population);
  const largest = new Map(byPeople.map((place) => [place.country, place]));
  const folded = new Map<GeonamesPlace, ReadonlySet<string>>();
  /** Names of places, folded once: a place is compared with each of its neighbours. */
  const namesOf = (place: GeonamesPlace) =>
    folded.getOrInsertComputed(place, ({ name, alternateNames }) => new Set([name, ...alternateNames].map(fold)));
  const ids = new Set<number>();
  const found: GeonamesPlace[] = [];
  for (const row of rows) {
    const name = fold(row.name);
    let zone = '';
    let nearestKm = Number.POSITIVE_INFINITY;
    let isKnown = false;
    let isPart = false;
    for (const place of around(row, nearKm)) {
      const km = distanceKm(place, row);
      if (km < nearestKm) [nearestKm, zone] = [km, place.timezone];
      isKnown ||= km <= sameSpotKm || (km <= sameNameKm && namesOf(place).has(name));
      isPart ||=
        place.population >= cityPopulation && place.admin1Code === row.admin1 && km <= reachKm(place.population);
      if (isKnown) break;
    }
    if (isKnown || name === '') continue;
    const { country, lat, lng } = row;
    found.push({
      id: syntheticId(`${country} ${row.name} ${lat} ${lng}`, firstSyntheticId, syntheticIds, ids),
      name: row.name,
      asciiName: row.name,
      alternateNames: [],
      lat,
      lng,
      featureCode: isPart ? 'PPLX' : 'PPL',
      country,
      admin1Code: row.admin1,
      admin2Code: row.admin2,
      population: 0,
      timezone: zone || (largest.get(country)?.timezone ?? ''),
      modified: '',
    });
  }
  return found;
}

/** Edge of the cells by which places are found, degrees. */
const cellSize = 0.5;

/** The places near a position in its country, and some farther away. */
function neighboursIn(places: readonly GeonamesPlace[]) {
  const cells = Map.groupBy(places, (place) => cellNumber(place, cellSize));
  return (at: LatLng & { country: string }, km: number): GeonamesPlace[] => {
    const near = cellNumbersAround(at, km, cellSize).flatMap((cell) => cells.get(cell) ?? []);
    return near.filter(({ country }) => country === at.country);
  };
}

type Codes = PlaceToFind & Pick<GeonamesPlace, 'admin1Code' | 'admin2Code'>;
type Counts = Map<string, number>;

/** Minimum share of an old code's places that must have the same new code for that to be its successor. */
const minAgreement = 0.95;
/** With fewer places of a code than this, the majority of the country's places decides. */
const minPlaces = 3;
/** GeoNames' code of what is in no region, or in one that nobody has entered yet. */
const isNone = (code: string) => code === '' || code === '00';

/**
 * Places with the region codes of a newer table. GeoNames reassigns codes when a country changes its regions, and the
 * same code may then mean another region (Vietnam's 44 was Hanoi and became Quang Tri), so an older table of places
 * must not be read with a newer table of regions. A place that the newer table has takes its codes. Any other keeps its
 * own where most places of its code did; takes the new code that nearly all of them got; and else has none.
 */
export function withNewerCodes<P extends Codes>(
  places: readonly P[],
  newer: (place: PlaceToFind) => RegionCodes | undefined,
): P[] {
  const codesOf = (place: Codes) => {
    const codes = newer(place);
    return codes && !isNone(codes.admin1) ? codes : undefined;
  };
  const moves = new Map<string, Counts>();
  const kept = new Map<string, Counts>();
  const known = places.map(codesOf);
  for (const [at, place] of places.entries()) {
    const codes = known[at];
    if (!codes) continue;
    count(moves, `${place.country}.${place.admin1Code}`, codes.admin1);
    count(kept, place.country, String(codes.admin1 === place.admin1Code));
  }
  return places.map((place, at) => {
    const { country, admin1Code } = place;
    const codes = known[at];
    if (codes) {
      const isSame = codes.admin1 === admin1Code && codes.admin2 === '';
      return { ...place, admin1Code: codes.admin1, admin2Code: isSame ? place.admin2Code : codes.admin2 };
    }
    const successor = successorOf(admin1Code, moves.get(`${country}.${admin1Code}`), kept.get(country));
    return successor === admin1Code ? place : { ...place, admin1Code: successor, admin2Code: '' };
  });
}

function count(of: Map<string, Counts>, key: string, value: string): void {
  const counts = of.getOrInsertComputed(key, () => new Map());
  counts.set(value, (counts.get(value) ?? 0) + 1);
}

/** The code that replaced another; `''` where no single one did. */
function successorOf(code: string, moves: Counts = new Map(), ofCountry: Counts = new Map()): string {
  const all = [...moves.values()].reduce((sum, places) => sum + places, 0);
  if (all < minPlaces) return (ofCountry.get('true') ?? 0) >= (ofCountry.get('false') ?? 0) ? code : '';
  const [[commonest, most]] = [...moves].sort(([, left], [, right]) => right - left);
  if (commonest === code) return code;
  return most >= minAgreement * all ? commonest : '';
}

// What lists of the world's cities know of the gazetteer's places: people where there is no number, and usual names.

/** How far apart two sources put one city. */
const maxKm = 25;
/** A row with a known place within this distance is taken for that place in another spelling. */
const sameSpotOfAtlasKm = 10;
/** A row is in the region of the nearest place within this distance: of 327 rows that a region's polygon holds, 310 are then in that region. */
const regionKm = 220;

/**
 * The places with what the rows say of them, and the rows that are none of them. A row is the largest place within 25 km
 * whose main name, or else any of whose names, it has. It adds a population to a place without one, and names other than
 * the main one.
 */
export function withCityFacts(
  places: readonly GeonamesPlace[],
  rows: readonly WorldCity[],
): { places: GeonamesPlace[]; unknown: WorldCity[] } {
  const byName = placesByNames(places, rows, ({ name }) => [name], fold);
  const unnamed: WorldCity[] = [];
  const rowsOf = new Map<number, WorldCity[]>();
  const assign = (row: WorldCity, candidates: Iterable<number>) => {
    let best = -1;
    for (const at of candidates) {
      if (!isNear(places[at], row, maxKm)) continue;
      if (best < 0 || places[at].population > places[best].population) best = at;
    }
    if (best < 0) return false;
    rowsOf.getOrInsertComputed(best, () => []).push(row);
    return true;
  };
  for (const row of rows) {
    const named = row.names.flatMap((name) => byName.get(`${row.country} ${fold(name)}`) ?? []);
    if (!assign(row, named)) unnamed.push(row);
  }
  // As written: folding all names would take seconds.
  const byOtherName = placesByNames(places, unnamed, otherNamesOf, (name) => name);
  const unknown = unnamed.filter((row) => {
    const named = row.names.flatMap((name) => byOtherName.get(`${row.country} ${name}`) ?? []);
    return !assign(row, named);
  });
  return { places: places.map((place, at) => withRows(place, rowsOf.get(at))), unknown };
}

const otherNamesOf = ({ asciiName, otherMainName = '', alternateNames }: GeonamesPlace) => [
  asciiName,
  otherMainName,
  ...alternateNames,
];

/** Indexes of places by their country and those of their names, in some form, that a row has. */
function placesByNames(
  places: readonly GeonamesPlace[],
  rows: readonly WorldCity[],
  namesOf: (place: GeonamesPlace) => readonly string[],
  formOf: (name: string) => string,
): Map<string, number[]> {
  const wanted = new Set(rows.flatMap(({ names }) => names.map(formOf)));
  const found = new Map<string, number[]>();
  for (const [at, place] of places.entries()) {
    for (const name of namesOf(place)) {
      const form = formOf(name);
      if (wanted.has(form)) found.getOrInsertComputed(`${place.country} ${form}`, () => []).push(at);
    }
  }
  return found;
}

function withRows(place: GeonamesPlace, rows: readonly WorldCity[] | undefined): GeonamesPlace {
  if (!rows) return place;
  const names = new Set([...(place.atlasNames ?? []), ...rows.flatMap(({ names }) => names)]);
  for (const main of [place.name, place.asciiName]) names.delete(main);
  return {
    ...place,
    population: place.population || Math.max(...rows.map(({ population }) => population)),
    urbanPopulation: Math.max(place.urbanPopulation ?? 0, ...rows.map(({ urbanPopulation }) => urbanPopulation)),
    atlasNames: [...names],
  };
}

/**
 * Rows of an atlas that are no known place, as rows of a newer table: in the region of the place nearest to them. Left
 * out are those with any place within 10 km, which are that place in another spelling as a rule.
 */
export function placesOfAtlas(rows: readonly WorldCity[], places: readonly GeonamesPlace[]): City[] {
  const around = neighboursIn(places);
  return rows.flatMap((row) => {
    const { country, lat, lng, names } = row;
    const near = around(row, regionKm).map((place) => ({ place, km: distanceKm(place, row) }));
    const nearest = near.sort((one, other) => one.km - other.km).at(0);
    if (nearest && nearest.km < sameSpotOfAtlasKm) return [];
    const { admin1Code: admin1 = '', admin2Code: admin2 = '' } = nearest?.place ?? {};
    return [{ country, name: names[0], lat, lng, admin1, admin2 }];
  });
}

/**
 * The places with the names in Chinese characters of the municipalities that they are, as names in use: by a table of Japan's and
 * China's, by region (China's by prefecture, where it has any) and Latin name.
 */
export function withLocalNames(places: readonly GeonamesPlace[]): GeonamesPlace[] {
  const lines = readFileSync(new URL('municipalities.tsv', namesDirectory), 'utf8').trimEnd().split('\n');
  const namesOf = new Map(lines.map((line) => line.split('\t')) as [string, string][]);
  return places.map((place) => {
    const { country, admin1Code, admin2Code, name } = place;
    const region = `${country}.${admin1Code}`;
    const names = namesOf.get(`${region}.${admin2Code} ${name}`) ?? namesOf.get(`${region} ${name}`);
    return names ? { ...place, atlasNames: [...(place.atlasNames ?? []), ...names.split(',')] } : place;
  });
}
