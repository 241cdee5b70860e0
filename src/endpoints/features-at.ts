/** Landmarks, parks, waters and other features at a point: those that cover it, and the nearest ones. */
import { distanceKm, isNear, isWithin, type LatLng } from '../core/geo.ts';
import type { Pois } from '../store/address-contract.ts';
import { type FeatureLayer, type PlaceNear, rowKinds, type Store } from '../store/store.ts';
import { fold } from '../text/fold.ts';

/**
 * Maximum distance of features that do not cover the point; of those with an extent less: half of its diagonal and `nearKm`,
 * because nobody at the Matterhorn is at Lake Maggiore, 77 km away.
 */
const reachKm = 100;
const nearKm = 10;
/** Kinds whose boxes are mostly land, so that a point in a country is in none of them. */
const seas = new Set(['ocean', 'sea', 'gulf', 'bay', 'strait', 'channel', 'sound', 'reef']);
/** Kinds whose boxes say nothing of a point: lines from one corner to the other. */
const lines = new Set(['river', 'canal', 'street']);

/**
 * Features of a layer at a point: first those whose boxes contain it, the smallest box first, at 0 km; then the nearest within
 * 100 km, as far as they are large. The continent of the point's country comes before other world regions. `country` is that of the point.
 */
export function featuresAt(
  store: Store,
  from: LatLng,
  layer: FeatureLayer,
  { limit, country }: { limit: number; country: string | undefined },
): PlaceNear[] {
  const { places, gazetteer, countries } = store;
  const number = rowKinds.indexOf(layer);
  const isOfLayer = (index: number) => gazetteer.facts.type(index) === number;
  const covers = (index: number) => {
    const kind = places.featureFacts(index)?.kind ?? '';
    return isOfLayer(index) && !lines.has(kind) && !(country !== undefined && seas.has(kind));
  };
  const around = places.featuresAround(from).filter(covers);
  const continent = fold((country && countries.get(country)?.continent) || '');
  if (layer === 'continent' && continent !== '')
    around.sort((left, right) => Number(isNamed(store, right, continent)) - Number(isNamed(store, left, continent)));
  const found = around.slice(0, limit).map((index) => ({ index, distanceKm: 0 }));
  if (found.length === limit || layer === 'continent') return found;
  const isInReach = (index: number) => {
    const box = places.featureFacts(index)?.bbox;
    if (!box) return true;
    const [west, south, east, north] = box;
    const halfKm = distanceKm({ lat: south, lng: west }, { lat: north, lng: east }) / 2;
    return isNear(from, places.unnamed(index), halfKm + nearKm);
  };
  const accept = (index: number) => isOfLayer(index) && !around.includes(index) && isInReach(index);
  return [...found, ...places.nearestFeatures(from, { limit: limit - found.length, maxKm: reachKm, accept })];
}

const isNamed = ({ gazetteer }: Store, index: number, folded: string) => fold(gazetteer.nameOf(index)) === folded;

/**
 * Features that are points of interest within a distance, nearest first, then id; of one category, or with every word of
 * `name` in one of their names.
 */
export function pointFeatures(
  { places }: Store,
  from: LatLng,
  { radiusKm, category, name, bbox, limit }: Parameters<Pois['nearest']>[1],
) {
  const words = name === undefined ? [] : fold(name).split(' ');
  const accept = (index: number) => {
    const own = places.featureFacts(index)?.category ?? null;
    if (own === null || (category !== undefined && own !== category)) return false;
    const { lat, lng } = places.unnamed(index);
    if (bbox && !isWithin(lat, lng, bbox)) return false;
    if (words.length === 0) return true;
    const names = [places.get(index).name, ...Object.values(places.namesOf(index))].map((each) => ` ${fold(each)} `);
    return names.some((each) => words.every((word) => each.includes(` ${word} `)));
  };
  return places.nearestFeatures(from, { limit, maxKm: radiusKm, accept }).map(({ index, distanceKm }) => {
    const { id, name, lat, lng } = places.get(index);
    return { index, id, name, category: places.featureFacts(index)!.category!, lat, lng, distanceKm };
  });
}
