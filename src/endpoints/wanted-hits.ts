/** What a category, kind or brand at a place asks for: `restaurant in Vaduz`, `castles near Edinburgh`, `lakes in Switzerland`. */
import { type BoundingBox, distanceKm, isWithin, type LatLng } from '../core/geo.ts';
import type { PoiCategory } from '../core/place-kinds.ts';
import { minInhabitants, reachKm } from '../geocoding/address/support.ts';
import { positionOf } from '../geocoding/area-traits.ts';
import { complete, geocode, type Hit, type SearchHit } from '../geocoding/geocode.ts';
import type { Layer } from '../geocoding/layers.ts';
import { confidenceOf, nearness, prominencePoints } from '../geocoding/score.ts';
import { situationOfName } from '../geocoding/situations.ts';
import { isSamePoint } from '../geocoding/street-hits.ts';
import weights from '../geocoding/weights.json' with { type: 'json' };
import { type Gazetteer, isCountryArea, type KeyRange, nameKinds } from '../store/gazetteer.ts';
import { featureLayers, layerOfKind, orWithoutStreets, type Place, type Store } from '../store/store.ts';
import { fold } from '../text/fold.ts';
import { featureWords, fitsName, type WantedAt, type WantedCategory, wantedAt } from '../text/word-lists.ts';
import { positionIn } from './reverse.ts';

type Options = { country?: string; near?: LatLng; bbox?: BoundingBox; limit: number };
/** What a text is answered with as a name. */
type Found = () => readonly Hit[];

/** Radius around a position, and of features around a place that the text has `near` before. */
const positionKm = 12;
const nearPlaceKm = 60;
/** Of points that a country, or of shops that a kind chooses from. */
const overfetch = 200;
const overfetchOfKind = 2_000;
/** What things may be in or near. */
const whereLayers: ReadonlySet<Layer> = new Set<Layer>(['country', 'region', 'subregion', 'place', ...featureLayers]);

/**
 * What is wanted: the most prominent first in a place or area, otherwise the nearest. Undefined where the text asks for
 * nothing; empty where the dataset has none there. With `isUnfinished` the place may be half typed.
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
  if (gazetteer.areaNames.exact(fold(text)).to > 0) return undefined;
  // `gare de ly`
  const isOpen = isUnfinished && !readings.some(({ place }) => cities.resolve(place, options.country));
  if (namesFeature(gazetteer, gazetteer.placeNames[isOpen ? 'prefixRange' : 'exact'](fold(text)))) return undefined;
  let isMissing = false;
  for (const reading of readings) {
    const where = whereOf(store, fold(text), whole, reading, options, found, isUnfinished);
    const hits = where && orWithoutStreets(store, () => hitsAt(store, reading, where, options), []);
    if (hits && hits.length > 0) return hits;
    isMissing ||=
      hits !== undefined && reading.wanted !== undefined && !reading.isOf && reading.qualifier === undefined;
  }
  return isMissing ? [] : undefined;
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

type Where = {
  at: LatLng;
  km: number;
  /** What the text calls it by; empty for a position. */
  name: string;
  /** Whether a row of the place table is in it, where that is no question of its distance; of one without a region, by its position. */
  has?: ((row: number) => boolean) | undefined;
  mayHave?: (row: number) => boolean;
  area?: number;
  /** Whether near counts besides prominence: around a position, and where the text says so. */
  isAround?: boolean;
};

