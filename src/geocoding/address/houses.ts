/** The houses of a street that match the house number of an interpretation, and those nearest to a position. */
import {
  baseNumber,
  betweenNeighbours,
  type InterpolationRange,
  normaliseHouseNumber,
  numberRange,
  onInterpolationRange,
  otherAddition,
  rangeHolds,
} from '../../core/address/house-number.ts';
import { distanceKm, isNear, type LatLng } from '../../core/geo.ts';
import type { Address, Budget } from '../../store/address-contract.ts';
import { interpolatedOrdinal, type StreetLevelRecord, wholeStreet } from '../../store/identifiers.ts';
import { type House, type Street, type StreetPart, settle } from '../../store/street-parts.ts';
import { codeKey } from '../../text/words.ts';
import { prices, streetsAlone } from '../search-limits.ts';
import { distinct, isSameName, samePointKm } from './distinct.ts';

export type Found = { matchType: Address['matchType'] } & LatLng & {
    /** As the source writes it; null for a whole street. */
    houseNumber: string | null;
    /** How the house matches the requested number where it is not exactly its own. */
    matchKind?: 'range' | 'door';
    /** Ordinal in the street, for the identifier. */
    ordinal: number;
    postalCode: string | null;
    source: number;
    /** The object of OpenStreetMap that it is. */
    object?: string | undefined;
  };

/**
 * What a street has for a house number: the houses themselves, else a position between neighbours, else the street.
 * With `codes`, only houses that have one of these postal codes, or none.
 */
export function housesOf(
  part: StreetPart,
  street: Street,
  houseNumber: string | undefined,
  codes: ReadonlySet<string> | undefined,
  budget: Budget,
): Found[] {
  if (houseNumber === undefined) return [asStreet(street)];
  const base = baseNumber(houseNumber);
  const charged = (houses: House[]) => {
    budget.left -= houses.length * prices.house;
    return houses;
  };
  const all = charged(part.housesAt(street.id, base));
  const houses = codes
    ? all.filter(({ postcode }) => postcode < 0 || codes.has(codeKey(street.postcodes[postcode])))
    : all;
  const sameBase = houses
    .filter((house) => house.base === base)
    .map((house) => ({ house, normalised: house.otherNumber ?? normaliseHouseNumber(house.text) }));
  const withNumber = (number: string | undefined) =>
    sameBase.filter(({ normalised }) => normalised === number).map(({ house }) => house);
  const written = withNumber(houseNumber);
  const exact = written.length > 0 ? written : withNumber(otherAddition(houseNumber));
  if (exact.length > 0) return exact.map((house) => asHouse(street, house));
  if (/^\d+$/.test(houseNumber)) {
    const ranges = houses.filter((house) => {
      const range = numberRange(normaliseHouseNumber(house.text));
      return range !== undefined && rangeHolds(range, base);
    });
    if (ranges.length > 0) return ranges.map((house) => ({ ...asHouse(street, house), matchKind: 'range' }));
  }
  // 12/3 and 12b7 are doors of 12, and 12-14 may be known as 12; 12a stands beside 12, and 12 beside 12a.
  const main = withNumber(/^(\d+[a-z]?)[/-]|^(\d+)[a-z]\d+$/.exec(houseNumber)?.slice(1).find(Boolean));
  if (main.length > 0) return main.map((house) => ({ ...asHouse(street, house), matchKind: 'door' }));
  // Of chome, block and house only houses of the same block are near.
  const block = /^\d+-\d+(?=-\d)/.exec(houseNumber)?.[0];
  if (block !== undefined) {
    const neighbour = sameBase.find(({ normalised }) => normalised === block || normalised.startsWith(`${block}-`));
    return [neighbour ? interpolated(street, houseNumber, base, neighbour.house, neighbour.house) : asStreet(street)];
  }
  if (sameBase.length > 0) return [interpolated(street, houseNumber, base, sameBase[0].house, sameBase[0].house)];
  const stretches: InterpolationRange[] =
    street.interpolationRanges === null ? [] : JSON.parse(street.interpolationRanges);
  const around = [...houses, ...charged(part.housesAfter(street.id, base))];
  const position = onInterpolationRange(stretches, base) ?? betweenNeighbours(around, base);
  return [position ? interpolated(street, houseNumber, base, position, around[0]) : asStreet(street)];
}

