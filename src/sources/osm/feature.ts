/** An OpenStreetMap object that records are made from, and the choice of which objects and tags those are. */

import { grown } from '../../core/columns.ts';
import type { LatLng } from '../../core/geo.ts';
import type { PoiCategory } from '../../core/place-kinds.ts';
import type { Texts } from './pbf-block.ts';
import table from './poi-tags.json' with { type: 'json' };

export type ObjectType = 'n' | 'w' | 'r';

const typeNumbers = { n: 0, w: 1, r: 2 };
const idsOfType = 2 ** 48;

/** One number for an object. */
export const objectKey = (type: ObjectType, id: number): number => typeNumbers[type] * idsOfType + id;

/** `lat`, `lng` are the node, the middle of an open way, or the centroid of a closed way or a multipolygon. */
export type OsmFeature = LatLng & {
  type: ObjectType;
  id: number;
  tags: Record<string, string>;
  /** Only for streets and interpolation ways: lng, lat, lng, lat, … */
  lines?: readonly Float64Array[];
  /** Only for interpolation ways: ids of the nodes of the one line. */
  nodeIds?: Float64Array;
};

/** The `highway` values that are streets and ways with a name people use; stops, services and the planned are not. */
const streetTypes = new Set(
  (
    'motorway trunk primary secondary tertiary unclassified residential living_street service pedestrian track road ' +
    'busway footway cycleway path steps bridleway corridor motorway_link trunk_link primary_link secondary_link ' +
    'tertiary_link'
  ).split(' '),
);

export const isStreet = (tags: Record<string, string>): boolean =>
  tags.name !== undefined && tags.highway !== undefined && streetTypes.has(tags.highway);

const bits = { houseNumber: 1, interpolation: 2, name: 4, poi: 8, place: 16, boundary: 32, relation: 64 };
const kept = 256;
const bitsOfKeys = new Map([
  ['addr:interpolation', bits.interpolation],
  ['name', bits.name],
  ['brand', bits.name],
  ['highway', bits.poi],
  ['place', bits.place],
  ['boundary', bits.boundary],
  ['type', bits.relation],
  ...['cuisine', 'admin_level', 'population'].map((key) => [key, 0] as const),
]);

function bitsOfKey(key: string): number {
  const own = bitsOfKeys.get(key);
  if (own !== undefined) return own | kept;
  if (numberKeys.includes(key)) return bits.houseNumber | kept;
  if (poiKeys.includes(key)) return bits.poi | kept;
  if (conditionKeys.includes(key)) return kept;
  if (key.startsWith('addr:') || key.startsWith('name:') || key.startsWith('ISO3166')) return kept;
  return /^(alt|official|short|loc|old|int|reg|nat)_name(:|$)/.test(key) ? kept : 0;
}

/** Reads tags of the objects of blocks; keeps per block what each text is worth as a key. */
export class TagReader {
  readonly #ofKey = new Map<string, number>();
  #stamps = new Uint32Array(8192);
  #block = 0;

  nextBlock(): void {
    this.#block++;
  }

  /** The kept tags of an object that some record is made from; `undefined` for all others. */
  wanted(texts: Texts, tags: readonly number[], type: ObjectType): Record<string, string> | undefined {
    let mask = 0;
    for (let at = 0; at < tags.length; at += 2) mask |= this.#bits(texts, tags[at]);
    const mayBeWanted =
      bits.houseNumber |
      bits.interpolation |
      bits.poi |
      (mask & bits.name ? bits.place | bits.boundary : 0) |
      (type === 'r' ? bits.relation : 0);
    if ((mask & mayBeWanted) === 0) return undefined;
    const kept = this.#kept(texts, tags);
    return this.isWanted(kept, type) ? kept : undefined;
  }