function whereOf(
  store: Store,
  text: string,
  whole: Place | undefined,
  reading: WantedAt,
  { country, near }: Options,
  found: Found,
  isUnfinished: boolean,
): Where | undefined {
  const { cities, places } = store;
  const { wanted, name, place: typed, isJoined, isPlaceFirst, isNear, isOf, qualifier } = reading;
  // `Bar`, `Bar in Montenegro`, `Paris in Texas`: a place by its whole name; `islands in Scotland` is not Scotland Island.
  const mayBeName = !isJoined || !wanted?.of || qualifier !== undefined;
  const isNamed = whole && (mayBeName || [text, name].includes(fold(whole.name)));
  if (isNamed && (typed !== '' || whole.population >= minInhabitants)) return undefined;
  if (typed === '') return wanted && near ? { at: near, km: positionKm, name: '', isAround: true } : undefined;
  const position = positionIn(store, typed);
  if (position) return { at: position, km: positionKm, name: '', isAround: true };
  const hit = placeTyped(store, typed, { country, isJoined: isJoined && !isOf, isUnfinished });
  if (!hit) return undefined;
  // Without a word between them both may be a name, of which a small place is a part (`Bank Street`) unless nothing else has
  // it: `Oxford University`, `Bar Harbor`; and a brand of a place is one.
  const isAlone = () => {
    const [best] = found();
    const isPlace = best !== undefined && best.place === hit.place && best.area === hit.area;
    return isPlace || !best || (best.confidence !== undefined && best.confidence <= weights.likely);
  };
  // `Tri-Cities`, `Boston University`
  const isPart = (isPlaceFirst && featureWords.has(name)) || wanted?.layers?.includes('place');
  const isSmall = hit.place !== undefined && places.unnamed(hit.place).population < minInhabitants;
  const isUnsure = qualifier !== undefined || (!isJoined && (isSmall || wanted?.of !== undefined));
  if ((!isJoined && isPart) || (isUnsure && !isAlone())) return undefined;
  if (!wanted && cities.resolve(name, country)) return undefined;
  const where = whereIs(store, hit);
  return where && isNear ? { ...where, km: Math.max(where.km, nearPlaceKm), has: undefined, isAround: true } : where;
}

/** The place or area that a text names exactly; joined also a mistyped one, or one in another case (`в Астане`), or its beginning. */
function placeTyped(
  store: Store,
  typed: string,
  { country, isJoined, isUnfinished }: { country: string | undefined; isJoined: boolean; isUnfinished: boolean },
): Hit | undefined {
  const options = { layers: whereLayers, limit: 1, ...(country && { country }) };
  const [exact] = geocode(store, typed, { ...options, fuzzy: false });
  if (exact?.confidence > (isJoined ? weights.sure : weights.named)) return exact;
  const place = store.cities.resolve(typed, country);
  if (place) return { layer: 'place', place: place.index };
  if (!isJoined) return undefined;
  if (isUnfinished) return complete(store, typed, options)[0];
  const [edited] = geocode(store, typed, { ...options, fuzzy: true });
  // Of cases of a country's name, some are far from it: `в России`.
  return edited?.layer === 'country' || edited?.confidence > weights.likely ? edited : undefined;
}

function whereIs(store: Store, { area, place: row }: Hit): Where | undefined {
  const { gazetteer, places, countries, boundaries } = store;
  const { facts } = gazetteer;
  if (area !== undefined) {
    const [largest] = gazetteer.placesOfArea(area);
    if (largest === undefined) return undefined;
    const around = { ...whereIs(store, { layer: 'place', place: largest })!, name: gazetteer.nameOfArea(area), area };
    const { country, admin1, admin2 } = gazetteer.areaFacts(area);
    // Features have no second-level region.
    if (admin2 >= 0) return { ...around, km: Math.max(around.km, nearPlaceKm) };
    const isIn = isCountryArea(area)
      ? (other: number) => facts.country(other) === country
      : (other: number) => facts.admin1(other) === admin1;
    // What lies in several regions has none, and one of its countries.
    const isPartlyIn = (other: number) =>
      isCountryArea(area)
        ? boundaries?.countryAt(positionOf(facts, other)) === gazetteer.countryCode(country)
        : boundaries?.admin1At(positionOf(facts, other)) === admin1;
    return { ...around, has: isIn, mayHave: isPartlyIn };
  }
  const at = places.get(row!);
  const { name, layer } = at;
  const box = layer === 'place' ? undefined : gazetteer.boxOf(row!);
  const isOfContinent = (other: number) => countries.get(places.countryOf(other))?.continent === name;
  const isInBox = (other: number) => {
    const { lat, lng } = positionOf(facts, other);
    return box !== undefined && isWithin(lat, lng, box);
  };
  const isContinent = countries.assigned.some(({ continent }) => continent === name);
  return { at, km: reachKm(at), name, has: isContinent ? isOfContinent : box && isInBox };
}

