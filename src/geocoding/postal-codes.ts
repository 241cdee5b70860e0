/** Searches whose text holds a postal code: `10115 Berlin`, `Beverly Hills 90210`, `SW1A 1AA`. */

import { distanceKm, isNear, type LatLng } from '../core/geo.ts';
import { compact, withRoutingKey } from '../core/postal/code.ts';
import type { Place, PostalCode, Store } from '../store/store.ts';
import { fold } from '../text/fold.ts';
import { announcedCode } from '../text/query-text.ts';
import { areasCalled, isLarge } from './area-traits.ts';
import { nearness } from './score.ts';
import weights from './weights.json' with { type: 'json' };

/** `cost`: points of the words next to the code, or of an unusual spelling of a code alone; `hasOther`: another is as good. */
export type PostalHit = {
  place: number;
  cost: number;
  record: PostalCode;
  /** Whether the position is the code's; else it is the place's, which may lack the code. */
  isCode: boolean;
  lacksCode?: boolean;
  hasOther?: boolean;
  /** Points for the distance to the preferred position. */
  nearness: number;
};
/** What a text with a postal code means, best first, and how it was divided. */
export type CodesFound = { code: string; rest: string; hits: PostalHit[] };
type Unsorted = Omit<PostalHit, 'nearness'>;
type PostalOptions = {
  country: string | undefined;
  near: LatLng | undefined;
  /** Whether a place may be an answer, as one that may lack the code. */
  admits(place: number, lacksCode?: boolean): boolean;
  /** What a text names, best first. */
  search(text: string): NamedBesideCode[];
};

/** A place or an area (the country's number, and the region's position or -1) with the cost of the words that name it. */
export type NamedBesideCode = ({ place: number } | { country: number; admin1: number }) & { cost: number };

/** Maximum distance between a postal code and its place. */
const nearKm = 40;
/** Maximum length of an unfinished code. */
const maxUnfinished = 10;
/** `2023-04-17`, `17.4.2023`, `12:30`: no code of any country is written so. */
const dateOrTime = /^\s*(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}:\d{2}(:\d{2})?)\s*$/;

/** Maximum number of numbers that are tried as the code next to a place's name; each is a separate search. */
const maxSearches = 2;

/**
 * Places that a text with a postal code means, best first; undefined when it holds none, or one that matches nothing
 * else in the text: then the whole text is searched.
 */
export function postalSearch(store: Store, typed: string, options: PostalOptions): CodesFound | undefined {
  if (!store.postal || !/\d/.test(typed) || dateOrTime.test(typed)) return undefined;
  const { text, countries, otherwise } = announcedCode(withRoutingKey(typed));
  for (const country of countries) {
    const found = codesIn(store, text, { ...options, country });
    if (found) return found;
  }
  return codesIn(store, otherwise, options);
}

/** The codes that a text begins: of a country, or where it has a letter too, of any; undefined when there are none. */
export function codesBeginning(
  store: Store,
  text: string,
  { country, admits }: Pick<PostalOptions, 'country' | 'admits'>,
  limit: number,
): CodesFound | undefined {
  const isCode = hasDigit(text) && text.length <= maxUnfinished && text.split(' ').every(isCodeLike);
  if (!store.postal || !isCode) return undefined;
  const all = letter.test(text) ? store.countries.assigned.map(({ iso2 }) => iso2) : [];
  const countries = country === undefined ? all : [country];
  const records = countries.flatMap((each) => store.postal!.beginning(each, text, limit));
  const found = placesOf(store, records, () => 0).filter(({ place }) => admits(place));
  const hits = found.slice(0, limit).map((each) => ({ ...each, nearness: 0 }));
  return hits.length > 0 ? { code: text, rest: '', hits } : undefined;
}

function codesIn(store: Store, text: string, options: PostalOptions): CodesFound | undefined {
  let searches = 0;
  let unusual: CodesFound | undefined;
  for (const { code, rest } of splits(text)) {
    if (rest !== '' && (!letter.test(rest) || searches === maxSearches)) continue;
    // Most numbers are not a code of any country, and a search for the rest takes longer than to see that.
    const records = recordsOf(store, code, options.country);
    if (records.size === 0) continue;
    if (rest !== '') searches++;
    const hits = rest === '' ? byCode(store, code, records, options) : byCodeAndName(store, records, rest, options);
    if (hits.length === 0) continue;
    // `2000 NSW` is a code of Argentina, written otherwise, and one of Australia with its state.
    if (rest !== '' || hits[0].cost === 0 || !/\s/.test(code)) return { code, rest, hits };
    unusual ??= { code, rest, hits };
  }
  return unusual;
}

