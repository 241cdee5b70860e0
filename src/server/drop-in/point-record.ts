/** What a point is, for the reverse look-ups of all projects: from the house there to its country. */
import { distanceKm, roundKm } from '../../core/geo.ts';
import { WhereaboutsError } from '../../errors.ts';
import type { Ask } from './drop-in.ts';
import { type DropInRecord, distinct, dropInRecord } from './record.ts';

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
  const { suburb, ...place } = dropInRecord({ ...answer, street: null, house_number: null, suburb: null });
  if (answer.distance_km > seaKm && !areaAt(ask, point, 'country')) return undefined;
  // A house has not the box of its city.
  const { box: _, ...around } = { ...place, ...(answer.suburb ? { suburb: answer.suburb } : {}) };
  const finer = [
    () => nearest(ask, point, 'address', houseReachKm),
    () => nearest(ask, point, 'street', Number.POSITIVE_INFINITY),
    () => suburbOf(ask, point, answer.hierarchy.at(-1)),
  ].slice(level);
  for (const find of finer) {
    const found = find();
    if (!found) continue;
    // What is larger than a street or suburb is as the place has it.
    const { county, type } = place;
    const km = roundKm(distanceKm({ lat: Number(point.lat), lng: Number(point.lng) }, found));
    const own = { ...found, distanceKm: found.distanceKm ?? km };
    return { ...around, ...own, ...(county && { county }), ...(type && { settlement: type }) };
  }
  return place;
}

/** What is around a point, the nearest first: where no layers are wanted, it begins with what the point itself is. */
export function recordsAround(
  ask: Ask,
  point: Point,
  { layers, limit, maxKm }: { layers: string | undefined; limit: number; maxKm: number },
): DropInRecord[] {
  const first = layers === undefined && recordAt(ask, point, 'house');
  const others = ask('reverse', { ...point, layers, limit }).results.map(dropInRecord) as DropInRecord[];
  return distinct(first ? [first, ...others.slice(1)] : others).filter(({ distanceKm = 0 }) => distanceKm <= maxKm);
}

/** The smallest area that holds a point, no smaller than requested. */
function areaAt(ask: Ask, point: Point, detail: Detail): DropInRecord | undefined {
  const layers = details.slice(details.indexOf(detail)).join(',');
  const [first] = ask('reverse', { ...point, layers }).results;
  return first && dropInRecord(first);
}

function nearest(ask: Ask, point: Point, layers: 'address' | 'street', maxKm: number): DropInRecord | undefined {
  try {
    const [found] = ask('reverse', { ...point, layers, limit: 1 }).results;
    return found && found.distance_km <= maxKm ? dropInRecord(found) : undefined;
  } catch (error) {
    // Without the machines that hold the streets, the place is still an answer.
    if (error instanceof WhereaboutsError && error.code === 'unavailable') return undefined;
    throw error;
  }
}

function suburbOf(
  ask: Ask,
  { lang }: Point,
  entry: { layer: string; id: number } | undefined,
): DropInRecord | undefined {
  if (entry?.layer !== 'suburb') return undefined;
  const { city: _, ...suburb } = dropInRecord({ ...ask('place', { id: entry.id, lang }), type: 'suburb' });
  return suburb;
}