/** The address of an identifier; undefined where the street has no such house, or no position between houses. */
export function addressWithOrdinal(
  part: StreetPart,
  street: Street,
  record: Exclude<StreetLevelRecord, { kind: 'poi' }>,
): Found | undefined {
  if (record.kind === 'street') return asStreet(street);
  if (record.kind === 'house') {
    const house = part.houses(street.id).find(({ ordinal }) => ordinal === record.ordinal);
    return house && asHouse(street, house);
  }
  if (record.number === undefined) return undefined;
  const [found] = housesOf(part, street, String(record.number), undefined, streetsAlone());
  return found.matchType === 'interpolated' ? found : undefined;
}

/** A house as a found address. */
export function asHouse(street: Street, { text, ordinal, lat, lng, postcode, source, object }: House): Found {
  const postalCode = postcode >= 0 ? street.postcodes[postcode] : null;
  return { matchType: 'exact', houseNumber: text, ordinal, postalCode, lat, lng, source, object };
}

function interpolated(
  street: Street,
  houseNumber: string,
  base: number,
  { lat, lng }: LatLng,
  neighbour: House | undefined,
): Found {
  return {
    matchType: 'interpolated',
    houseNumber,
    ordinal: interpolatedOrdinal(/^\d+$/.test(houseNumber) ? base : undefined),
    postalCode: neighbour && neighbour.postcode >= 0 ? street.postcodes[neighbour.postcode] : null,
    lat,
    lng,
    source: neighbour?.source ?? street.source,
  };
}

/** A street as a found address without a house. */
export function asStreet(street: Street): Found {
  const postalCode = street.postcodes.length === 1 ? street.postcodes[0] : null;
  return {
    matchType: 'street',
    houseNumber: null,
    ordinal: wholeStreet,
    postalCode,
    lat: street.lat,
    lng: street.lng,
    source: street.source,
    object: street.objects[0],
  };
}

/** Radius of the first circle, and the factor by which it grows. */
const firstCircleKm = 0.05;
export const circleGrowth = 3;

/** A house with the position of its part, the number of its street, and its distance. */
type NearHouse = { part: number; street: number; house: House; km: number };

/** At most `limit` houses within `maxKm`, the nearest first; not those that are only another number of a house. */
export function nearestHouses(parts: readonly StreetPart[], from: LatLng, maxKm: number, limit: number): NearHouse[] {
  const nameOf = ({ part, street }: NearHouse) => parts[part].street(street).names[0];
  const isSame = (one: NearHouse, other: NearHouse) =>
    one.part !== other.part &&
    one.house.text.toLowerCase() === other.house.text.toLowerCase() &&
    isNear(one.house, other.house, samePointKm) &&
    isSameName(nameOf(one), nameOf(other));
  for (let km = Math.min(firstCircleKm, maxKm); ; km = Math.min(maxKm, km * circleGrowth)) {
    const found = within(parts, from, km).sort(
      (a, b) => a.km - b.km || a.part - b.part || a.street - b.street || a.house.ordinal - b.house.ordinal,
    );
    const houses = found.length >= limit || km === maxKm ? distinct(found, limit, isSame) : [];
    if (houses.length === limit || km === maxKm) return houses;
  }
}

/** The houses in a circle. */
const within = (parts: readonly StreetPart[], from: LatLng, maxKm: number) => {
  const found = parts.flatMap((opened, part) =>
    opened.housesNear(from, maxKm).flatMap(({ street, houses }) =>
      houses.flatMap((house) => {
        const km = house.otherNumber === undefined ? distanceKm(from, house) : Number.POSITIVE_INFINITY;
        return km > maxKm ? [] : [{ part, street, house, km }];
      }),
    ),
  );
  settle(parts);
  return found;
};