/** The records of a code by country. */
function recordsOf(store: Store, code: string, country: string | undefined): Map<string, PostalCode[]> {
  const records = new Map<string, PostalCode[]>();
  const compacted = compact(code);
  const countries = country === undefined ? store.countries.assigned.map(({ iso2 }) => iso2) : [country];
  for (const iso2 of countries) {
    const found = store.postal!.find(iso2, compacted);
    if (found.length > 0) records.set(iso2, found);
  }
  return records;
}

/** The ways to split a code of one to three words off the start or end of a text, the longest first. */
function splits(text: string): { code: string; rest: string }[] {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  const found: { code: string; rest: string }[] = [];
  for (let length = Math.min(3, words.length); length > 0; length--) {
    const start = words.slice(0, length);
    const end = words.slice(-length);
    if (start.some(hasDigit) && start.every(isCodeLike))
      found.push({ code: start.join(' '), rest: words.slice(length).join(' ') });
    if (length < words.length && end.some(hasDigit) && end.every(isCodeLike)) {
      found.push({ code: end.join(' '), rest: words.slice(0, -length).join(' ') });
    }
  }
  return found;
}

const letter = /\p{L}/u;
const hasDigit = (word: string) => /\d/.test(word);
/** A word of a code: its letters are Latin ones, and no more than four without a digit. */
const isCodeLike = (word: string) => /^[\p{Script=Latin}\P{L}]+$/u.test(word) && (hasDigit(word) || word.length <= 4);

function byCodeAndName(
  store: Store,
  records: ReadonlyMap<string, PostalCode[]>,
  rest: string,
  { admits, search }: PostalOptions,
): PostalHit[] {
  const found: Unsorted[] = [];
  const inAreas: Unsorted[] = [];
  let hasNamesake = false;
  const all = search(rest);
  const [first] = all;
  const isCountry = first !== undefined && 'country' in first && first.admin1 < 0;
  for (const named of all) {
    // Berlin is what `germany` finds besides the country, and not what `10115 germany` means.
    if (isCountry && named.cost > first.cost) continue;
    if ('country' in named) {
      // The rest is the country or region of the code, not its place.
      const ofCountry = records.get(store.gazetteer.countryCode(named.country)) ?? [];
      const isThere = (place: number) => named.admin1 < 0 || named.admin1 === store.places.get(place).admin1;
      const places = placesOf(store, ofCountry, () => named.cost);
      inAreas.push(...places.filter(({ place }) => isThere(place) && admits(place)));
      continue;
    }
    const place = store.places.get(named.place);
    const own = (records.get(place.country) ?? []).filter((record) => belongs(record, place));
    const alike = own.filter((record) => isNamedLike(record, place));
    hasNamesake ||= alike.length > 0;
    const namesakes = alike.length > 0 ? alike : own.filter((each) => placeOfCode(store, each) === named.place);
    const record = mostExact(namesakes.length > 0 ? namesakes : own);
    if (!record) continue;
    if (namesakes.length > 0) {
      if (admits(named.place))
        found.push({ ...named, record, isCode: record.lat !== place.lat || record.lng !== place.lng });
      continue;
    }
    // Staten Island has the code of `10314 New York`.
    const isCity = isLarge(store.gazetteer.facts, named.place);
    const isPart = (part: number) => isCity && named.place < part && store.places.get(part).admin1 === place.admin1;
    const parts = placesOf(store, own, () => named.cost + weights.contextNear).filter(({ place }) => isPart(place));
    if (parts.length === 0) {
      // A part of a city may have one of its codes, another town has its own; and neither is as good as the code's place.
      const isAnswer = found.length === 0 && store.postal!.ofPlace(named.place, 1).length === 0;
      const cost = isAnswer ? weights.contextNear : weights.placeNearCode;
      parts.push({ ...named, cost: named.cost + cost, record, isCode: false, lacksCode: true });
    }
    found.push(...parts.filter(({ place, lacksCode }) => admits(place, lacksCode)));
  }
  // Of two records of a place, that which is found with it is the more exact.
  const hits = [...(hasNamesake ? [] : inAreas), ...found, ...byOwnName(store, records, rest, admits)];
  return distinct(sorted(hits, undefined, store));
}

