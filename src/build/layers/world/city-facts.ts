/** What lists of the world's cities know of the gazetteer's places: people where there is no number, and usual names. */
import { distanceKm } from '../../../core/geo.ts';
import type { City, WorldCity } from '../../../sources/city-lists.ts';
import type { GeonamesPlace } from '../../../sources/geonames.ts';
import { fold } from '../../../text/fold.ts';

/** How far apart two sources put one city. */
const maxKm = 25;
/** A row with a known place within this distance is taken for that place in another spelling. */
const sameSpotKm = 10;

/**
 * The places with what the rows say of them, and the rows that are none of them. A row is the largest place within 25 km
 * whose main name, or else any of whose names, it has. It adds a population to a place without one, and names other than
 * the main one.
 */
export function withCityFacts(
  places: readonly GeonamesPlace[],
  rows: readonly WorldCity[],
): { places: GeonamesPlace[]; unknown: WorldCity[] } {
  const byName = Map.groupBy(places.keys(), (at) => nameKey(places[at].country, places[at].name));
  const unnamed: WorldCity[] = [];
  const rowsOf = new Map<number, WorldCity[]>();
  const assign = (row: WorldCity, candidates: Iterable<number>) => {
    let best = -1;
    for (const at of candidates) {
      if (distanceKm(places[at], row) > maxKm) continue;
      if (best < 0 || places[at].population > places[best].population) best = at;
    }
    if (best < 0) return false;
    rowsOf.getOrInsertComputed(best, () => []).push(row);
    return true;
  };
  for (const row of rows) {
    const named = row.names.flatMap((name) => byName.get(nameKey(row.country, name)) ?? []);
    if (!assign(row, named)) unnamed.push(row);
  }
  const byOtherName = placesByOtherNames(places, unnamed);
  const unknown = unnamed.filter((row) => {
    const named = row.names.flatMap((name) => byOtherName.get(`${row.country} ${name}`) ?? []);
    return !assign(row, named);
  });
  return { places: places.map((place, at) => withRows(place, rowsOf.get(at))), unknown };
}

/** Indexes of places by those of their other names that a row has, as written: folding all names would take seconds. */
function placesByOtherNames(places: readonly GeonamesPlace[], rows: readonly WorldCity[]): Map<string, number[]> {
  const wanted = new Map<string, number[]>();
  for (const { country, names } of rows) for (const name of names) wanted.set(`${country} ${name}`, []);
  for (const [at, { country, alternateNames, asciiName, formerName }] of places.entries()) {
    for (const name of [asciiName, formerName ?? '', ...alternateNames]) wanted.get(`${country} ${name}`)?.push(at);
  }
  return wanted;
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
  const cells = Map.groupBy(places, ({ country, lat, lng }) => cellKey(country, Math.floor(lat), Math.floor(lng)));
  return rows.flatMap((row) => {
    const { country, lat, lng, names } = row;
    let nearest: GeonamesPlace | undefined;
    let km = Number.POSITIVE_INFINITY;
    for (let y = -1; y <= 1; y++) {
      for (let x = -2; x <= 2; x++) {
        for (const place of cells.get(cellKey(country, Math.floor(lat) + y, Math.floor(lng) + x)) ?? []) {
          const apart = distanceKm(place, row);
          if (apart < km) [nearest, km] = [place, apart];
        }
      }
    }
    if (km < sameSpotKm) return [];
    return [
      { country, name: names[0], lat, lng, admin1: nearest?.admin1Code ?? '', admin2: nearest?.admin2Code ?? '' },
    ];
  });
}

const cellKey = (country: string, y: number, x: number) => `${country} ${y} ${x}`;
const nameKey = (country: string, name: string) => `${country} ${fold(name)}`;
