/**
 * Keeps parts of an extract while it is read, so that changes can be applied later without reading it again. A reader
 * reports everything in the order of the file, and features with their settlement.
 */
import type { Settlement } from '../../core/street-records.ts';
import type { LocatedArea } from './area-relations.ts';
import type { ObjectType, OsmFeature } from './feature.ts';
import type { Boundary } from './settlements.ts';

export type ExtractKeeper = {
  /** A position in units of 1e-7 degrees. */
  node(id: number, lat: number, lng: number): void;
  /** `isUsed`: whether records or boundaries depend on its nodes. */
  way(id: number, refs: Float64Array, isUsed: boolean): void;
  area(area: LocatedArea, boundary: Boundary | undefined): void;
  /** A house of a street relation. */
  member(key: number, relation: number, street: string): void;
  /** Number of addresses by city. */
  city(name: string, addresses: number): void;
  feature(feature: OsmFeature, around: Settlement): void;
  /** The city that the piece of a street belongs to. */
  piece(key: number, name: string, city: string | undefined): void;
};

const typeNumbers = { n: 0, w: 1, r: 2 };
const idsOfType = 2 ** 48;

/** One number for an object; keys are in the order of a sorted file. */
export const objectKey = (type: ObjectType, id: number): number => typeNumbers[type] * idsOfType + id;

/** The key of an object as records name it: `w123`. */
export const keyOfSourceId = (sourceId: string): number =>
  objectKey(sourceId[0] as ObjectType, Number(sourceId.slice(1)));

/** Type and id of a key. */
export const objectOfKey = (key: number): { type: ObjectType; id: number } => ({
  type: (['n', 'w', 'r'] as const)[Math.floor(key / idsOfType)],
  id: key % idsOfType,
});
