/** Street search: by name, and by name around a position. */

import { isWithin } from '../../core/geo.ts';
import type { Budget, StreetQuery as Query, Street as StreetAnswer, Streets } from '../../store/address-contract.ts';
import { identifierOf, recordOf, wholeStreet } from '../../store/identifiers.ts';
import { placeTypes } from '../../store/store.ts';
import { type Clause, mayBegin, type Street, type StreetPart, settle } from '../../store/street-parts.ts';
import { fold } from '../../text/fold.ts';
import { plainWords, queryWords, type Word } from '../../text/words.ts';
import { isSpent, prices, streetsAlone } from '../search-limits.ts';
import {
  type Candidate,
  clausesOfBox,
  fewCandidates,
  mostProminent,
  namedCandidates,
  streetCandidates,
} from './candidates.ts';
import { Corrections, mayBeginOrMistype } from './corrections.ts';
import { distinctStreets } from './distinct.ts';
import { byProminence } from './score.ts';
import { bestName } from './street-match.ts';

/** When a circle has this many streets of a name, growing circles are searched until enough is found. */
const manyInCircle = 100;
const firstCircleKm = 1;
/** Shorter beginnings are of too many words to look them up. */
const minPrefixLetters = 3;
const letterEnd = /[\p{L}\p{N}]\s*$/u;
/** Maximum number of streets examined per circle; a name never has that many in such a circle. */
const maxInCircle = 2000;
/** The same for a name, where no position is given. */
const maxNamedStreets = 300;

type Admits = (names: readonly string[], city: string | null) => boolean;
type Hit = { street: Street; part: number; prominence: number; km: number | null; coverage: number };

