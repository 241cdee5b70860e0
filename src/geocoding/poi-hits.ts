/** Points of interest that a text names, alone or with the place that they are in. */
import { type BoundingBox, isWithin } from '../core/bounding-box.ts';
import { distanceKm, type LatLng } from '../core/geo.ts';
import type { PoiDetails } from '../store/address-contract.ts';
import type { Store } from '../store/store.ts';
import { fold } from '../text/fold.ts';
import { confidenceOf } from './confidence.ts';
import { otherKm, situationOfName } from './situations.ts';

/** A named point of interest with its confidence. */
export type PoiHit = { poi: PoiDetails & { name: string }; confidence: number };
export type PoiHitOptions = {
  country?: string;
  near?: LatLng;
  bbox?: BoundingBox;
  /** Maximum number of points. */
  limit: number;
  fuzzy: boolean;
  /** Whether the last word may be unfinished. */
  isPrefix: boolean;
};

/** Maximum distance of a point from the place that the text names. */
const maxPlaceKm = 15;
/** Maximum number of words of that place's name. */
const maxPlaceWords = 3;

/** The points, the most confident first, then by distance from the preferred position, then id; empty where there are none. */
export function poiHits(store: Store, text: string, options: PoiHitOptions): PoiHit[] {
  const { pois } = store;
  if (!pois) return [];
  const { country, near, bbox, limit, fuzzy, isPrefix } = options;
  const admits = (point: LatLng) =>
    (!bbox || isWithin(point.lat, point.lng, bbox)) && (!country || store.boundaries?.countryAt(point) === country);
  const search = (name: string) => pois.named(name, { admits, fuzzy, isPrefix });
  let placeName: string | undefined;
  let found = search(text);
  for (const [head, rest] of found.length > 0 ? [] : splits(text)) {
    // Most texts have no point of such a name anywhere, which is quicker to see than what the rest names.
    if (pois.named(head, { admits, fuzzy: false, isPrefix: false, maxOfPart: 1 }).length === 0) continue;
    const place = store.cities.resolve(rest, country);
    if (!place) continue;
    placeName = rest;
    found = pois.named(head, {
      admits: (point) => admits(point) && distanceKm(place, point) <= maxPlaceKm,
      fuzzy: false,
      isPrefix: false,
    });
    if (found.length > 0) break;
  }
  const namesakes = Map.groupBy(found, ({ name }) => fold(name));
  return found
    .map((poi) => {
      const hasOther = namesakes.get(fold(poi.name))!.some((other) => distanceKm(other, poi) > otherKm);
      const names = [poi.name, ...poi.otherNames];
      const situation = situationOfName(store, text, names, [placeName], { hasOther, cost: 0 });
      return { poi, confidence: confidenceOf(situation), km: near ? distanceKm(near, poi) : 0 };
    })
    .sort((one, other) => other.confidence - one.confidence || one.km - other.km || one.poi.id - other.poi.id)
    .slice(0, limit)
    .map(({ poi, confidence }) => ({ poi, confidence }));
}

/** A text as a name and the place behind it: after a comma, else its last words. */
function* splits(text: string): Generator<[name: string, place: string]> {
  const comma = text.indexOf(',');
  if (comma > 0) yield [text.slice(0, comma), text.slice(comma + 1)];
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  for (let count = 1; count <= maxPlaceWords && count < words.length; count++) {
    yield [words.slice(0, -count).join(' '), words.slice(-count).join(' ')];
  }
}
