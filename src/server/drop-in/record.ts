/** One shape for what our endpoints answer, from which the forms of other projects are made. */

import { distanceKm, roundKm } from '../../core/geo.ts';
import type { osmTypes } from '../../core/osm-object.ts';
import type { GeocodedRecord } from '../../endpoints/geocoded-record.ts';
import { WhereaboutsError } from '../../errors.ts';
import type { Layer } from '../../geocoding/layers.ts';
import type { AnswerRecord, Ask } from './drop-in.ts';
import table from './kinds.json' with { type: 'json' };

/** A record of an answer without what is null in it, and with what the forms of other projects need besides. */
export type DropInRecord = { [Field in Exclude<keyof GeocodedRecord, 'type'>]?: NonNullable<GeocodedRecord[Field]> } & {
  id: number;
  layer: Layer;
  /** Null for what is not a place. */
  type: GeocodedRecord['type'];
  name: string;
  lat: number;
  lng: number;
  /** Empty in no country. */
  country: string;
  population: number;
  /** 0–100. */
  confidence: number;
  suburb?: string;
  /** Kind of a point of interest, where the answer has it. */
  category?: string;
  distance_km?: number;
  /** The object of OpenStreetMap that it is, if its source is that. */
  osm?: { type: (typeof osmTypes)[number]; id: number };
  /** The tag of OpenStreetMap that makes it this record. */
  tag?: [key: string, value: string];
  /** What it is in, the country first; absent in answers of a search. */
  hierarchy?: readonly { layer: string; id: number | null; code: string | null }[];
  /** Type of the place that a street or suburb is in. */
  settlement?: string;
  /** South, north, west, east of what it covers, known or estimated. */
  box?: [number, number, number, number];
};

/** A record of `/search`, `/reverse`, `/address` or `/place/{id}` in the one shape. */
export function dropInRecord({ osm_type, osm_id, osm_tag, bbox, ...answer }: AnswerRecord): DropInRecord {
  const { name, street, type, postal_code, layer = street ? 'address' : 'place' } = answer;
  const isPlace = layer === 'place';
  // A postal code is called by itself; its place is the city that it is in.
  const isCode = layer === 'postal' && postal_code;
  const record = {
    ...answer,
    layer,
    type: isCode ? null : (type ?? null),
    name: (isCode ? postal_code : name) ?? street ?? '',
    // The house nearest to a point and the suburb there are not those of its city.
    ...(isPlace && { street: null, house_number: null, suburb: type === 'suburb' ? name : null }),
    city: answer.city ?? (isCode || (isPlace && type !== 'suburb') ? name : undefined),
    country: answer.country ?? '',
    population: answer.population ?? 0,
    confidence: answer.confidence ?? 100,
    osm: osm_id && { type: osm_type, id: osm_id },
    tag: osm_tag?.split('=', 2),
    box: bbox && boxOf(layer, bbox),
  };
  return Object.fromEntries(
    Object.entries(record).filter(([name, value]) => name === 'type' || (value !== null && value !== undefined)),
  ) as DropInRecord;
}

/**
 * South, north, west, east. Across the antimeridian, a country or region is as wide as the world, as Nominatim has it: maps take west
 * for the smaller number.
 */
function boxOf(layer: Layer, [west, south, east, north]: readonly number[]): DropInRecord['box'] {
  const isWorld = west > east && (layer === 'country' || layer === 'region');
  return isWorld ? [south, north, -180, 180] : [south, north, west, east];
}

