/** Address tags to address records: wiki.openstreetmap.org/wiki/Key:addr:* */
import type { AddressRecord, InterpolationRecord, Settlement } from '../../core/source-records.ts';
import { listedNumbers, type NumberedHouse, numberedHouses, type OsmFeature, otherNames } from './feature.ts';

/** The street of a house, or the place whose houses are numbered without streets. */
export type HouseStreet = Pick<AddressRecord, 'street' | 'isPlace' | 'otherStreetNames'>;
/** Houses that the tags of one object number, at least one. */
type TaggedHouses = { street: HouseStreet; houses: NumberedHouse[] };

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

// Addresses by quarter, block and number, as Japan has them: 霞が関三丁目1番1号 is house 1 of block 1 in the third chōme
// of Kasumigaseki, and is written 霞が関3-1-1 (wiki.openstreetmap.org/wiki/JA:Key:addr). The quarter stands where other
// countries have the street, and the three numbers together are the house number.

type BlockAddress = { quarter: string; otherQuarterNames: string[]; houseNumber: string };

const digits = '〇一二三四五六七八九';
/** A chōme behind the name of its quarter, or alone: `代々木二丁目`, `1丁目`, `西新宿1`, `2`. */
const chomePattern = new RegExp(`^(.*?)(?:(\\d+|[${digits}十]+)丁目|(\\d+))$`, 'u');
/** A whole address instead of its number: `千代田区五番町1-9`. */
const wholePattern = /^(?:[^\d\s]{1,3}[都道府県])?[^\d\s]{1,6}?[市区町村]([^\d\s]{1,12})(\d{1,4}(?:-\d{1,4}){1,3})$/u;

/** Fullwidth digits and the many dashes of Japanese keyboards as plain ones. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[‐‑–—−ー](?=\d)/gu, '-')
    .trim();

/** Keys whose values reveal a Japanese address by their script. */
const scriptKeys = ['addr:quarter', 'addr:neighbourhood', 'addr:suburb', 'addr:city', 'addr:province'];

/**
 * Whether an object's houses are numbered by quarter though it names a street: with a block in Japan (in Bahrain houses
 * of a block are numbered by streets), where a quarter stands as the street, and with a whole address as the number.
 */
function isInBlock(tags: Record<string, string>): boolean {
  if (isQuarter(tags['addr:street'])) return true;
  if (tags['addr:block_number'] === undefined) return wholePattern.test(plain(tags['addr:housenumber'] ?? ''));
  return isJapanese(tags);
}

const isQuarter = (street: string | undefined) => street?.endsWith('丁目') ?? false;

const isJapanese = (tags: Record<string, string>): boolean =>
  tags['addr:country'] === 'JP' ||
  scriptKeys.some((key) => /\p{Script=Hiragana}|[都道府県市区町村]$|丁目$/u.test(tags[key] ?? ''));

/** The address by quarter of an object's tags; `undefined` when they name no quarter or no number. */
function blockAddress(tags: Record<string, string>): BlockAddress | undefined {
  const block = plain(tags['addr:block_number'] ?? '');
  const number = plain(tags['addr:housenumber'] ?? '');
  const whole = wholePattern.exec(number);
  if (whole) return { quarter: whole[1], otherQuarterNames: [], houseNumber: whole[2] };
  const quarter = plain(quarterOf(tags) ?? '');
  const neighbourhood = plain(tags['addr:neighbourhood'] ?? '');
  const name = neighbourhood.startsWith(quarter) ? neighbourhood : quarter + neighbourhood;
  const chome = block !== '' || isJapanese(tags) ? chomePattern.exec(name) : null;
  // Houses with a name instead of a number use the block number.
  const numbers = [chome ? arabic(chome[2] ?? chome[3]) : '', block, block === '' || /^\d/.test(number) ? number : ''];
  if ((chome?.[1] ?? name) === '' || (block === '' && number === '')) return undefined;
  const others = Object.entries(tags)
    .filter(([key]) => neighbourhood.replace(/\d+|丁目/gu, '') === '' && quarterNameKeys.test(key))
    .map(([, value]) => value);
  return {
    quarter: chome?.[1] ?? name,
    otherQuarterNames: others,
    houseNumber: numbers.filter((part) => part !== '').join('-'),
  };
}

const quarterNameKeys = /^addr:quarter:[a-z]{2,3}(-[A-Za-z]+)?$/;

/** The quarter; in its place some write the suburb, which elsewhere is the ward. */
function quarterOf(tags: Record<string, string>): string | undefined {
  const { 'addr:suburb': suburb, 'addr:street': street } = tags;
  if (isQuarter(street)) return street;
  return tags['addr:quarter'] ?? (suburb === undefined || /[区市]$/.test(suburb) ? undefined : suburb);
}

/** The ward or town of a block address that names no city. */
const wardOf = (tags: Record<string, string>): string | undefined =>
  [tags['addr:suburb'], tags['addr:county']].find((name) => name !== undefined && /[区市町村]$/.test(name));

/** A number of Japanese or Arabic digits up to 99, as the text of an Arabic one. */
function arabic(text: string): string {
  if (/^\d+$/.test(text)) return String(Number(text));
  const [tens, ones] = text.includes('十') ? text.split('十') : ['〇', text];
  return String((tens === '' ? 1 : digits.indexOf(tens)) * 10 + (ones === '' ? 0 : digits.indexOf(ones)));
}
