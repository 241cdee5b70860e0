/** Points of a category or brand at a place: what `restaurant in Vaduz` and `museums in Heidelberg` ask for. */
import { type BoundingBox, isNear, isWithin, type LatLng } from '../core/geo.ts';
import type { PoiCategory } from '../core/place-kinds.ts';
import { minInhabitants, reachKm } from '../geocoding/address/support.ts';
import { confidenceOf } from '../geocoding/confidence.ts';
import { complete, geocode, type Hit, type SearchHit } from '../geocoding/geocode.ts';
import type { Layer } from '../geocoding/layers.ts';
import { situationOfName } from '../geocoding/situations.ts';
import weights from '../geocoding/weights.json' with { type: 'json' };
import { orWithoutStreets } from '../store/deferred.ts';
import { type Gazetteer, type KeyRange, nameKinds } from '../store/gazetteer.ts';
import { layerOfKind, type Place, type Store } from '../store/store.ts';
import { fitsName, type WantedAt, wantedAt } from '../text/category-words.ts';
import { fold } from '../text/fold.ts';
import { featureWords } from '../text/word-lists.ts';
import { pointFeatures } from './features-at.ts';
import { positionIn } from './reverse.ts';

type Options = { country?: string; near?: LatLng; bbox?: BoundingBox; limit: number };
/** What a text is answered with as a name. */
type Found = () => readonly Hit[];

/** Radius around a position. */
const positionKm = 12;
/** Of points that a country, or of shops that a kind chooses from. */
const overfetch = 200;
const overfetchOfKind = 2_000;
const placeOnly: ReadonlySet<Layer> = new Set<Layer>(['place']);

/**
 * The points, the nearest to the middle of the place first; undefined where the text asks for none, or the dataset has
 * none there. With `isUnfinished` the place may be half typed.
 */
export function wantedHits(
  store: Store,
  text: string,
  options: Options,
  found: Found,
  isUnfinished = false,
): SearchHit[] | undefined {
  const readings = wantedAt(text);
  if (readings.length === 0) return undefined;
  const { cities, gazetteer } = store;
  const whole = cities.resolve(text, options.country);
  // `gare de ly`
  const isOpen = isUnfinished && !readings.some(({ place }) => cities.resolve(place, options.country));
  if (namesFeature(gazetteer, gazetteer.placeNames[isOpen ? 'prefixRange' : 'exact'](fold(text)))) return undefined;
  for (const reading of readings) {
    const at = centreOf(store, whole, reading, options, found, isUnfinished);
    const hits = at && orWithoutStreets(store, () => pointsAt(store, reading, at, options), []);
    if (hits && hits.length > 0) return hits;
  }
  return undefined;
}

/** Whether one of a range of names is that of a sight or another feature: `Museum Island`, `Gare de Lyon`. */
function namesFeature({ visitPlaces, facts }: Gazetteer, range: KeyRange): boolean {
  let isFeature = false;
  visitPlaces(range, undefined, (index, kind) => {
    // `museum helsinki` is the end of many names.
    if (kind > nameKinds.other) return false;
    isFeature = layerOfKind(facts.type(index)) !== 'place';
    return !isFeature;
  });
  return isFeature;
}

type Centre = { at: LatLng; km: number; place: Place | undefined };

function centreOf(
  store: Store,
  whole: Place | undefined,
  { wanted, name, place: typed, isJoined, isPlaceFirst }: WantedAt,
  { country, near }: Options,
  found: Found,
  isUnfinished: boolean,
): Centre | undefined {
  const { cities } = store;
  // `Bar`, `Paris in Texas`: a place by its whole name.
  if (whole && (typed !== '' || whole.population >= minInhabitants)) return undefined;
  if (typed === '') return wanted && near ? { at: near, km: positionKm, place: undefined } : undefined;
  const position = positionIn(store, typed);
  if (position) return { at: position, km: positionKm, place: undefined };
  const place =
    cities.resolve(typed, country) ?? (isJoined ? otherPlace(store, typed, country, isUnfinished) : undefined);
  if (!place) return undefined;
  // Without a word between them both may be a name, of which a small place is a part (`Bank Street`) unless nothing else has
  // it: `Oxford University`, `Bar Harbor`; and a brand of a place is one.
  const isAlone = () => {
    const [best] = found();
    const isPlace = best?.place !== undefined && store.places.get(best.place).id === place.id;
    return isPlace || !best || (best.confidence !== undefined && best.confidence <= weights.likely);
  };
  const isFeature = isPlaceFirst && featureWords.has(name);
  if (!isJoined && (isFeature || (place.population < minInhabitants && !isAlone()))) return undefined;
  if (!wanted && cities.resolve(name, country)) return undefined;
  return { at: place, km: reachKm(place), place };
}

/** What a half-typed place may become; of a whole one a mistyped place, or one in another case: `в Астане`. */
function otherPlace(
  store: Store,
  typed: string,
  country: string | undefined,
  isUnfinished: boolean,
): Place | undefined {
  const options = { layers: placeOnly, limit: 1, ...(country && { country }) };
  const [hit] = isUnfinished ? complete(store, typed, options) : geocode(store, typed, { ...options, fuzzy: true });
  if (hit?.place === undefined || (!isUnfinished && hit.confidence! <= weights.likely)) return undefined;
  return store.places.get(hit.place);
}

function pointsAt(store: Store, { wanted, name }: WantedAt, { at, km, place }: Centre, options: Options): SearchHit[] {
  const { bbox, country, limit } = options;
  const isHere = (point: LatLng) =>
    (!bbox || isWithin(point.lat, point.lng, bbox)) && (!country || store.boundaries?.countryAt(point) === country);
  const category = wanted?.category as PoiCategory | undefined;
  const query = { radiusKm: km, category, name: wanted ? undefined : name, cuisine: wanted?.cuisine };
  const found =
    store.pois?.nearest(at, { ...query, bbox, limit: Math.max(limit, wanted?.stems ? overfetchOfKind : overfetch) }) ??
    [];
  // All of them, however few are wanted: what the first is depends on what is beside it.
  const points = found.filter(
    (point) => point.name !== null && isHere(point) && (!wanted || fitsName(point.name, wanted)),
  );
  const features =
    wanted?.cuisine || !wanted ? [] : pointFeatures(store, at, { ...query, name: undefined, bbox, limit: overfetch });
  const known = features.flatMap(({ id, name, ...point }) => {
    const index = store.places.byId(id);
    const kind = store.places.featureFacts(index)?.kind ?? '';
    const isOfKind = wanted?.kinds?.includes(kind) || fitsName(name, wanted!);
    const isTwin = points.some((other) => other.name === name && isNear(other, point, 1));
    if (!isOfKind || isTwin || !isHere(point)) return [];
    return [{ place: index, poi: undefined, distanceKm: point.distanceKm }];
  });
  const asked = [name, place?.name].filter(Boolean).join(' ');
  const hasOther = points.length + known.length > 1;
  const situation = situationOfName(store, asked, [name], { name, context: place?.name }, { cost: 0, hasOther });
  // A position is as good a context as a place.
  const confidence = confidenceOf({ ...situation, commonness: 0, hasContext: true });
  return [...points.map((poi) => ({ poi, place: -1, distanceKm: poi.distanceKm })), ...known]
    .sort((one, other) => one.distanceKm - other.distanceKm)
    .slice(0, limit)
    .map(({ place, poi }) =>
      poi
        ? { layer: 'poi', poi: { ...poi, name: poi.name! }, confidence }
        : { layer: layerOfKind(store.gazetteer.facts.type(place)), place, confidence },
    );
}