/** Codes whose own place a text names, alone or before its region, where the gazetteer lacks that: `14035 Collins Center`, `Ezel KY`. */
function byOwnName(
  store: Store,
  records: ReadonlyMap<string, PostalCode[]>,
  rest: string,
  admits: PostalOptions['admits'],
): Unsorted[] {
  const { areaNames, areaFacts, countryCode } = store.gazetteer;
  const typed = `${fold(rest)} `;
  const beyond = ({ place }: PostalCode) => typed.slice(fold(place).length + 1).trim();
  const own = [...records.values()].flat().filter(({ place }) => typed.startsWith(`${fold(place)} `));
  return placesOf(store, own, (record) => (beyond(record) === '' ? 0 : weights.contextNear)).filter(
    ({ place, record }) =>
      admits(place) &&
      (beyond(record) === '' ||
        areasCalled(store.gazetteer, areaNames.exact(beyond(record))).whole.some((area) => {
          const { country, admin1 } = areaFacts(area);
          return countryCode(country) === record.country && (admin1 < 0 || admin1 === store.places.get(place).admin1);
        })),
  );
}

function byCode(
  store: Store,
  code: string,
  records: ReadonlyMap<string, PostalCode[]>,
  options: PostalOptions,
): PostalHit[] {
  const hits = [...records.values()].flatMap((ofCountry) => {
    const typed = ofCountry.filter(({ postalCode }) => matchesTyped(postalCode, code));
    return placesOf(store, typed, ({ postalCode }) => {
      return options.country || postalCode.toLowerCase() === code.toLowerCase() ? 0 : weights.unusualCode;
    });
  });
  const admitted = distinct(hits.filter(({ place }) => options.admits(place)));
  const hasOther = admitted.some(({ record }) => record.country !== admitted[0].record.country);
  const judged = admitted.map((each) => ({ ...each, hasOther }));
  return sorted(judged, options.near, store);
}

/** By cost and nearness, then by prominence. */
function sorted(hits: Unsorted[], near: LatLng | undefined, { places }: Store): PostalHit[] {
  const worth = ({ nearness, cost }: PostalHit) => nearness - cost;
  return hits
    .map(({ place, record, ...hit }) => {
      const km = near && distanceKm(near, positionOf(record) ?? places.get(place));
      return { ...hit, place, record, nearness: km === undefined ? 0 : nearness(km) };
    })
    .sort((one, other) => worth(other) - worth(one) || one.place - other.place);
}

/**
 * The gazetteer's place of a code: the one with its place's name near its position, else the nearest one; undefined
 * when there is none.
 */
export function placeOfCode({ places }: Store, record: PostalCode): number | undefined {
  const named = places.named(record.place, record.country).find((index) => belongs(record, places.get(index)));
  const from = positionOf(record);
  if (named !== undefined || !from) return named;
  return places.nearest(from, { maxKm: nearKm, country: record.country })[0]?.index;
}

/** The gazetteer's places of some records. */
function placesOf(store: Store, records: readonly PostalCode[], costOf: (record: PostalCode) => number): Unsorted[] {
  return records.flatMap((record) => {
    const place = placeOfCode(store, record);
    return place === undefined ? [] : [{ place, cost: costOf(record), record, isCode: true }];
  });
}

/** The record with the smallest area; a measured position has none. */
const mostExact = (records: readonly PostalCode[]): PostalCode | undefined =>
  records.toSorted((one, other) => (one.radiusKm ?? 0) - (other.radiusKm ?? 0))[0];

/** Position of a code's record; undefined where it is unknown. */
export function positionOf({ lat, lng }: PostalCode): LatLng | undefined {
  return lat === null || lng === null ? undefined : { lat, lng };
}

/** Whether a code belongs to a place: near it, or, where its position is unknown, of the same name. */
function belongs(record: PostalCode, place: Place): boolean {
  const from = positionOf(record);
  return from ? isNear(from, place, nearKm) : fold(record.place) === fold(place.name);
}

/** Whether a place has the name of a code's place, or its first words: Paris for `Paris 01`. */
function isNamedLike(record: PostalCode, place: Place): boolean {
  return `${fold(record.place)} `.startsWith(`${fold(place.name)} `);
}

/** Whether a record's code is the typed one, a prefix of it, or the typed one after the country's letters. */
function matchesTyped(postalCode: string, written: string): boolean {
  const [full, typed] = [compact(postalCode), compact(written)];
  return typed.startsWith(full) || full.endsWith(typed);
}

function distinct<T extends Unsorted>(hits: readonly T[]): T[] {
  const seen = new Set<number>();
  return hits.filter(({ place }) => !seen.has(place) && seen.add(place));
}
