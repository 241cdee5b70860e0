/**
 * Removes duplicates across files: the same house, street or point of interest of two sources or of overlapping
 * extracts. Within a file there are none.
 */

import { distanceKm, type LatLng } from '../../core/geo.ts';
import type { Addresses, Poi, Pois, Street, Streets } from '../../store/address-contract.ts';
import { fileOf } from '../../store/identifiers.ts';
import { fold } from '../../text/fold.ts';
import { areSameWords, nameWords } from '../../text/words.ts';

/** Maximum distance between the records of one house or point in two sources. */
const samePointKm = 0.05;
/** The same for unnamed points, of which many of a category may be close together. */
const sameUnnamedKm = 0.005;
/** Maximum distance between the midpoints of one street, of which a source may have only a part. */
const sameStreetKm = 3;

/** Addresses without duplicates among the nearest houses. (A search removes duplicates itself when it ranks them.) */
export const distinctAddresses = (addresses: Addresses): Addresses => ({
  ...addresses,
  nearest: (from, options) =>
    withoutTwins(
      options.limit,
      (limit) => addresses.nearest(from, { ...options, limit }),
      (one, other) =>
        one.houseNumber?.toLowerCase() === other.houseNumber?.toLowerCase() &&
        isNear(one, other, samePointKm) &&
        isSameName(one.street, other.street),
    ),
});

export const distinctStreets = (streets: Streets): Streets => ({
  ...streets,
  nearest: (from, options) =>
    withoutTwins(options.limit, (limit) => streets.nearest(from, { ...options, limit }), isSameStreet, isBetterStreet),
  search: (query) =>
    withoutTwins(query.limit, (limit) => streets.search({ ...query, limit }), isSameStreet, isBetterStreet),
});

const isSameStreet = (one: Street, other: Street) =>
  one.country === other.country &&
  isSameCity(one.city, other.city) &&
  isNear(one, other, sameStreetKm) &&
  isSameName(one.name, other.name);

export const distinctPois = (pois: Pois): Pois => ({
  ...pois,
  named: (name, options) => kept(pois.named(name, options), isSamePoi),
  nearest: (from, options) =>
    withoutTwins(options.limit, (limit) => pois.nearest(from, { ...options, limit }), isSamePoi),
});

type PoiFacts = LatLng & Pick<Poi, 'category' | 'name'>;
const isSamePoi = <T extends PoiFacts>(one: T, other: T) =>
  one.category === other.category &&
  one.name === other.name &&
  isNear(one, other, one.name === null ? sameUnnamedKm : samePointKm);

/** Streets of a map have a class and a line; streets known only from addresses have neither. */
const isBetterStreet = (one: Street, other: Street) => one.highwayType !== null && other.highwayType === null;

/** The first results of a query; of duplicates in two files only the better one, instead of the first. */
function withoutTwins<T extends { id: number }>(
  limit: number,
  ask: (limit: number) => T[],
  isTwin: (one: T, other: T) => boolean,
  isBetter: (one: T, other: T) => boolean = () => false,
): T[] {
  for (let asked = limit; ; asked *= 2) {
    const results = ask(asked);
    const distinct = kept(results, isTwin, isBetter);
    if (distinct.length >= limit || results.length < asked) return distinct.slice(0, limit);
  }
}

function kept<T extends { id: number }>(
  results: readonly T[],
  isTwin: (one: T, other: T) => boolean,
  isBetter: (one: T, other: T) => boolean = () => false,
): T[] {
  const distinct: T[] = [];
  for (const result of results) {
    const at = distinct.findIndex((other) => fileOf(other.id) !== fileOf(result.id) && isTwin(other, result));
    if (at < 0) distinct.push(result);
    else if (isBetter(result, distinct[at])) distinct[at] = result;
  }
  return distinct;
}

const isSameCity = (one: string | null, other: string | null) =>
  one === other || (one !== null && other !== null && fold(one) === fold(other));
const isNear = (one: LatLng, other: LatLng, km: number) => distanceKm(one, other) <= km;

const isSameName = (one: string, other: string) => one === other || areSameWords(nameWords(one), nameWords(other));
