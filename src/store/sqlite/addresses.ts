/**
 * Address search over the street files. A text is read in every way it may be meant (address-query.ts); each reading
 * is one term query of which every word must be met by the street, its settlement or a postal code. Only when all of
 * that finds nothing are mistakes looked for, then settlements that the addresses do not name.
 */
import { type Reading, readings } from '../../core/address/address-query.ts';
import { StreetMatcher } from '../../core/address/street-match.ts';
import { alike, isGeneric, queryWords, type Word } from '../../core/address/words.ts';
import { distanceKm, type LatLng } from '../../core/geo.ts';
import { cellsAround } from '../../core/geo-cells.ts';
import type { Address, Addresses, AddressQuery } from '../address-contract.ts';
import type { Places } from '../store.ts';
import { asHouse, codeKey, type Found, housesOf, ordinalsPerStreet } from './address-hits.ts';
import { identifierOf } from './identifiers.ts';
import { Mistakes } from './mistakes.ts';
import { postcodeTerms } from './postcode-terms.ts';
import { addressCandidates } from './street-candidates.ts';
import type { AreaRow, Street, StreetFile } from './street-file.ts';

/** Words of a text that are left out one after the other when nothing else helps. */
const mostLeftOut = 6;
/** A settlement that addresses do not name reaches so far. */
const placeReachKm = 12;
/** Two results of one number nearer than this are one house known to two sources. */
const sameHouseKm = 0.05;

type Hit = Found & {
  file: number;
  street: Street;
  name: string;
  words: readonly Word[];
  coverage: number;
  score: number;
};
type Filter = { groups: Word[]; country?: string; city?: Word[]; codes?: Set<string> };
type Query = { readings: Reading[]; filter: Filter };

const matchScore = { exact: 200, interpolated: 100, street: 0 };

export function openAddresses(files: readonly StreetFile[], places: Pick<Places, 'resolve'>): Addresses {
  const matcher = new StreetMatcher();

  /** Hits of all readings of a query; stops at the first reading that a house answers in full. */
  function collect({ readings, filter }: Query): Hit[] {
    const hits: Hit[] = [];
    for (const reading of readings) {
      for (const [file, opened] of files.entries()) {
        for (const street of addressCandidates(opened, reading.words, filter))
          hits.push(...hitsOf(opened, file, street, reading, filter));
      }
      if (hits.some(({ score }) => score >= matchScore.exact + 99)) break;
    }
    return hits;
  }

  /** Whether every word that the best name does not have is another name's, the settlement's or a postal code's. */
  function isExplained(street: Street, area: AreaRow, words: readonly Word[], used: ReadonlySet<number>): boolean {
    return words.every((word, at) => {
      if (used.has(at) || word.some((spelling) => area.terms.includes(spelling))) return true;
      if (street.names.length > 1 && matcher.best(street.names.slice(1), [word])) return true;
      return street.postcodes.some((code) => postcodeTerms(code).some((term) => word.includes(term)));
    });
  }

  function hitsOf(file: StreetFile, number: number, street: Street, reading: Reading, filter: Filter): Hit[] {
    const match = matcher.best(street.names, reading.words);
    if (!match) return [];
    const area = file.area(street.area);
    if (filter.country !== undefined && area.country !== filter.country) return [];
    if (!isExplained(street, area, reading.words, match.used)) return [];
    const inCity = (word: Word) => word.some((spelling) => area.terms.includes(spelling));
    if (filter.city && !filter.city.every(inCity)) return [];
    const codes = filter.codes ?? codesIn(street, reading.words, match.used);
    const score = 100 * match.coverage - (match.name > 0 ? 0.5 : 0);
    return housesOf(file, street, reading.houseNumber, codes).map((found) => ({
      ...found,
      file: number,
      street,
      name: street.names[match.name],
      coverage: match.coverage,
      words: matcher.words(street.names[match.name]),
      // A number that the street does not have was perhaps none.
      score:
        score +
        matchScore[found.matchType] -
        (found.matchType === 'street' && reading.houseNumber !== undefined ? 20 : 0),
    }));
  }

  /** Readings whose words are also what they may be mistyped forms of. */
  function mistyped(query: Query): Query {
    const mistakes = new Mistakes(files);
    return {
      readings: query.readings.map((reading) => ({ ...reading, words: mistakes.of(reading.words) })),
      filter: {
        ...query.filter,
        groups: query.filter.groups.map((group) => (group[0].startsWith('=') ? group : mistakes.ofOne(group))),
        city: query.filter.city?.map((word) => mistakes.ofOne(word)),
      },
    };
  }

  /** Hits where a word or two of the text, or the city asked for, name a place of the gazetteer near by. */
  function aroundPlaces({ readings, filter }: Query, { city, country }: AddressQuery): Hit[] {
    const hits: Hit[] = [];
    const near = (name: string, rest: Reading[], without: Filter) => {
      const place = places.resolve(name, country);
      if (!place) return;
      const groups = [...without.groups, cellsAround(place, placeReachKm)];
      hits.push(...collect({ readings: rest, filter: { ...without, groups } }));
    };
    if (city !== undefined) {
      const { city: _, ...without } = filter;
      near(city, readings, { ...without, groups: filter.groups.filter((group) => !filter.city?.includes(group)) });
      return hits;
    }
    for (const reading of readings.slice(0, 2)) {
      const { words } = reading;
      for (let count = Math.min(2, words.length - 1); count > 0; count--) {
        for (let from = Math.min(mostLeftOut, words.length - count); from >= 0 && hits.length === 0; from--) {
          const name = words.slice(from, from + count).map(([first]) => first);
          const rest = words.toSpliced(from, count);
          near(name.join(' '), [{ ...reading, words: rest }], filter);
        }
      }
    }
    return hits;
  }

  /** Readings less one word, for words that are mistyped beyond recognition or belong to no name. */
  function lessOneWord({ readings, filter }: Query): Hit[] {
    const hits: Hit[] = [];
    for (const reading of readings.slice(0, 2)) {
      for (let at = 0; at < reading.words.length && reading.words.length > 1 && at < mostLeftOut; at++) {
        const words = reading.words.filter((_, other) => other !== at);
        // A street that has no more in common with the text than `Street` is no answer.
        if (words.every(isGeneric)) continue;
        hits.push(...collect({ readings: [{ ...reading, words }], filter }).filter((hit) => hasOwnWord(hit, words)));
      }
    }
    return hits.map((hit) => ({ ...hit, score: hit.score - 10 }));
  }

  function addressOf({
    file,
    street,
    name,
    houseNumber,
    matchType,
    ordinal,
    postalCode,
    lat,
    lng,
    source,
  }: Omit<Hit, 'words' | 'coverage' | 'score'>): Address {
    const { city, admin1, country } = files[file].area(street.area);
    return {
      id: identifierOf(street.id * ordinalsPerStreet + ordinal, file),
      houseNumber,
      street: name,
      city,
      admin1,
      postalCode,
      country,
      lat,
      lng,
      matchType,
      source: files[file].sources[source],
    };
  }

  return {
    search(asked) {
      const query: Query = { readings: readings(asked.text), filter: filterOf(asked) };
      // A city without a letter or digit is no city's name.
      if (query.filter.city?.length === 0) return [];
      let hits = collect(query);
      const isFound = () => hits.some(({ score }) => score >= 50);
      if (!isFound()) hits = [...hits, ...collect(mistyped(query))];
      if (!isFound()) hits = [...hits, ...aroundPlaces(query, asked)];
      if (!isFound()) hits = [...hits, ...lessOneWord(query)];
      return best(hits).slice(0, asked.limit).map(addressOf);
    },

    nearest(from, { maxKm, limit }) {
      const found: { file: number; street: number; house: Found['ordinal']; km: number; hit: () => Address }[] = [];
      for (const [file, opened] of files.entries()) {
        for (const { street, houses } of opened.blocksNear(from, maxKm)) {
          for (const house of houses) {
            const km = distanceKm(from, house);
            if (km > maxKm) continue;
            const hit = () => {
              const row = opened.get(street);
              return addressOf({ ...asHouse(row, house), file, street: row, name: row.names[0] });
            };
            found.push({ file, street, house: house.ordinal, km, hit });
          }
        }
      }
      found.sort((a, b) => a.km - b.km || a.file - b.file || a.street - b.street || a.house - b.house);
      return found.slice(0, limit).map(({ km, hit }) => ({ ...hit(), distanceKm: km }));
    },
  };
}

