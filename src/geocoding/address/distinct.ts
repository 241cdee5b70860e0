/** Duplicates: the same house, street or point of interest of two sources or of overlapping extracts. */

import { isNear } from '../../core/geo.ts';
import type { Street, StreetArea, StreetPart } from '../../store/street-parts.ts';
import { fold } from '../../text/fold.ts';
import { areSameWords } from '../../text/words.ts';
import { wordsOf } from './street-match.ts';

/** Maximum distance between the records of one house or point in two sources. */
export const samePointKm = 0.05;
/** Maximum distance between the midpoints of one street, of which a source may have only a part. */
const sameStreetKm = 3;

/** At most `limit` records, the first ones; of duplicates the better one, else the first. */
export function distinct<T>(
  records: readonly T[],
  limit: number,
  isSame: (one: T, other: T) => boolean,
  isBetter: (one: T, other: T) => boolean = () => false,
): T[] {
  const kept: T[] = [];
  for (const record of records) {
    const at = kept.findIndex((other) => isSame(other, record));
    if (at >= 0 && isBetter(record, kept[at])) kept[at] = record;
    else if (at < 0 && kept.push(record) > limit) return kept.slice(0, limit);
  }
  return kept;
}

/** The same of streets, which have no duplicates within a part; one of a map is better than one that is only of addresses. */
export function distinctStreets<T extends { part: number; street: Street }>(
  parts: readonly StreetPart[],
  streets: readonly T[],
  limit: number,
): T[] {
  const areaOf = ({ part, street }: T) => parts[part].area(street.area);
  const isSame = (one: T, other: T) =>
    one.part !== other.part &&
    isNear(one.street, other.street, sameStreetKm) &&
    isSameName(one.street.names[0], other.street.names[0]) &&
    isSameCity(areaOf(one), areaOf(other));
  const isBetter = (one: T, other: T) => one.street.highway !== null && other.street.highway === null;
  return distinct(streets, limit, isSame, isBetter);
}

export const isSameName = (one: string, other: string): boolean =>
  one === other || areSameWords(wordsOf(one), wordsOf(other));

const isSameCity = (one: StreetArea, other: StreetArea) =>
  one.country === other.country && fold(one.city ?? '') === fold(other.city ?? '');
