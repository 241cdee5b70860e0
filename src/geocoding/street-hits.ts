import type { BoundingBox } from '../core/bounding-box.ts';
import { distanceKm, type LatLng } from '../core/geo.ts';
import type { Address, AddressComponent } from '../store/address-contract.ts';
import type { Store } from '../store/store.ts';
import { orWithoutStreets } from '../store/streets-unavailable.ts';
import { confidenceOf, type Situation } from './confidence.ts';
import type { Explanation } from './explain.ts';
import type { Layer } from './layers.ts';
import { otherKm, situationOfName } from './situations.ts';
import weights from './weights.json' with { type: 'json' };

/** A street or address that a text names, with its confidence. */
export type StreetHit = { layer: 'address' | 'street'; address: Address; confidence: number };

const maxHits = 20;

/**
 * Addresses and streets of the requested layers that a text names, best first; empty where the dataset has none. `trace`
 * receives how they were found.
 */
export function streetHits(
  store: Store,
  text: string,
  layers: ReadonlySet<Layer>,
  { country, bbox }: { country?: string; bbox?: BoundingBox },
  trace?: Partial<Explanation>,
): StreetHit[] {
  if (!(layers.has('address') || layers.has('street'))) return [];
  const explained = trace && ((addresses: Explanation['addresses']) => void (trace.addresses = addresses));
  const query = { text, country, bbox, limit: maxHits, hasComponents: true };
  const found = besideOthers(store, layers, () => store.addresses?.search(query, explained) ?? []);
  return withConfidence(store, text, found).filter(({ layer }) => layers.has(layer));
}

const ofStreets: ReadonlySet<Layer> = new Set<Layer>(['address', 'street', 'poi']);

/**
 * The results of a search of street-level data; none while these are unavailable, unless no other layer is requested, so that
 * nothing else can be answered.
 */
export function besideOthers<T>(store: Store, layers: ReadonlySet<Layer>, search: () => T[]): T[] {
  return [...layers].every((layer) => ofStreets.has(layer)) ? search() : orWithoutStreets(store, search, []);
}

/** Points for how an address was found. */
const costOfMatch: Readonly<Record<Address['matchType'], number>> = {
  exact: 0,
  intersection: weights.crossing,
  interpolated: weights.interpolatedHouse,
  street: weights.streetAlone,
  partial: weights.contradictedHouse,
};

function withConfidence(store: Store, text: string, found: readonly Address[]): StreetHit[] {
  return found.map((address) => {
    const { street, city, admin1, country, houseNumber, postalCode, matchType } = address;
    // Where there are several such streets or houses, the text says less.
    const hasOther = found.some((other) => other.matchType === matchType && distanceKm(other, address) > otherKm);
    const context = [city, admin1, store.countries.get(country)?.name, houseNumber, postalCode];
    const situation = situationOfName(store, text, [street], context, { hasOther, cost: costOfMatch[matchType] });
    const confidence = confidenceOf({ ...situation, ...houseInTown(address) });
    return { layer: houseNumber === null ? 'street' : 'address', address, confidence };
  });
}

/**
 * What differs for a house that the text names with its number and its town or postal code: these agree seldom by chance, so
 * that a typo in the street says little against it, and words beside them, such as a firm or a unit, next to nothing.
 */
function houseInTown({ matchType, components = [] }: Address): Partial<Situation> {
  const statusOf = (part: AddressComponent['component']) =>
    components.find(({ component }) => component === part)?.status;
  const isLocated = statusOf('city') === 'confirmed' || statusOf('postal_code') === 'confirmed';
  if (matchType !== 'exact' || !isLocated || statusOf('house_number') !== 'confirmed') return {};
  const has = (status: AddressComponent['status']) => components.filter((each) => each.status === status);
  if (has('contradicted').length > 0) return {};
  const isEdited = has('corrected').length > 0;
  const typed = components.filter(({ input, status }) => input !== null && status !== 'unread');
  return {
    textCost: isEdited ? weights.editedHouse : 0,
    contextCost: weights.unreadBesideHouse * has('unread').length,
    isEdited,
    letters: typed.reduce((sum, { input }) => sum + input!.length, 0),
    commonness: 0,
    isPersonal: false,
    isOtherName: false,
    hasContext: true,
  };
}

/** Streets near a position are suggested before others. */
const nearKm = 25;
/** Shorter prefixes match too many streets. */
const minLetters = 3;
const houseNumber = /\p{L}.*\d|\d.*\p{L}/u;

/** Completions of a half-typed text to addresses and streets, which are not judged; with corrections only where nothing else matches. */
export function streetSuggestions(
  store: Store,
  text: string,
  layers: ReadonlySet<Layer>,
  options: { country?: string; bbox?: BoundingBox; near?: LatLng; limit: number },
  fuzzy: boolean,
  trace?: Partial<Explanation>,
): StreetHit[] {
  const { country, bbox, near, limit } = options;
  if ((text.match(/\p{L}/gu)?.length ?? 0) < minLetters) return [];
  const houses = houseNumber.test(text) ? streetHits(store, text, layers, options, trace) : [];
  if (houses.length > 0) return houses;
  if (!store.streets || !layers.has('street')) return fuzzy ? streetHits(store, text, layers, options, trace) : [];
  const named = { text, country, bbox, limit, radiusKm: nearKm };
  const close = near ? store.streets.search({ ...named, near, fuzzy: false }) : [];
  const streets = close.length > 0 ? close : store.streets.search({ ...named, fuzzy });
  return streets.map(({ name, highwayType: _, distanceKm: __, ...street }): StreetHit => {
    const address: Address = { ...street, street: name, houseNumber: null, postalCode: null, matchType: 'street' };
    return { layer: 'street', address, confidence: 100 };
  });
}
