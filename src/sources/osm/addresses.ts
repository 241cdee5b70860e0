/** Address tags to address records: wiki.openstreetmap.org/wiki/Key:addr:* */
import type { AddressRecord, InterpolationRecord, Settlement } from '../../core/street-records.ts';
import { blockAddress, isInBlock, wardOf } from './block-addresses.ts';
import { type OsmFeature, otherNames } from './feature.ts';
import { hasAddress, listedNumbers, type NumberedHouse, numberedHouses } from './house-numbers.ts';

/** The street of a house, or the place whose houses are numbered without streets. */
export type HouseStreet = Pick<AddressRecord, 'street' | 'isPlace' | 'otherStreetNames'>;
/** Houses that the tags of one object number, at least one. */
export type TaggedHouses = { street: HouseStreet; houses: NumberedHouse[] };

const streetNameKeys = /^addr:street:[a-z]{2,3}(-[A-Za-z]+)?$/;
const placeNameKeys = /^addr:place:[a-z]{2,3}(-[A-Za-z]+)?$/;

/** The street or place of an object's tags; `fromRelation` is the street whose relation has the object as a house. */
export function houseStreet(tags: Record<string, string>, fromRelation?: string): HouseStreet | undefined {
  const street = tags['addr:street'] ?? fromRelation;
  if (street !== undefined) return named(street, otherNames(tags, street, streetNameKeys));
  const place = tags['addr:place'] ?? tags['addr:hamlet'];
  return place === undefined ? undefined : { ...named(place, otherNames(tags, place, placeNameKeys)), isPlace: true };
}

/** The houses of an object that `hasAddress`, and where they are; or the reason why it is dropped. */
export function taggedHouses(tags: Record<string, string>, fromRelation?: string): TaggedHouses | string {
  const street = houseStreet(tags, fromRelation);
  if (street === undefined || isInBlock(tags)) {
    const block = blockAddress(tags);
    if (block) {
      const others = block.otherQuarterNames;
      const houses = listedNumbers(block.houseNumber).map((houseNumber) => ({ houseNumber }));
      return { street: { ...named(block.quarter, others.length > 0 ? others : undefined), isPlace: true }, houses };
    }
  }
  if (!street) return 'house number without street, place or quarter';
  const houses = numberedHouses(tags);
  return houses.length > 0 ? { street, houses } : 'house number without a number';
}

function named(street: string, others: string[] | undefined): HouseStreet {
  return others ? { street, otherStreetNames: others } : { street };
}

/** The city an object's tags say; one without a letter is a slip for another field. */
export function taggedCity(tags: Record<string, string>): string | undefined {
  const city = tags['addr:city'] ?? wardOf(tags);
  return city !== undefined && /\p{L}/u.test(city) ? city : undefined;
}

/** The city that an object's address names. */
export function addressCity({ tags }: { tags: Record<string, string> }): string | undefined {
  return hasAddress(tags) ? taggedCity(tags) : undefined;
}

/** The city that an object says that it is in, where it counts for others. */
export function voteOf({ tags }: { tags: Record<string, string> }): string | undefined {
  return tags['addr:housenumber'] === undefined ? undefined : taggedCity(tags);
}

/** An object's settlement, from its tags, or else from boundaries and places. */
export function settlementOf(tags: Record<string, string>, around: Settlement): Settlement {
  const country = tags['addr:country']?.toUpperCase();
  return {
    city: taggedCity(tags) ?? around.city,
    admin1: around.admin1 ?? tags['addr:state'] ?? tags['addr:province'],
    country: country && /^[A-Z]{2}$/.test(country) ? country : around.country,
  };
}

/** What an object is that has an address because it is in a house. */
const keysOfParts = ['shop', 'amenity', 'office', 'tourism', 'leisure', 'craft', 'healthcare', 'club'];

/** Whether an object is something in a house and not the house: a shop that is not a building, say. */
function isPartOfHouse(tags: Record<string, string>): boolean {
  return tags.building === undefined && keysOfParts.some((key) => tags[key] !== undefined);
}

/** The address records of an object, one for each of its houses. */
export function addressRecords(
  feature: OsmFeature,
  { street, houses }: TaggedHouses,
  settlement: Settlement,
): AddressRecord[] {
  const { tags, lat, lng } = feature;
  return houses.map((house) => ({
    ...house,
    ...street,
    ...settlement,
    ...(tags['addr:postcode'] !== undefined && { postalCode: tags['addr:postcode'] }),
    ...(isPartOfHouse(tags) && { isPart: true }),
    lat,
    lng,
    sourceId: `${feature.type}${feature.id}`,
  }));
}

/** A numbered house on an interpolation way. */
export type InterpolationHouse = { houseNumber: string; street?: string; postalCode?: string };

/**
 * The stretches of an interpolation way between each two of its numbered nodes. A string says why there are none.
 */
export function interpolationRecords(
  feature: OsmFeature,
  houseOf: (nodeId: number) => InterpolationHouse | undefined,
  streetOfWay: string | undefined,
  settlement: Settlement,
): InterpolationRecord[] | string {
  const kind = feature.tags['addr:interpolation'];
  const step = kind === 'all' || kind === '1' ? 1 : kind === 'odd' || kind === 'even' || kind === '2' ? 2 : undefined;
  if (step === undefined) return 'interpolation other than odd, even or all';
  const records: InterpolationRecord[] = [];
  const line = feature.lines![0];
  let last: { at: number; number: number; street?: string; postalCode?: string } | undefined;
  for (const [at, id] of feature.nodeIds!.entries()) {
    const house = houseOf(id);
    const number = Number(/^\d+/.exec(house?.houseNumber ?? '')?.[0] ?? Number.NaN);
    if (!house || Number.isNaN(number)) continue;
    const street = streetOfWay ?? last?.street ?? house.street;
    if (last && street !== undefined && number !== last.number) {
      const postalCode = last.postalCode ?? house.postalCode;
      records.push({
        street,
        from: last.number,
        to: number,
        step,
        ...settlement,
        ...(postalCode !== undefined && { postalCode }),
        line: line.slice(2 * last.at, 2 * at + 2),
        sourceId: `w${feature.id}`,
      });
    }
    last = { at, number, street: house.street, postalCode: house.postalCode };
  }
  return records.length > 0 ? records : 'interpolation without two numbered ends of one street';
}