  /** The kept tags of an object with the key `boundary`, whatever its value; `undefined` for all others. */
  boundary(texts: Texts, tags: readonly number[]): Record<string, string> | undefined {
    const isBoundary = tags.some((key, at) => at % 2 === 0 && (this.#bits(texts, key) & bits.boundary) !== 0);
    return isBoundary ? this.#kept(texts, tags) : undefined;
  }

  #kept(texts: Texts, tags: readonly number[]): Record<string, string> {
    const found: Record<string, string> = {};
    for (let at = 0; at < tags.length; at += 2) {
      if (this.#bits(texts, tags[at]) < kept) continue;
      const value = texts.at(tags[at + 1]).trim();
      if (value !== '') found[texts.at(tags[at])] = value;
    }
    return found;
  }

  /** The kept ones of an object's properties when some record is made from it. */
  wantedProperties(properties: Record<string, unknown>, type: ObjectType): Record<string, string> | undefined {
    const tags: Record<string, string> = {};
    for (const [key, value] of Object.entries(properties)) {
      if (this.#bitsOf(key) < kept) continue;
      const text = String(value).trim();
      if (text !== '') tags[key] = text;
    }
    return this.isWanted(tags, type) ? tags : undefined;
  }

  /** Whether some record is made from an object with these tags. */
  isWanted(tags: Record<string, string>, type: ObjectType): boolean {
    if (hasAddress(tags)) return true;
    if (tags['addr:interpolation'] !== undefined && type === 'w') return true;
    if (type !== 'n' && isStreet(tags)) return true;
    if (type === 'n' && (isSettlement(tags) || isQuarter(tags))) return true;
    if (type === 'r' && (isBoundary(tags) || isStreetRelation(tags))) return true;
    return poiKind(tags) !== undefined;
  }

  #bits(texts: Texts, key: number): number {
    this.#stamps = grown(this.#stamps, key + 1);
    const stamp = this.#stamps[key];
    // The high bits of a stamp identify its block, so that nothing has to be cleared; 2^23 blocks are 6e10 objects.
    if (stamp >>> 9 === this.#block) return stamp & 511;
    const value = this.#bitsOf(texts.at(key));
    this.#stamps[key] = ((this.#block << 9) | value) >>> 0;
    return value;
  }

  #bitsOf(key: string): number {
    let value = this.#ofKey.get(key);
    if (value === undefined) {
      value = bitsOfKey(key);
      if (this.#ofKey.size < 100_000) this.#ofKey.set(key, value);
    }
    return value;
  }
}

const settlementKinds = new Set(['city', 'town', 'village', 'hamlet']);

export const isSettlement = (tags: Record<string, string>): boolean =>
  tags.name !== undefined && tags.place !== undefined && settlementKinds.has(tags.place);

const quarterKinds = new Set(['quarter', 'neighbourhood', 'suburb']);

/** A part of a town: where houses are numbered by quarters, its names in other languages are those of their address. */
export const isQuarter = (tags: Record<string, string>): boolean =>
  tags.name !== undefined && tags.place !== undefined && quarterKinds.has(tags.place);

/** Administrative areas of the levels that settlements follow from: 2 country to 8 municipality. */
export const isBoundary = (tags: Record<string, string>): boolean =>
  tags.boundary === 'administrative' && tags.name !== undefined && /^[2-8]$/.test(tags.admin_level ?? '');

export const isStreetRelation = (tags: Record<string, string>): boolean =>
  (tags.type === 'associatedStreet' || tags.type === 'street') &&
  (tags.name !== undefined || tags['addr:street'] !== undefined);

/** The names of an object besides one of them, each once. */
export function otherNames(tags: Record<string, string>, first: string, keys: RegExp): string[] | undefined {
  const names = new Set<string>();
  // In the order of keys, which the versions of an object do not always have theirs in.
  for (const key of Object.keys(tags)
    .filter((each) => keys.test(each))
    .sort()) {
    for (const name of tags[key].split(';')) if (name.trim() !== '' && name.trim() !== first) names.add(name.trim());
  }
  return names.size === 0 ? undefined : [...names];
}

/** Keys of names of the object itself, in any language. */
export const nameKeys = /^((alt|official|short|loc|old|int|reg|nat)_)?name(:[a-z]{2,3}(-[A-Za-z]+)?)?$/;

/** Alpha-2 code of a boundary's country, its own or that of the region it bounds; undefined where its tags name none. */
export function countryOf(tags: Record<string, string>): string | undefined {
  const code = tags['ISO3166-1:alpha2'] ?? tags['ISO3166-1'] ?? tags['ISO3166-2']?.slice(0, 2);
  return code && /^[A-Z]{2}$/.test(code) ? code : undefined;
}

// The house numbers of an object's tags: lists, numbers of two kinds for one house, and names instead of numbers.

/** One house: its number as it is shown, and further numbers that it is known by. */
export type NumberedHouse = { houseNumber: string; otherNumbers?: string[] };

/** Keys of which each makes an object an address. */
const numberKeys: readonly string[] = [
  'addr:housenumber',
  'addr:conscriptionnumber',
  'addr:streetnumber',
  'addr:provisionalnumber',
  'addr:block_number',
  'addr:housename',
];

/** Whether an object has an address, of whatever kind. */
export const hasAddress = (tags: Record<string, string>): boolean => numberKeys.some((key) => tags[key] !== undefined);

/** The single numbers of a list with `;` or `,`; a range such as `12-14` is one, and `51c,d,e` are 51c, 51d and 51e. */
export function listedNumbers(tag: string): string[] {
  const numbers: string[] = [];
  let digits = '';
  for (const part of tag.split(/[;,]/).map((text) => text.trim())) {
    if (part === '') continue;
    const isLetter = /^\p{L}$/u.test(part);
    numbers.push(isLetter ? digits + part : part);
    if (!isLetter) digits = /^(\d+\s?)\p{L}$/u.exec(part)?.[1] ?? '';
  }
  return [...new Set(numbers)];
}

/**
 * The houses that an object's tags number; empty when none. In Czechia and Slovakia a house has a conscription number
 * of its village and often a number in its street: `137/25` is known as 137 and as 25. Provisional numbers (`ev. 12`)
 * are a series of their own. A house without any number has its name.
 */
export function numberedHouses(tags: Record<string, string>): NumberedHouse[] {
  const listed = listedNumbers(tags['addr:housenumber'] ?? '');
  const conscription = tags['addr:conscriptionnumber'];
  const inStreet = tags['addr:streetnumber'];
  const provisional = tags['addr:provisionalnumber'];
  const kinds = [conscription, provisional && `ev. ${provisional}`, inStreet].filter((number) => number !== undefined);
  if (kinds.length > 0) {
    const [houseNumber = kinds.join('/')] = listed;
    const otherNumbers = kinds.filter((number) => number !== houseNumber);
    return [{ houseNumber, ...(kinds.length > 1 && { otherNumbers }) }];
  }
  if (listed.length > 0) return listed.map((houseNumber) => ({ houseNumber }));
  const name = tags['addr:housename'];
  return name === undefined ? [] : [{ houseNumber: name }];
}

// The category of an OpenStreetMap object, by the table of poi-tags.json.

/** A tag that counts only with certain values of another key: with one of `only`, or with none of `not`. */
type Condition = { tag: string; key: string; only?: string; not?: string };

/**
 * In order of precedence: the first key of an object with a category decides. `*` is every other value of a key.
 * docs/poi-categories.md describes the table.
 */
const poiTags: readonly ({ key: string } & Partial<Record<PoiCategory, string>>)[] = table.tags;
const conditions: readonly Condition[] = table.conditions;
/**
 * Tags that count only with a name: each bus stop is mapped once more as a platform, and most gardens, pools, fountains
 * and ruins without a name are not a place that anybody looks for.
 */
const onlyNamed: readonly string[] = table.onlyNamed;

/** Values that say that nothing is there (any more). */
const nothing = new Set(['', 'no', 'none', 'vacant', 'disused', 'abandoned', 'closed']);

const categories = new Map<string, PoiCategory>();
for (const { key, ...row } of poiTags) {
  for (const [category, values] of Object.entries(row)) {
    for (const value of values.split(' ')) categories.set(`${key}=${value}`, category as PoiCategory);
  }
}
const conditionsOf = Map.groupBy(conditions, ({ tag }) => tag);
const namedTags = new Set(onlyNamed);

/** The keys of the table. */
const poiKeys: readonly string[] = poiTags.map((row) => row.key);

/** Further keys that decide whether a tag of the table counts. */
const conditionKeys: readonly string[] = [...new Set(conditions.map(({ key }) => key))];

/** The category of an object and the tag that decides it; `undefined` when it is no point of interest. A list `a;b` counts as its first. */
export function poiKind(tags: Record<string, string>): { category: PoiCategory; tag: string } | undefined {
  for (const key of poiKeys) {
    const value = firstOf(tags[key]);
    if (value === undefined || nothing.has(value)) continue;
    const tag = `${key}=${value}`;
    const category = categories.get(tag) ?? categories.get(`${key}=*`);
    if (category !== undefined && counts(tag, tags)) return { category, tag };
  }
  return undefined;
}

/** Name of a point of interest, or in its place the brand. */
export const poiName = (tags: Record<string, string>): string | undefined => tags.name ?? tags.brand;

function counts(tag: string, tags: Record<string, string>): boolean {
  if (namedTags.has(tag) && poiName(tags) === undefined) return false;
  return (conditionsOf.get(tag) ?? []).every((condition) => {
    const value = firstOf(tags[condition.key]);
    const { only, not = '' } = condition;
    const values = (only ?? not).split(' ');
    return (value !== undefined && values.includes(value)) === (only !== undefined);
  });
}

const firstOf = (value: string | undefined) => value?.split(';', 1)[0].trim();
