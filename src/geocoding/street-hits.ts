/** Addresses, streets and points of interest that a text names, alone or with the place that they are in. */
import { type BoundingBox, distanceKm, isNear, isWithin, type LatLng } from '../core/geo.ts';
import type { Address, AddressComponent, Poi, Street, StreetQuery, Streets } from '../store/address-contract.ts';
import { orWithoutStreets, type Place, type Store } from '../store/store.ts';
import { fold } from '../text/fold.ts';
import { optionalWords } from '../text/word-lists.ts';
import { areSameWords, isStreetType, nameWords, queryWords, sharesVariant } from '../text/words.ts';
import { samePointKm } from './address/distinct.ts';
import { minInhabitants } from './address/support.ts';
import type { Explanation } from './explain.ts';
import type { Layer } from './layers.ts';
import { confidenceOf } from './score.ts';
import { type Budgets, maxWordsOfStreet, partOf, shareOfHouses } from './search-limits.ts';
import { type ReadParts, situationOfAddress, situationOfName } from './situations.ts';

/** A street or address; its confidence where it was searched for by a whole text. */
type StreetHit = { layer: 'address' | 'street'; address: Address; confidence?: number };

/** A text, where its answers may lie, and what its searches may still cost; `trace` receives how they were found. */
type Asked = {
  store: Store;
  text: string;
  options: {
    layers: ReadonlySet<Layer>;
    country?: string;
    near?: LatLng;
    bbox?: BoundingBox;
    /** Maximum number of answers. */
    limit: number;
    budget: Budgets;
  };
  trace?: Partial<Explanation> | undefined;
};

const maxHits = 20;

/** Addresses and streets of some layers that a text names, best first; empty where the dataset has none. */
export function streetHits({ store, text, options, trace }: Asked, layers = options.layers): Required<StreetHit>[] {
  if (!(layers.has('address') || layers.has('street'))) return [];
  const { country, bbox, budget } = options;
  const explained = trace && ((addresses: Explanation['addresses']) => void (trace.addresses = addresses));
  const query = { text, country, bbox, budget: budget.streets, limit: maxHits, hasComponents: true };
  const found = besideOthers(store, layers, () => store.addresses?.search(query, explained) ?? []);
  return hitsOf(store, text, found).filter(({ layer }) => layers.has(layer));
}

/** A settlement of the gazetteer this near with the same name is the same one: some cities' positions are some way off. */
const sameTownKm = 12;

/** Whether an address is a settlement of an extract that the gazetteer has too: a node; streets are ways. */
const isKnownTown = ({ places }: Store, { street, houseNumber, object, country, ...at }: Address): boolean =>
  houseNumber === null &&
  object?.startsWith('n') === true &&
  places.named(street, country).some((index) => isNear(places.get(index), at, sameTownKm));

/** A house number and, after it, what may begin a town: `canelones 1130 m`. */
const numberAndTown = /^(.*\p{L}.*\d)[\s,]+(\p{L}+)$/u;

/** The same for a half-typed text, also where its last word is the beginning of the town: no house has that letter then. */
export function suggestedHouses(whole: Asked) {
  const { options } = whole;
  // `calle 18 de jul` is the beginning of a street's name: what it costs is left.
  const budget = { ...options.budget, streets: partOf(options.budget.streets, shareOfHouses) };
  const asked = { ...whole, options: { ...options, budget } };
  const hits = streetHits(asked);
  const [, house, town] = numberAndTown.exec(asked.text) ?? [];
  if (house === undefined || hits[0]?.address.matchType === 'exact') return hits;
  const begins = (name: string | null) => name !== null && fold(name).startsWith(fold(town));
  const there = streetHits({ ...asked, text: house, trace: undefined }).filter(
    ({ address: { matchType, city, admin1 } }) => matchType === 'exact' && (begins(city) || begins(admin1)),
  );
  return there.length > 0 ? there : hits;
}

const hitsOf = (store: Store, text: string, all: readonly Address[]) => {
  const found = all.filter((address) => !isKnownTown(store, address));
  return found.map((address): Required<StreetHit> => {
    const layer = address.houseNumber === null ? 'street' : 'address';
    return { layer, address, confidence: confidenceOf(situationOfAddress(store, text, address, found)) };
  });
};

/** Villages of imported extracts, which the gazetteer lacks, that a text has the whole name of. */
export function villageHits({ store, text, options }: Asked): Required<StreetHit>[] {
  const within = { ...options, budget: options.budget.streets };
  const found = (store.streets?.villages(text, within) ?? []).map((street): Address => {
    const own = nameWords(street.name);
    // What is not of its name is of what it lies in.
    const components = text.split(/[\s,]+/).map((input): AddressComponent => {
      const isName = queryWords(input).every((word) => own.some((each) => sharesVariant(each, word)));
      return { component: isName ? 'street' : 'city', input, value: null, status: 'confirmed' };
    });
    return { ...addressOf(street), components };
  });
  return hitsOf(store, text, found);
}