/** Records without those that an earlier one is too: the place of a point is also among the nearest. */
export function distinct(records: readonly DropInRecord[]): DropInRecord[] {
  const seen = new Set<string>();
  return records.filter(({ layer, id }) => {
    const key = `${layer} ${id}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** The area of a layer that a record is in or is, and its ISO 3166-2 code; undefined where the answer does not have it. */
export function areaOf({ hierarchy = [] }: DropInRecord, layer: Layer): { id: number; isoCode?: string } | undefined {
  const { id, code } = hierarchy.find((entry) => entry.layer === layer) ?? {};
  return id ? { id, ...(code?.includes('-') && { isoCode: code }) } : undefined;
}

/** A box around a record as south, north, west, east: of what it covers, else by its kind around its position. */
export function boxAround({ layer, lat, lng, box }: DropInRecord): [number, number, number, number] {
  if (box) return box;
  const [, , , , , reach = 0.001] = kinds[layer] ?? kinds.place;
  const wide = reach / Math.max(0.1, Math.cos((lat * Math.PI) / 180));
  const round = (degrees: number) => Math.round(degrees * 1e7) / 1e7;
  return [
    round(Math.max(-90, lat - reach)),
    round(Math.min(90, lat + reach)),
    round(Math.max(-180, lng - wide)),
    round(Math.min(180, lng + wide)),
  ];
}

/** The parts of a record from the most local to the country, without repetition, as a label lists them. */
export function labelParts(record: DropInRecord): string[] {
  const { layer, name, house_number, street, suburb, city, admin1, admin2, postal_code, country_name } = record;
  const first = street && house_number ? `${house_number}, ${street}` : name;
  const parts = [first, suburb, city, admin2, admin1, layer === 'postal' ? undefined : postal_code, country_name];
  return parts.filter((part, at): part is string => part !== undefined && part !== '' && parts.indexOf(part) === at);
}

/** OpenStreetMap's key and value for the categories of points of interest. */
export const poiTags = table.tagsOfCategories as unknown as Readonly<
  Record<string, readonly [key: string, value: string]>
>;

type Kind = readonly [
  key: string,
  value: string,
  rank: number,
  addressType: string,
  photonType: string,
  reach?: number,
];

/**
 * OpenStreetMap's key and value by layer or type of place, Nominatim's rank and its name in an address, Photon's type, and half the
 * height in degrees of the box that is shown around what has none of its own.
 */
const kinds = table.kinds as unknown as Readonly<Record<string, Kind>>;

/** Tags by our kind of a landmark; the others are by their layer. */
const tagsOfKinds = table.tagsOfKinds as unknown as Readonly<Record<string, [key: string, value: string] | undefined>>;

/** The kind of a record: by its own tag, its category, or its layer and type. */
export function kindOf({ type, layer, category, kind = '', tag = tagsOfKinds[kind] }: DropInRecord): Kind {
  if (tag && layer !== 'place')
    return layer === 'street' ? [...tag, 26, 'road', 'street'] : [...tag, 30, tag[0], 'house'];
  const tags = category === undefined ? undefined : poiTags[category];
  return tags ? [...tags, 30, tags[0], 'house'] : (kinds[type ?? layer] ?? kinds.place);
}

// What a point is, for the reverse look-ups of all projects: from the house there to its country.

const details = ['house', 'street', 'suburb', 'place', 'subregion', 'region', 'country'] as const;
export type Detail = (typeof details)[number];

type Point = { lat: string | number | undefined; lng: string | number | undefined; lang: string | undefined };

/** A house farther away is not the address of the point. */
const houseReachKm = 0.05;
/** Far from every place, a point counts as that of the nearest one only if it lies in a country. */
const seaKm = 20;

/** The record of a point in no more than a level of detail; the next coarser one where there is none of it. */
export function recordAt(ask: Ask, point: Point, detail: Detail): DropInRecord | undefined {
  const level = details.indexOf(detail);
  if (level > details.indexOf('place')) return areaAt(ask, point, detail);
  const [answer] = ask('reverse', point).results;
  if (!answer) return undefined;
  const place = dropInRecord(answer);
  if (answer.distance_km > seaKm && !areaAt(ask, point, 'country')) return undefined;
  // A house has not the box of its city.
  const { box: _, ...around } = { ...place, ...(answer.suburb ? { suburb: answer.suburb } : {}) };
  const suburbOf = (entry: { layer: string; id: number } | undefined): DropInRecord | undefined => {
    if (entry?.layer !== 'suburb') return undefined;
    const { city: _, ...suburb } = dropInRecord({
      ...ask('place', { id: entry.id, lang: point.lang }),
      type: 'suburb',
    });
    return suburb;
  };
  const finer = [
    () => nearest(ask, point, 'address', houseReachKm),
    () => nearest(ask, point, 'street', Number.POSITIVE_INFINITY),
    () => suburbOf(answer.hierarchy.at(-1)),
  ].slice(level);
  for (const find of finer) {
    const found = find();
    if (!found) continue;
    // What is larger than a street or suburb is as the place has it.
    const { admin2, type } = place;
    const km = roundKm(distanceKm({ lat: Number(point.lat), lng: Number(point.lng) }, found));
    const own = { ...found, distance_km: found.distance_km ?? km };
    return { ...around, ...own, ...(admin2 && { admin2 }), ...(type && { settlement: type }) };
  }
  return place;
}

type Around = {
  /** Undefined for what the point itself is, and the places around it. */
  layers: string | undefined;
  limit: number;
  maxKm: number;
  passes(record: DropInRecord): boolean;
  /** Categories of points of interest and types of places that are searched for one by one: the nearest few may all be others. */
  kinds?: { poi?: readonly string[]; place?: readonly string[] };
  /** Whether what holds the point comes from the finest on; all by distance otherwise. */
  isFinestFirst?: boolean;
};

/** Layers that hold a point from the finest to the coarsest, `further` being places besides the one there. Others come before. */
const fromFinest = 'place postal subregion region country further island natural water continent'.split(' ');

/** How far off the nearest of a kind are searched for where no radius is requested, km; a suburb is not that of a point beyond. */
const kindReachKm = { poi: 1, place: 3 };
const maxReachKm = 50;
const maxOfKind = 100;

/** What is around a point and passes a filter, the nearest first. */
export function recordsAround(ask: Ask, point: Point, around: Around) {
  const { layers, limit, maxKm, passes, kinds = {}, isFinestFirst = false } = around;
  const kept = (records: readonly DropInRecord[]) =>
    distinct(records).filter((record) => (record.distance_km ?? 0) <= maxKm && passes(record));
  const nearestOf = (layers: string | undefined): DropInRecord[] =>
    ask('reverse', { ...point, layers, limit }).results.map(dropInRecord);
  if (layers === undefined) {
    const first = recordAt(ask, point, 'house');
    return first ? kept([first, ...nearestOf(undefined).slice(1)]) : [];
  }
  const { lang, ...from } = point;
  const nearestOfKind = (layer: 'poi' | 'place', kind: Record<string, string>): DropInRecord[] => {
    const radius = Number.isFinite(maxKm) ? Math.min(maxKm, maxReachKm) : kindReachKm[layer];
    const endpoint = layer === 'poi' ? 'pois' : 'nearby';
    const results = orNone(
      () => ask(endpoint, { ...from, radius, limit: maxOfKind, ...kind }).results as AnswerRecord[],
    );
    return results.map((found) => dropInRecord({ ...found, id: Number(found.id), layer }));
  };
  const found = [
    ...layers.split(',').flatMap(nearestOf),
    ...(kinds.poi ?? []).flatMap((category) => nearestOfKind('poi', { category })),
    ...(kinds.place ?? []).flatMap((type) => nearestOfKind('place', { type })),
  ];
  const all = kept(found);
  const town = all.find(({ type }) => type !== null && type !== 'suburb');
  const rankOf = (record: DropInRecord) => {
    const isOfKind = record.type !== null && kinds.place?.includes(record.type);
    if (!isFinestFirst || isOfKind) return -1;
    return fromFinest.indexOf(record.layer === 'place' && record !== town ? 'further' : record.layer);
  };
  return all
    .toSorted((one, other) => rankOf(one) - rankOf(other) || (one.distance_km ?? 0) - (other.distance_km ?? 0))
    .slice(0, limit)
    .map((record) =>
      record.country_name ? record : { ...record, ...dropInRecord(ask('place', { id: record.id, lang })) },
    );
}

/** The smallest area that holds a point, no smaller than requested. */
function areaAt(ask: Ask, point: Point, detail: Detail): DropInRecord | undefined {
  const layers = details.slice(details.indexOf(detail)).join(',');
  const [first] = ask('reverse', { ...point, layers }).results;
  return first && dropInRecord(first);
}

function nearest(ask: Ask, point: Point, layers: 'address' | 'street', maxKm: number): DropInRecord | undefined {
  const [found] = orNone(() => ask('reverse', { ...point, layers, limit: 1 }).results as AnswerRecord[]);
  return found && found.distance_km <= maxKm ? dropInRecord(found) : undefined;
}

/** What is found; nothing where the dataset or the machines that hold the streets are not there: the place is still an answer. */
function orNone(find: () => AnswerRecord[]): AnswerRecord[] {
  try {
    return find();
  } catch (error) {
    if (error instanceof WhereaboutsError && ['unavailable', 'dataset_missing'].includes(error.code)) return [];
    throw error;
  }
}
