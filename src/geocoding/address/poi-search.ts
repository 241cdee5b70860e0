/** Points of interest around a position. */
import { distanceKm, isNear, isWithin, type LatLng } from '../../core/geo.ts';
import type { Poi, Pois } from '../../store/address-contract.ts';
import { fileOf, identifierOfPoi, recordOf } from '../../store/identifiers.ts';
import { type Clause, mayBegin, type PoiPart, settle } from '../../store/street-parts.ts';
import { cuisinesOf } from '../../text/word-lists.ts';
import { queryWords, type Word } from '../../text/words.ts';
import { isSpent, prices, streetsAlone } from '../search-limits.ts';
import { clausesOfBox } from './candidates.ts';
import { Corrections, mayBeginOrMistype } from './corrections.ts';
import { distinct, samePointKm } from './distinct.ts';
import { circleGrowth } from './houses.ts';

/** Radius of the first circle that is searched; larger ones follow until enough is found. */
const firstCircleKm = 0.5;

/** Maximum number of points of a name per part that are compared with a filter, and of those that are read. */
const maxNamed = 2_000;
const maxNamedShown = 200;
/** Maximum distance between the records of one unnamed point in two sources. */
const sameUnnamedKm = 0.005;

/**
 * Maximum number of points that are read of a circle, for each that is wanted and at least, and how many times that number are
 * read in all. A metropolis has 250,000, which take half a second.
 */
const readPerWanted = 4;
const maxReadAtOnce = 10_000;
const readings = 3;

type Point = LatLng & { id: number; part: number; km: number };

const inOrder = (points: Point[]) => points.sort((a, b) => a.km - b.km || a.id - b.id || a.part - b.part);

/** Whether points of two parts are one; of unnamed ones, many of a category may be close together. */
const isSame = <T extends LatLng & Pick<Poi, 'id' | 'category' | 'name'>>(one: T, other: T) =>
  fileOf(one.id) !== fileOf(other.id) &&
  one.category === other.category &&
  one.name === other.name &&
  isNear(one, other, one.name === null ? sameUnnamedKm : samePointKm);

export function searchablePois(parts: readonly PoiPart[]): Pois {
  return {
    mayBegin: (words) => mayBegin(parts, words),
    byId(id) {
      const found = recordOf(id);
      const part = parts.find(({ number }) => number === found?.file);
      const poi = found?.record.kind === 'poi' ? part?.poi(found.record.poi) : undefined;
      return poi && { id, ...poi };
    },
    idOfObject(object) {
      return parts.flatMap((part) => part.withObject(object).map((id) => identifierOfPoi(id, part.number))).at(0);
    },
    have(names, budget = streetsAlone()) {
      const found = names.map((name) => {
        const words = queryWords(name);
        if (words.length === 0 || isSpent(budget)) return false;
        budget.left -= prices.question;
        return parts.some((part) => part.mayMatch(words) ?? part.named(words, 1).length > 0);
      });
      settle(parts);
      return found;
    },
    named(name, { admits = () => true, fuzzy, isPrefix, budget = streetsAlone() }) {
      const words = queryWords(name);
      if (words.length === 0) return [];
      const corrections = new Corrections(parts, budget);
      const alike = (pois: ReturnType<typeof search>) =>
        pois.filter((poi) => mayBeginOrMistype(name, [poi.name, ...poi.otherNames]));
      const may = !isPrefix || mayBegin(parts, words);
      const completed = isPrefix && may ? corrections.completed(words, name) : undefined;
      settle(parts);
      const found = completed ? alike(search(completed)) : may ? search(words) : [];
      if (found.length > 0 || !fuzzy) return found;
      const corrected = corrections.of(words, name);
      settle(parts);
      return alike(search(corrected));

      function search(clauses: readonly Word[]) {
        if (isSpent(budget)) return [];
        budget.left -= prices.question;
        const found = parts.flatMap((part) =>
          part
            .named(clauses, maxNamed)
            .filter(admits)
            .slice(0, maxNamedShown)
            .flatMap(({ id }) => {
              const poi = part.poi(id);
              return poi?.name ? [{ ...poi, name: poi.name, id: identifierOfPoi(id, part.number) }] : [];
            }),
        );
        settle(parts);
        return distinct(found, Number.POSITIVE_INFINITY, isSame);
      }
    },
    nearest(from, { radiusKm, category, name, cuisine, bbox, limit }) {
      const words = name === undefined ? [] : queryWords(name);
      const cuisines = cuisine === undefined ? [] : cuisinesOf(cuisine);
      if (name !== undefined && words.length === 0) return [];
      if (cuisine !== undefined && cuisines.length === 0) return [];
      const found = search(words);
      return found.length > 0 || name === undefined ? found : search(new Corrections(parts).of(words, name));

      /**
       * The nearest points whose names have a word of each of these. Where a circle has more than are read at once, a smaller one
       * follows, until so many were read that the nearest of those must do.
       */
      function search(named: readonly Word[]) {
        const clauses: readonly Clause[] = [
          ...named,
          ...(cuisines.length > 0 ? [{ cuisines }] : []),
          ...clausesOfBox(bbox),
        ];
        const most = Math.max(maxReadAtOnce, readPerWanted * limit);
        let [inner, innerKm, growth, left]: [Point[], number, number, number] = [[], 0, circleGrowth, readings * most];
        for (let km = Math.min(firstCircleKm, radiusKm); ; ) {
          const { found, count } = within(km, clauses, most);
          left -= count;
          const isLast = km === radiusKm || left <= 0;
          if (count === most && !isLast) {
            growth = Math.sqrt(growth);
            km = innerKm === 0 ? km / growth : innerKm * growth;
            continue;
          }
          const all = count < most ? found : inOrder([...inner, ...found.filter((point) => point.km > innerKm)]);
          const points = all.length >= limit || isLast ? distinct(all, limit, isSameRecord) : [];
          if (points.length === limit || isLast) return points.map(poiOf);
          [inner, innerKm, km] = [found, km, Math.min(radiusKm, growth * km)];
        }
      }

      /** The points of a circle, the nearest first, and how many were read: at most so many. */
      function within(km: number, clauses: readonly Clause[], most: number) {
        const all = [...(category ? [{ category }] : []), { around: [from], km }, ...clauses];
        const wanted = bbox ? undefined : limit;
        let left = most;
        const found = parts.flatMap((opened, part) => {
          // A category alone has an index of its own.
          const isCategory = category && clauses.length === 0;
          const points = isCategory
            ? opened.ofCategory(category, from, km, wanted, left)
            : opened.matching(all, wanted, left);
          left = Math.max(0, left - points.length);
          return points.flatMap(({ id, lat, lng }) => {
            const distance = distanceKm(from, { lat, lng });
            return distance <= km && (!bbox || isWithin(lat, lng, bbox)) ? [{ id, part, km: distance, lat, lng }] : [];
          });
        });
        settle(parts);
        return { found: inOrder(found), count: most - left };
      }

      function isSameRecord(one: Point, other: Point): boolean {
        return one.part !== other.part && isNear(one, other, samePointKm) && isSame(poiOf(one), poiOf(other));
      }

      function poiOf({ id, part, km, lat, lng }: Point) {
        return { ...parts[part].poi(id)!, id: identifierOfPoi(id, parts[part].number), lat, lng, distanceKm: km };
      }
    },
  };
}
