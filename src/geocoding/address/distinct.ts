/**
 * What two files have in common is answered once: the same house, street or point of interest of two sources or of
 * extracts that overlap. Each file is free of doubles by itself; here they are compared across files.
 */

import { distanceKm, type LatLng } from '../../core/geo.ts';
import type { Addresses, Pois, Street, Streets } from '../../store/address-contract.ts';
import { fileOf } from '../../store/identifiers.ts';
import { fold } from '../../text/fold.ts';
import { nameWords } from '../../text/words.ts';

/** Records of one house or point in two sources are nearer than this. */
const samePointKm = 0.05;
/** Points without a name, of which many of a kind may be side by side, are the same only where they lie at one place. */
const sameUnnamedKm = 0.005;
/** Middles of one street of a settlement, of which one source may have a part only. */
const sameStreetKm = 3;

/** Addresses whose nearest houses are answered once. (A search knows doubles itself, as it has to rank them.) */
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
  nearest: (from, options) =>
    withoutTwins(
      options.limit,
      (limit) => pois.nearest(from, { ...options, limit }),
      (one, other) =>
        one.category === other.category &&
        one.name === other.name &&
        isNear(one, other, one.name === null ? sameUnnamedKm : samePointKm),
    ),
});

/** A street of a map says what kind it is, and lies where it lies; one that only addresses tell of does not. */
const isBetterStreet = (one: Street, other: Street) => one.highwayType !== null && other.highwayType === null;

/** The first results of a question, of those that are twins of two files the first one, or the better one in its place. */
function withoutTwins<T extends { id: number }>(
  limit: number,
  ask: (limit: number) => T[],
  isTwin: (one: T, other: T) => boolean,
  isBetter: (one: T, other: T) => boolean = () => false,
): T[] {
  for (let asked = limit; ; asked *= 2) {
    const results = ask(asked);
    const kept: T[] = [];
    for (const result of results) {
      const at = kept.findIndex((other) => fileOf(other.id) !== fileOf(result.id) && isTwin(other, result));
      if (at < 0) kept.push(result);
      else if (isBetter(result, kept[at])) kept[at] = result;
    }
    if (kept.length >= limit || results.length < asked) return kept.slice(0, limit);
  }
}

const isSameCity = (one: string | null, other: string | null) =>
  one === other || (one !== null && other !== null && fold(one) === fold(other));
const isNear = (one: LatLng, other: LatLng, km: number) => distanceKm(one, other) <= km;

function isSameName(one: string, other: string): boolean {
  if (one === other) return true;
  const [left, right] = [nameWords(one), nameWords(other)];
  return left.length === right.length && left.every((word, at) => word.some((form) => right[at].includes(form)));
}