/** Whether a hit's name is half met at least, with a word that is not generic among what is met. */
function hasOwnWord(hit: Hit, query: readonly Word[]): boolean {
  return hit.coverage >= 0.5 && hit.words.some((word) => !isGeneric(word) && query.some((other) => alike(word, other)));
}

function filterOf({ country, city, postalCode }: AddressQuery): Filter {
  const groups: Word[] = [];
  const cityWords = city === undefined ? undefined : queryWords(city);
  if (cityWords) groups.push(...cityWords);
  if (postalCode === undefined) return { groups, country, city: cityWords };
  const key = codeKey(postalCode);
  // ZIP+4: addresses mostly bear the five digits only.
  const codes = new Set(/^\d{9}$/.test(key) ? [key, key.slice(0, 5)] : [key]);
  groups.push([...codes].map((code) => `=p${code}`));
  return { groups, country, city: cityWords, codes };
}

/** Postal codes of a street that words of the query name. */
function codesIn(street: Street, words: readonly Word[], used: ReadonlySet<number>): Set<string> | undefined {
  if (street.postcodes.length < 2) return undefined;
  const rest = words.filter((_, at) => !used.has(at)).map(([word]) => word);
  if (rest.length === 0) return undefined;
  const joined = rest.join('');
  const named = street.postcodes
    .map(codeKey)
    .filter((code) => rest.includes(code) || (code.length > 4 && joined.includes(code)));
  return named.length > 0 ? new Set(named) : undefined;
}

/** The hits of the best kind, best first, each house once. */
function best(hits: Hit[]): Hit[] {
  if (hits.length === 0) return hits;
  hits.sort((a, b) => b.score - a.score || a.street.id - b.street.id || a.file - b.file || a.ordinal - b.ordinal);
  const top = hits[0];
  const kept: Hit[] = [];
  for (const hit of hits) {
    // Houses before streets: when the house is there, streets without it are no answer, nor names only half met.
    if (hit.matchType !== top.matchType || hit.score < top.score - 60) continue;
    if (!kept.some((other) => isSame(other, hit))) kept.push(hit);
  }
  return kept;
}

function isSame(left: Hit, right: Hit): boolean {
  if (left.file === right.file && left.street.id === right.street.id) return left.ordinal === right.ordinal;
  const isNear = distanceKm(left as LatLng, right as LatLng) <= sameHouseKm;
  return (
    isNear && left.words.length === right.words.length && left.words.every((word, at) => alike(word, right.words[at]))
  );
}