/** Whether a row of the place table is what is wanted. */
function isWanted({ gazetteer, places }: Store, row: number, wanted: WantedCategory): boolean {
  const { category, kinds = [], layers = [], cuisine, stems } = wanted;
  if (layers.includes(layerOfKind(gazetteer.facts.type(row)))) return true;
  const facts = places.featureFacts(row);
  if (kinds.includes(facts?.kind ?? '')) return true;
  // Beside the kinds, the words of names say what a point is of.
  if (category === undefined || facts?.category !== category || cuisine || (wanted.kinds && !stems)) return false;
  return fitsName(gazetteer.nameOf(row), wanted);
}

/** The rows of the place table that are wanted, at most `overfetch`. */
function rowsAt(
  store: Store,
  wanted: WantedCategory,
  { at, km, has, mayHave, area }: Where,
  { bbox, country }: Options,
): number[] {
  const { gazetteer, places } = store;
  const isHere = (row: number) => {
    const { lat, lng } = positionOf(gazetteer.facts, row);
    return (!bbox || isWithin(lat, lng, bbox)) && (!country || places.countryOf(row) === country);
  };
  const accept = (row: number) => isWanted(store, row, wanted) && isHere(row);
  const nearest = { limit: overfetch, maxKm: km, accept };
  if (wanted.layers?.includes('place'))
    return area === undefined
      ? places.nearestProminent(at, nearest).map(({ index }) => index)
      : [...gazetteer.placesOfArea(area)].filter(isHere);
  if (!has) return places.nearestFeatures(at, nearest).map(({ index }) => index);
  const rows: number[] = [];
  // The most prominent come first.
  for (let row = places.size; row < gazetteer.facts.size && rows.length < overfetch; row++)
    if (has(row) ? accept(row) : gazetteer.facts.admin1(row) < 0 && mayHave && accept(row) && mayHave(row))
      rows.push(row);
  return rows;
}

function hitsAt(store: Store, { wanted, name, qualifier = '' }: WantedAt, where: Where, options: Options): SearchHit[] {
  const { at, km, has, isAround } = where;
  const { bbox, country, limit } = options;
  const { gazetteer, boundaries } = store;
  const rows = wanted ? rowsAt(store, wanted, where, options) : [];
  const category = wanted?.category as PoiCategory | undefined;
  const query = { radiusKm: km, category, name: wanted ? undefined : name, cuisine: wanted?.cuisine };
  const hasPoints = (!wanted || category !== undefined) && !(has && rows.length > 0);
  // All of them, however few are wanted: what the first is depends on what is beside it.
  const most = Math.max(limit, wanted?.stems ? overfetchOfKind : overfetch);
  const points = (hasPoints ? store.pois?.nearest(at, { ...query, bbox, limit: most }) : undefined) ?? [];
  const named = points.filter(
    (point) =>
      point.name !== null &&
      (!country || boundaries?.countryAt(point) === country) &&
      (!wanted || fitsName(point.name, wanted)) &&
      !rows.some((row) => isSamePoint(positionOf(gazetteer.facts, row), [gazetteer.nameOf(row)], point)),
  );
  const asked = [name, where.name].filter(Boolean).join(' ');
  // Of a list none is sure, be it of one.
  const situation = situationOfName(store, asked, [name], { name, context: where.name }, { cost: 0, hasOther: true });
  // A position is as good a context as a place.
  const confidence = confidenceOf({ ...situation, commonness: 0, hasContext: true });
  const ranked = [
    ...rows.map((row) => ({
      row,
      poi: undefined,
      name: gazetteer.nameOf(row),
      distance: distanceKm(at, positionOf(gazetteer.facts, row)),
    })),
    ...named.map((poi) => ({ row: -1, poi, name: poi.name!, distance: poi.distanceKm })),
  ].map((each) => ({
    ...each,
    score:
      (isAround ? nearness(each.distance) : 0) +
      prominencePoints(each.row < 0 ? 0 : gazetteer.facts.prominence(each.row)),
  }));
  const qualified = qualifier === '' ? [] : ranked.filter((each) => fold(each.name).includes(qualifier));
  return (qualified.length > 0 ? qualified : ranked)
    .sort((one, other) => other.score - one.score || one.distance - other.distance)
    .slice(0, limit)
    .map(({ row, poi }) =>
      poi
        ? { layer: 'poi', poi: { ...poi, name: poi.name! }, confidence }
        : { layer: layerOfKind(gazetteer.facts.type(row)), place: row, confidence },
    );
}