/** Layers of street-level data. */
const ofStreets: ReadonlySet<Layer> = new Set<Layer>(['address', 'street', 'poi']);

/**
 * The results of a search of street-level data; none while these are unavailable, unless no other layer is requested, so that
 * nothing else can be answered.
 */
export function besideOthers<T>(store: Store, layers: ReadonlySet<Layer>, search: () => T[]): T[] {
  return layers.isSubsetOf(ofStreets) ? search() : orWithoutStreets(store, search, []);
}

/** Streets near a position are suggested before others. */
const nearKm = 25;
/** Shorter prefixes match too many streets; of one that begins with a number, digits count. */
const minLetters = 3;
const houseNumber = /\p{L}.*\d|\d.*\p{L}/u;

/**
 * Completions of a half-typed text to addresses and streets, which are not judged; with corrections only where nothing else matches.
 * `known` are its houses, if they were looked for before.
 */
export function streetSuggestions(asked: Asked, fuzzy: boolean, known?: readonly Required<StreetHit>[]): StreetHit[] {
  const { store, text, options } = asked;
  const { layers, country, bbox, near, limit, budget } = options;
  const counted = /^\d/.test(text) ? /[\p{L}\p{N}]/gu : /\p{L}/gu;
  if ((text.match(counted)?.length ?? 0) < minLetters) return [];
  const houses = known ?? (houseNumber.test(text) ? suggestedHouses(asked) : undefined);
  const hasHouses = houses !== undefined && houses.length > 0;
  if (!store.streets || !layers.has('street')) return houses ? [...houses] : fuzzy ? suggestedHouses(asked) : [];
  const named = { text, country, bbox, budget: budget.streets, limit, radiusKm: nearKm, withVillages: true };
  const close = near ? store.streets.search({ ...named, near, fuzzy: false }) : [];
  const streets = close.length > 0 ? close : streetsNamed(store.streets, { ...named, fuzzy: fuzzy && !hasHouses });
  const others = (houses ?? []).filter(({ address }) => !streets.some(({ id }) => id === address.id));
  return [...streets.map((street): StreetHit => ({ layer: 'street', address: addressOf(street) })), ...others];
}

/** Streets that a text names, or if there are none and edits are tried, those of the town that it names too, either half typed. */
export function streetsNamed(streets: Streets, query: StreetQuery): Street[] {
  const found = streets.search(query);
  if (found.length > 0 || query.city !== undefined || queryWords(query.text).length > maxWordsOfStreet) return found;
  for (const [text, city, isLast] of query.fuzzy === false ? [] : splits(query.text)) {
    if (!isLast && isKind(text)) continue;
    const there = streets.search({ ...query, text, city, isCityOpen: !isLast, fuzzy: false });
    if (there.length > 0) return there;
  }
  // `calle 25 de ma`: 25 de Mayo has no kind.
  const words = query.text.split(/\s+/);
  const start = words.findIndex((word) => !isKind(word));
  return start > 0 ? streetsNamed(streets, { ...query, text: words.slice(start).join(' ') }) : [];
}

const isKind = (text: string) => queryWords(text).every((word) => word.some(isStreetType));

const addressOf = ({ name, highwayType: _, distanceKm: __, ...street }: Street): Address => ({
  ...street,
  street: name,
  houseNumber: null,
  postalCode: null,
  matchType: 'street',
});

type PoiHit = { layer: 'poi'; poi: Poi & { name: string }; confidence: number };
type PoiForms = {
  fuzzy: boolean;
  /** Whether their names are all of the text but a place: others are where the text names anything else. */
  isWhole?: boolean;
  /** Whether the last word may be unfinished. */
  isPrefix: boolean;
};

/** Maximum distance of a point from the place that the text names. */
const maxPlaceKm = 15;
/** Settlements around a point of which one may be half typed. */
const maxAround = 5;
/** Maximum number of words of that place's name. */
const maxPlaceWords = 3;

