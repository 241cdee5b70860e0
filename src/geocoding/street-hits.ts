import type { BoundingBox } from '../core/bounding-box.ts';
import type { LatLng } from '../core/geo.ts';
import type { Address } from '../store/address-contract.ts';
import type { Store } from '../store/store.ts';
import { orWithoutStreets } from '../store/streets-unavailable.ts';
import { nameWords, queryWords, sharesVariant } from '../text/words.ts';
import type { Layer } from './layers.ts';
import weights from './weights.json' with { type: 'json' };

/** A street or address that a text names, with its confidence. */
export type StreetHit = { layer: 'address' | 'street'; address: Address; confidence: number };

const maxHits = 20;
type Confidences = Record<Address['matchType'], number>;
const confidences: Confidences = { exact: 95, partial: 60, intersection: 90, interpolated: 85, street: 75 };
/** Of a house whose text needs no correction and has nothing that is not in its record. */
const wholeConfidence = 100;
/** Where nothing explains some words of the text: a street alone is then a guess, and explains at most this. */
const partialConfidences: Confidences = { exact: 80, partial: 60, intersection: 70, interpolated: 65, street: 40 };

/** Addresses and streets of the requested layers that a text names, best first; empty where the dataset has none. */
export function streetHits(
  store: Store,
  text: string,
  layers: ReadonlySet<Layer>,
  { country, bbox }: { country?: string; bbox?: BoundingBox },
): StreetHit[] {
  if (!(layers.has('address') || layers.has('street'))) return [];
  // No other layer was requested, so nothing else can be answered.
  const isAlone = [...layers].every((layer) => layer === 'address' || layer === 'street');
  const search = () => store.addresses?.search({ text, country, bbox, limit: maxHits }) ?? [];
  const found = isAlone ? search() : orWithoutStreets(search, []);
  return found
    .map((address): StreetHit => {
      const layer = address.houseNumber === null ? 'street' : 'address';
      const { [address.matchType]: most } = address.isPartial ? partialConfidences : confidences;
      const isGuess = address.isPartial && address.matchType === 'street';
      if (address.isWhole && address.matchType === 'exact') return { layer, address, confidence: wholeConfidence };
      return { layer, address, confidence: isGuess ? Math.min(most, explainedOf(store, text, address)) : most };
    })
    .filter(({ layer }) => layers.has(layer));
}

/**
 * How much of a text a street explains, on the scale of places: Chicago Street no more of `riverside Chicago` than Chicago.
 */
function explainedOf({ countries }: Store, text: string, { street, city, admin1, country }: Address): number {
  const known = [street, city, admin1, countries.get(country)?.name].flatMap((name) => (name ? nameWords(name) : []));
  const words = queryWords(text);
  const letters = words.reduce((sum, [word]) => sum + word.length, 0);
  const cost = words
    .filter((word) => !known.some((each) => sharesVariant(each, word)))
    .reduce((sum, [word]) => sum + (weights.unexplainedLetters * word.length) / letters + weights.unexplainedToken, 0);
  return Math.max(1, Math.round(100 - cost));
}

/** Streets near a position are suggested before others. */
const nearKm = 25;
/** Shorter prefixes match too many streets. */
const minLetters = 3;
const houseNumber = /\p{L}.*\d|\d.*\p{L}/u;

/** Completions of a half-typed text to addresses and streets; with corrections only where nothing else matches. */
export function streetSuggestions(
  store: Store,
  text: string,
  layers: ReadonlySet<Layer>,
  options: { country?: string; bbox?: BoundingBox; near?: LatLng; limit: number },
  fuzzy: boolean,
): StreetHit[] {
  const { country, bbox, near, limit } = options;
  if ((text.match(/\p{L}/gu)?.length ?? 0) < minLetters) return [];
  const houses = houseNumber.test(text) ? streetHits(store, text, layers, options) : [];
  if (houses.length > 0) return houses;
  if (!store.streets || !layers.has('street')) return fuzzy ? streetHits(store, text, layers, options) : [];
  const named = { text, country, bbox, limit, radiusKm: nearKm };
  const close = near ? store.streets.search({ ...named, near, fuzzy: false }) : [];
  const streets = close.length > 0 ? close : store.streets.search({ ...named, fuzzy });
  return streets.map(({ name, highwayType: _, distanceKm: __, ...street }) => ({
    layer: 'street',
    address: { ...street, street: name, houseNumber: null, postalCode: null, matchType: 'street' },
    confidence: confidences.street,
  }));
}
