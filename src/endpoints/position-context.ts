/** What lies around a point: its country and region, the city that it is in, the suburb, and the nearest places. */
import { cityAt } from '../core/city-at.ts';
import { distanceKm, type LatLng } from '../core/geo.ts';
import { type Municipality, type PlaceNear, placeTypes, type Store } from '../store/store.ts';

export type PositionContext = {
  /** Alpha-2 code; undefined on the open sea, and where the dataset has no boundaries. */
  country: string | undefined;
  /** Position of the level-1 region; -1 when unknown. */
  region: number;
  /** Position of the level-2 region that a source outlines there; -1 when none does. */
  subregion: number;
  /** The municipality that a source outlines there, by that source's name for it. */
  municipality: string | undefined;
  /** The place that the point is in: its municipality's, else one by reach; no suburb unless there is nothing else; undefined in a dataset without places. */
  city: PlaceNear | undefined;
  suburb: PlaceNear | undefined;
  /** The nearest places of the country (of any where it is unknown or has none), at least `limit` of them where there are so many. */
  near: PlaceNear[];
};

/** So many nearest places are examined. */
const nearest = 24;
/** Of the most prominent places, cities farther away are examined as well: some reach over 24 places. */
const cities = 8;
const maxCityKm = 60;
/** A suburb farther away than this is not the one that a point is in. */
const maxSuburbKm = 3;

const suburbType = placeTypes.indexOf('suburb');
export const isSuburb = ({ gazetteer }: Store, { index }: PlaceNear): boolean =>
  gazetteer.facts.type(index) === suburbType;

/**
 * Looks around a point. Thirty places are examined for one: their facts are read one by one, without a record of each.
 */
export function positionContext(store: Store, from: LatLng, limit: number): PositionContext {
  const { places, boundaries } = store;
  const { facts } = store.gazetteer;
  const country = boundaries?.countryAt(from);
  const isInhabited = country !== undefined && places.ofCountry(country, { limit: 1 }).length > 0;
  const within = isInhabited ? country : undefined;
  const near = places.nearest(from, { limit: Math.max(limit + 1, nearest), country: within });
  const region = isInhabited ? (boundaries?.admin1At(from, near) ?? -1) : -1;
  const large = places.nearestProminent(from, { limit: cities, maxKm: maxCityKm, country: within });
  const isTown = (each: PlaceNear) => !isSuburb(store, each);
  const isInRegion = ({ index }: PlaceNear) => region < 0 || facts.admin1(index) === region;
  const towns = [...near, ...large].filter(isTown);
  const ofRegion = towns.filter(isInRegion);
  const candidates = ofRegion.length > 0 ? ofRegion : towns;
  const municipality = boundaries?.municipalityAt(from);
  const city =
    placeOf(municipality, from, store) ?? cityAt(candidates, ({ index }) => facts.population(index)) ?? near[0];
  const suburb = near.find((each) => !isTown(each) && isInRegion(each) && each.distanceKm <= maxSuburbKm);
  return {
    country,
    region,
    subregion: boundaries?.admin2At(from) ?? -1,
    municipality: municipality?.name,
    city,
    suburb: suburb?.index === city?.index ? undefined : suburb,
    near,
  };
}

function placeOf(municipality: Municipality | undefined, from: LatLng, { places }: Store): PlaceNear | undefined {
  if (!municipality || municipality.place < 0) return undefined;
  return { index: municipality.place, distanceKm: distanceKm(from, places.unnamed(municipality.place)) };
}