/** The points, the most confident first, then by distance from the preferred position, then id; empty where there are none. */
export function poiHits({ store, text, options }: Asked, { fuzzy, isWhole, isPrefix }: PoiForms): PoiHit[] {
  const { pois } = store;
  if (!pois) return [];
  const { country, near, bbox, limit } = options;
  const budget = options.budget.streets;
  const admits = (point: LatLng) =>
    (!bbox || isWithin(point.lat, point.lng, bbox)) && (!country || store.boundaries?.countryAt(point) === country);
  const ofName = (name: string, found: ReturnType<typeof pois.named>) => {
    const folded = fold(name);
    return isWhole ? found.filter((poi) => fold(poi.name) === folded) : found;
  };
  let read: Required<Pick<ReadParts, 'name' | 'context'>> = { name: text, context: '' };
  let centre: Place | undefined;
  let found = ofName(text, pois.named(text, { admits, fuzzy, isPrefix, budget }));
  // Where places begin as the text does, no half-typed town is looked for: that takes longer than their suggestions.
  const isOpen = isPrefix && fuzzy;
  const readings = found.length > 0 ? [] : [...splits(text)].filter(([, , isLast]) => !isLast || isOpen || !isPrefix);
  // Most texts have no point of such a name anywhere, which is quicker to see than what the rest names.
  const heads = readings.map(([head]) => head);
  const has = heads.length > 0 ? pois.have(heads, budget) : [];
  for (const [at, [head, rest, isLast]] of readings.entries()) {
    const named = { fuzzy: false, isPrefix: isOpen && isLast, budget };
    if (!has[at] && !named.isPrefix) continue;
    const place = store.cities.resolve(rest, country, budget);
    centre = place;
    const pointsWhere = (isThere: typeof admits) => ofName(head, pois.named(head, { admits: isThere, ...named }));
    read = { name: head, context: rest };
    found = place ? pointsWhere((point) => admits(point) && isNear(place, point, maxPlaceKm)) : [];
    // Settlements are looked at around few points, as that takes longer.
    if (found.length === 0 && isOpen && !isLast)
      found = pointsWhere(admits).filter((point) => liesWhereBegins(store, point, fold(rest)));
    if (found.length > 0) break;
  }
  const whole = fold(read.name);
  const named = found.map((poi) => {
    const names = [poi.name, ...poi.otherNames];
    return { poi, names, isWhole: names.some((name) => fold(name) === whole), isThere: isIn(store, centre, poi) };
  });
  const from = near ?? centre;
  return named
    .map(({ poi, names, ...one }) => {
      // A whole name, and a point in the town that is named, are better than others.
      const isAsGood = (other: (typeof named)[number]) => other.isWhole >= one.isWhole && other.isThere >= one.isThere;
      const hasOther = named.some((other) => isAsGood(other) && !isNear(other.poi, poi, samePointKm));
      // One in the next village is one of several that may be wanted.
      const situation = situationOfName(store, text, names, read, { hasOther: hasOther || !one.isThere, cost: 0 });
      return { poi, confidence: confidenceOf(situation), km: distanceKm(from ?? poi, poi) };
    })
    .sort((one, other) => other.confidence - one.confidence || one.km - other.km || one.poi.id - other.poi.id)
    .slice(0, limit)
    .map(({ poi, confidence }) => ({ layer: 'poi', poi, confidence }));
}

/** Whether a point belongs to the place that is named: one that is nearer to the next village does not. */
function isIn({ places }: Store, place: Place | undefined, point: LatLng): boolean {
  if (!place || place.type === 'suburb' || place.population >= minInhabitants) return true;
  const accept = (at: number) => ['city', 'town', 'village'].includes(places.get(at).type ?? '');
  const [nearest] = places.nearest(point, { accept });
  return (
    nearest === undefined ||
    nearest.index === place.index ||
    distanceKm(place, point) <= distanceKm(places.get(nearest.index), point)
  );
}

/** Records of one thing lie within this distance of each other. */
const sameKm = 0.7;

/** Whether a point of interest is the one that a feature with some names is. */
export function isSamePoint(feature: LatLng, names: readonly string[], point: LatLng & { name: string | null }) {
  if (point.name === null || !isNear(feature, point, sameKm)) return false;
  const words = nameWords(point.name);
  return names.some((each) => areSameWords(nameWords(each), words));
}

/** Whether the name of a settlement around a point begins so. */
const liesWhereBegins = ({ places }: Store, point: LatLng, beginning: string): boolean =>
  places.nearest(point, { limit: maxAround }).some(({ index }) => fold(places.get(index).name).startsWith(beginning));

/** A text as a name and the place behind it, after a comma or as its last words, or before it: then the name is the last. */
function* splits(text: string): Generator<[name: string, place: string, isLast: boolean]> {
  const comma = text.indexOf(',');
  if (comma > 0) yield [text.slice(0, comma), text.slice(comma + 1), false];
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  for (let count = 1; count <= maxPlaceWords && count < words.length; count++) {
    // After `de` a name goes on.
    if (!optionalWords.has(fold(words.at(-count - 1)!)))
      yield [words.slice(0, -count).join(' '), words.slice(-count).join(' '), false];
    yield [words.slice(count).join(' '), words.slice(0, count).join(' '), true];
  }
}
