/** Searches whose text holds a postal code: `10115 Berlin`, `Beverly Hills 90210`, `SW1A 1AA`. */

import { distanceKm } from '../core/geo.ts';
import type { Place, PlaceHit, Places, PostalCode, Store } from '../store/store.ts';
import { fold } from '../text/fold.ts';

type Hit = PlaceHit & { postalCode: string };
type Options = Parameters<Places['search']>[1];

/** A code and a place belong together when their positions are no farther apart. */
const nearKm = 40;
const namesLookedAt = 30;
/** What is left of the confidence in a place that is not the code's own but lies near it. */
const neighbourShare = 0.7;
/** How sure a code alone makes us: in a country that was named, and in one of many that use such codes. */
const confidence = { codeAndCountry: 95, codeAlone: 70 };

/**
 * Places that a text with a postal code means, best first; undefined when it holds none, or one that belongs to
 * nothing else in the text: then it is to be searched as it is.
 */
export function postalSearch(store: Store, text: string, options: Options): Hit[] | undefined {
  if (!store.postal || !/\d/.test(text)) return undefined;
  for (const { code, rest } of splits(text)) {
    const hits = rest === '' ? byCode(store, code, options) : byCodeAndName(store, code, rest, options);
    if (hits.length > 0) return hits.slice(0, options.limit);
  }
  return undefined;
}

/** The ways to take a code of one to three words from the start or the end of a text, the longest first. */
function splits(text: string): { code: string; rest: string }[] {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  const found: { code: string; rest: string }[] = [];
  for (let length = Math.min(3, words.length); length > 0; length--) {
    const start = words.slice(0, length);
    const end = words.slice(-length);
    if (start.some(hasDigit)) found.push({ code: start.join(' '), rest: words.slice(length).join(' ') });
    if (length < words.length && end.some(hasDigit)) {
      found.push({ code: end.join(' '), rest: words.slice(0, -length).join(' ') });
    }
  }
  return found;
}

const hasDigit = (word: string) => /\d/.test(word);

function byCodeAndName(store: Store, code: string, rest: string, options: Options): Hit[] {
  const found: Hit[] = [];
  const records = new Map<string, PostalCode[]>();
  for (const hit of store.places.search(rest, { ...options, limit: namesLookedAt })) {
    const place = store.places.get(hit.index);
    let ofCountry = records.get(place.country);
    if (!ofCountry) records.set(place.country, (ofCountry = store.postal!.find(place.country, code)));
    const named = ofCountry.find((record) => belongs(record, place) && isCalled(record, place));
    const record = named ?? ofCountry.find((record) => belongs(record, place));
    // A neighbour of the code's place is an answer only where the place itself is none.
    const isAnswer = named !== undefined || found.length === 0;
    if (record) {
      const sure = isAnswer ? hit.confidence : Math.round(hit.confidence * neighbourShare);
      found.push({ index: hit.index, confidence: sure, postalCode: record.postalCode });
    }
  }
  if (found.length > 0) {
    return found.sort((left, right) => right.confidence - left.confidence || left.index - right.index);
  }
  // The rest may be the country or region of the code, not its place.
  const places = [...records.values()].flatMap((ofCountry) => placesOf(store, ofCountry, confidence.codeAndCountry));
  return distinct(places.filter(({ index }) => admits(store, index, options)));
}

function byCode(store: Store, code: string, options: Options): Hit[] {
  const countries = options.country ? [options.country] : store.countries.assigned.map(({ iso2 }) => iso2);
  const sure = options.country ? confidence.codeAndCountry : confidence.codeAlone;
  const hits = countries.flatMap((country) => {
    const records = store.postal!.find(country, code).filter(({ postalCode }) => isWritten(postalCode, code));
    return placesOf(store, records, sure);
  });
  return distinct(hits.filter(({ index }) => admits(store, index, options))).sort(
    (left, right) => right.confidence - left.confidence || left.index - right.index,
  );
}

/** The gazetteer's place of each record: the one that bears its name near its position, else the nearest one. */
function placesOf(store: Store, records: readonly PostalCode[], sure: number): Hit[] {
  const hits: Hit[] = [];
  for (const record of records) {
    const named = store.places.named(record.place, record.country);
    let index = named.find((index) => belongs(record, store.places.get(index)));
    if (index === undefined && record.lat !== null && record.lng !== null) {
      const from = { lat: record.lat, lng: record.lng };
      const accept = (index: number) => store.places.countryOf(index) === record.country;
      index = store.places.nearest(from, { limit: 1, maxKm: nearKm, accept })[0]?.index;
    }
    if (index !== undefined) hits.push({ index, confidence: sure, postalCode: record.postalCode });
  }
  return hits;
}

/** Whether a code is one of a place: near it, or where its position is unknown, of the same name. */
function belongs(record: PostalCode, place: Place): boolean {
  if (record.lat === null || record.lng === null) return fold(record.place) === fold(place.name);
  return distanceKm({ lat: record.lat, lng: record.lng }, place) <= nearKm;
}

/** Whether a place bears the name of a code's place, or the first words of it: Paris for `Paris 01`. */
function isCalled(record: PostalCode, place: Place): boolean {
  return `${fold(record.place)} `.startsWith(`${fold(place.name)} `);
}

/** Whether a record's code is what was written, a first part of it, or it with the country's letters before it. */
function isWritten(postalCode: string, written: string): boolean {
  const compact = (code: string) => fold(code).replaceAll(' ', '');
  const [full, given] = [compact(postalCode), compact(written)];
  return given.startsWith(full) || full.endsWith(given);
}

function admits(store: Store, index: number, { type }: Options): boolean {
  return type === undefined || store.places.get(index).type === type;
}

function distinct(hits: readonly Hit[]): Hit[] {
  const seen = new Set<number>();
  return hits.filter(({ index }) => !seen.has(index) && seen.add(index));
}