export function searchableStreets(parts: readonly StreetPart[]): Streets {
  /** Those of a text, which is cut in many ways for one budget; not where a look-up may be answered when it is asked again. */
  const ofBudget = new WeakMap<Budget, Corrections>();
  const areAtOnce = parts.every(({ settle }) => settle === undefined);
  const correctionsFor = (budget: Budget) =>
    areAtOnce
      ? ofBudget.getOrInsertComputed(budget, () => new Corrections(parts, budget))
      : new Corrections(parts, budget);

  /** Streets with all words, of those only the ones that `admits` by their names and city, in a city with all of its words. */
  function find(
    words: readonly Word[],
    cityWords: readonly Word[],
    query: Required<Pick<Query, 'budget'>> & Query,
    admits: Admits = () => true,
  ): Hit[] {
    const { near, radiusKm, country, bbox, limit, budget } = query;
    const hitOf = hitFinder(words, cityWords, query, admits);
    if (near === undefined) {
      const within = { groups: [...cityWords, ...clausesOfBox(bbox)], country, budget };
      const candidates = streetCandidates(parts, words, within, maxNamedStreets, 0);
      budget.left -= candidates.length * prices.street;
      return candidates.flatMap(({ part, id }) => hitOf(part, parts[part].street(id), null));
    }
    const groups = (km: number): Clause[] => [...cityWords, { around: [near], km }, ...clausesOfBox(bbox)];
    const read = parts.map(() => new Map<number, ReturnType<StreetPart['streetFrom']>>());
    const fromNear = ({ part, id }: Candidate) =>
      read[part].getOrInsertComputed(id, () => {
        budget.left -= prices.streetFrom;
        return parts[part].streetFrom(id, near);
      });
    const hitsWithin = (km: number, candidates: readonly Candidate[]) =>
      candidates.flatMap((candidate) => {
        if (isSpent(budget)) return [];
        const { street, km: distance } = fromNear(candidate);
        return distance > km ? [] : hitOf(candidate.part, street, distance);
      });
    const few = fewCandidates(parts, words, { groups: groups(radiusKm), country, budget }, manyInCircle);
    if (few) return hitsWithin(radiusKm, few);
    for (let km = Math.min(firstCircleKm, radiusKm); ; km = Math.min(radiusKm, 2 * km)) {
      const hits = hitsWithin(km, mostProminent(parts, [...words, ...groups(km)], maxInCircle, budget));
      settle(parts);
      if (km === radiusKm || isSpent(budget) || distinctStreets(parts, hits, limit).length === limit) return hits;
    }
  }

  /** Returns a street as a hit if one of its names has all words and it lies in the requested city and country. */
  function hitFinder(
    words: readonly Word[],
    cityWords: readonly Word[],
    { country, bbox, withVillages }: Pick<Query, 'country' | 'bbox' | 'withVillages'>,
    admits: Admits = () => true,
  ) {
    return (part: number, street: Street, km: number | null): Hit[] => {
      const isWanted = street.isMapped || (withVillages && isVillage(street));
      const match = !isWanted ? undefined : words.length === 0 ? beginsOnly : bestName(street.names, words);
      if (!match || match.used.size < words.length) return [];
      if (bbox && !isWithin(street.lat, street.lng, bbox)) return [];
      const area = parts[part].area(street.area);
      if ((country !== undefined && area.country !== country) || !admits(street.names, area.city)) return [];
      if (!cityWords.every((word) => word.some((spelling) => area.terms.includes(spelling)))) return [];
      return [{ street, part, prominence: parts[part].prominence(street.id), km, coverage: match.coverage }];
    };
  }

  function answerOf({ street, part, km }: Pick<Hit, 'street' | 'part' | 'km'>): StreetAnswer {
    const { id, names, highway, lat, lng, source, objects } = street;
    const { terms: _, ...area } = parts[part].area(street.area);
    return {
      id: identifierOf(id, wholeStreet, parts[part].number),
      name: names[0],
      highwayType: highway,
      ...area,
      lat,
      lng,
      distanceKm: km,
      source: parts[part].sources[source],
      object: objects[0] ?? null,
    };
  }

  return {
    mayBegin: (words) => mayBegin(parts, words),
    villages(text, within) {
      const { budget = streetsAlone() } = within;
      const words = queryWords(text);
      const halves = words.map((_, at) => [words.slice(at), words.slice(0, at)]);
      const readings = [...halves, ...halves.slice(1).map(([name, around]) => [around, name])];
      const named = readings.flatMap(([name, around]) => {
        const hitOf = hitFinder(name, around, { ...within, withVillages: true });
        const found = namedCandidates(parts, name, { groups: around, country: within.country, budget });
        return found.flatMap(({ part, id }) => hitOf(part, parts[part].street(id), null));
      });
      return named.filter(({ street }) => isVillage(street)).map(answerOf);
    },
    byId(id) {
      const found = recordOf(id);
      const part = parts.findIndex(({ number }) => number === found?.file);
      if (found?.record.kind !== 'street' || !parts[part]?.hasStreet(found.record.street)) return undefined;
      const street = parts[part].street(found.record.street);
      const { distanceKm: _, ...answer } = answerOf({ street, part, km: null });
      return { ...answer, otherNames: street.names.slice(1), postalCodes: street.postcodes };
    },
    nearest(from, { maxKm, limit }) {
      const within = (opened: StreetPart, part: number) =>
        opened.matching([{ around: [from], km: maxKm }], maxInCircle).flatMap((id): Hit[] => {
          const { street, km } = opened.streetFrom(id, from);
          if (!street.isMapped || km > maxKm) return [];
          return [{ street, part, prominence: opened.prominence(id), km, coverage: 1 }];
        });
      return distinctStreets(parts, inOrder(parts.flatMap(within)), limit).map(answerOf);
    },
    search(asked) {
      const query = { ...asked, budget: asked.budget ?? streetsAlone() };
      const words = queryWords(query.text);
      const typedCity = queryWords(query.city ?? '');
      // A city without a letter or digit is not a city's name.
      if (words.length === 0 || (query.city !== undefined && typedCity.length === 0)) return [];
      const corrections = correctionsFor(query.budget);
      const city = (query.isCityOpen && corrections.completed(typedCity, query.city!, true)) || typedCity;
      const alike = (found: Hit[]) =>
        inOrder(found.filter(({ street }) => mayBeginOrMistype(query.text, street.names)));
      const isPlaced = query.near !== undefined || query.city !== undefined;
      const others = words.slice(0, -1);
      const [last] = words[others.length];
      const hits = inOrder(find(words, city, query));
      // Of a letter or two no word is looked up: what a street's own town begins with is seen there.
      const [[start = ''] = []] = typedCity;
      if (hits.length === 0 && query.isCityOpen && typedCity.length === 1 && start.length < minPrefixLetters)
        hits.push(...inOrder(find(words, [], query, (_, town) => town !== null && fold(town).startsWith(start))));
      settle(parts);
      const known = new Set(hits.map(keyOf));
      const isNew = (hit: Hit) => !known.has(keyOf(hit));
      // Around a position, the names of the streets themselves say what a letter or two begin: `Rua d` also `Rua das Picoas`.
      const isBeginning =
        last.length < minPrefixLetters && letterEnd.test(query.text) && !(hits.length > 0 && /^\d/.test(last));
      const begins = (name: string) => plainWords(name).some((word) => word.startsWith(last));
      const beginning = (admits: Admits) => find(others, city, query, admits).filter(isNew);
      if (query.near && isBeginning) {
        hits.push(...beginning((names) => names.some(begins)));
        return distinctStreets(parts, inOrder(hits), query.limit).map(answerOf);
      }
      // Near a position, exact names suffice; otherwise streets that the text is a prefix of fill up the list.
      if (hits.length === 0 || (query.near === undefined && hits.length < query.limit)) {
        const completed = mayBegin(parts, words)
          ? corrections.completed(words, query.text, others.length > 0 || isPlaced)
          : undefined;
        settle(parts);
        if (completed) hits.push(...alike(find(completed, city, query)).filter(isNew));
      }
      settle(parts);
      if (hits.length === 0 && others.length > 0 && isBeginning)
        hits.push(...inOrder(beginning((names) => names.some(begins))));
      if (hits.length === 0 && query.fuzzy !== false) {
        const corrected = corrections.of(words, query.text);
        settle(parts);
        hits.push(...alike(find(corrected, city, query)));
      }
      return distinctStreets(parts, hits, query.limit).map(answerOf);
    },
  };
}

/** Of a letter or two near a position, which no word precedes. */
const beginsOnly = { coverage: 0, used: new Set<number>() };

const isVillage = ({ highway }: Street) => placeTypes.some((type) => type === highway);
const keyOf = ({ street, part }: Hit) => `${part} ${street.id}`;

/** The nearest first, else the best match first, then the most prominent. */
function inOrder(hits: Hit[]): Hit[] {
  return hits.sort((a, b) => (a.km === null ? b.coverage - a.coverage : a.km - b.km!) || byProminence(a, b));
}
