/**
 * Address search over the street parts. A text is read in every way it may be meant (address-query.ts); each reading
 * is one term query of which every word must be met by the street, its settlement or a postal code. Only when all of
 * that finds nothing are mistakes looked for, and then what is left when a part of the text is not looked at.
 */

import { distanceKm } from '../../core/geo.ts';
import type { Address, Addresses, AddressQuery, AddressStep } from '../../store/address-contract.ts';
import { together } from '../../store/deferred.ts';
import { identifierOf, recordOf } from '../../store/identifiers.ts';
import type { StreetPart } from '../../store/street-parts.ts';
import { codeKey } from '../../text/postcode-words.ts';
import { queryWords } from '../../text/words.ts';
import { clausesOfBox } from './candidates.ts';
import { isStreetTypeOrDirection } from './corrections.ts';
import { crossings } from './crossings.ts';
import {
  dropToken,
  type Gazetteer,
  rememberedPlaces,
  searchNearPlaces,
  streetNearNumber,
  stripCountry,
} from './fallbacks.ts';
import { AddressFinder, type Filter, type Hit, inBox, type Query } from './finder.ts';
import { addressWithOrdinal, asHouse } from './houses.ts';
import { interpret } from './interpret.ts';
import { bestHits } from './order.ts';

/** The hits of one step. */
type Step = { step: AddressStep; hits: Hit[] };

/** Texts of more words have no room for words of three letters that might be anything. */
const maxWords = 8;
/** From this score on a street is found, with or without the house; below, only a part of its name is met. */
const foundScore = 50;

export function searchableAddresses(parts: readonly StreetPart[], gazetteer: Gazetteer): Addresses {
  const finder = new AddressFinder(parts);

  /** Hits of the first of these ways, each a step farther from what was asked, in which something is found. */
  function find(query: Query, asked: AddressQuery): Step {
    const hits = finder.collect(query);
    const isFound = () => hits.some(({ score }) => score >= foundScore);
    if (isFound()) return { step: 'as_written', hits };
    const places = rememberedPlaces(gazetteer);
    const countryScope = stripCountry(query, places);
    const both = countryScope ? [countryScope.query, query] : [query];
    const ways: [AddressStep, (query: Query) => Hit[]][] = [
      ['crossing', (one) => crossings(finder, one)],
      ['in_country', (one) => (one === query ? [] : finder.collect(one))],
      ['corrected', (one) => finder.collect(finder.mistyped(one)).filter(isNamed)],
      ['name_beside_number', (one) => streetNearNumber(finder, one, places, one === query ? countryScope : undefined)],
      // Three letters are near very much: only what is there whole, with its house.
      ['corrected_short_words', (one) => (isShort(one) ? finder.collect(finder.mistyped(one, 3)).filter(isWhole) : [])],
      ['near_place', (one) => searchNearPlaces(finder, one, asked, places)],
      ['one_word_less', (one) => dropToken(finder, one)],
    ];
    let last: AddressStep = 'as_written';
    for (const [step, way] of ways) {
      for (const one of both) {
        const found = way(one);
        if (found.length > 0) last = step;
        hits.push(...found);
        if (isFound()) return { step, hits };
      }
    }
    return { step: last, hits };
  }

  /** Hits where the city is read as a part of the text: `Dublin 12`, `69117 Heidelberg`, `Milano (MI)`. */
  function findWithCity(city: string, asked: AddressQuery): Hit[] {
    const whole = { ...asked, text: `${city}, ${asked.text}`, city: undefined };
    const query = { text: whole.text, interpretations: interpret(whole.text), filter: filterOf(whole) };
    const named = queryWords(city.replace(/\(.*?\)/g, ' ')).filter(([word]) => /^\p{L}{3}/u.test(word));
    return find(query, whole).hits.filter(({ part, street }) => {
      const { terms } = parts[part].area(street.area);
      return named.length > 0 && named.every((word) => word.some((spelling) => terms.includes(spelling)));
    });
  }

  function inhabitantsOf({ part, street }: Hit): number {
    const { city, admin1, country } = parts[part].area(street.area);
    if (city === null) return 0;
    const place = gazetteer.resolve(admin1 === null ? city : `${city}, ${admin1}`, country);
    return place?.population ?? 0;
  }

  function addressOf({
    part,
    street,
    name,
    houseNumber,
    matchType,
    ordinal,
    postalCode,
    lat,
    lng,
    source,
  }: Omit<Hit, 'words' | 'matched' | 'isBesideNumber' | 'coverage' | 'parts' | 'score'>): Address {
    const { city, admin1, country } = parts[part].area(street.area);
    return {
      id: identifierOf(street.id, ordinal, parts[part].number),
      houseNumber,
      street: name,
      city,
      admin1,
      postalCode,
      country,
      lat,
      lng,
      matchType,
      source: parts[part].sources[source],
    };
  }

  return {
    search(asked, explained) {
      finder.begin();
      const query = { text: asked.text, interpretations: interpret(asked.text), filter: filterOf(asked) };
      // A city without a letter or digit is not a city's name.
      if (query.filter.city?.length === 0) return [];
      let { step, hits } = find(query, asked);
      if (hits.length === 0 && asked.city !== undefined)
        [step, hits] = ['city_as_text', findWithCity(asked.city, asked)];
      const best = bestHits(inBox(hits, query.filter), inhabitantsOf).slice(0, asked.limit);
      explained?.({
        interpretations: query.interpretations.map(({ houseNumber, words }) => ({
          houseNumber: houseNumber ?? null,
          words: words.map(([word]) => word),
        })),
        step: best.length > 0 ? step : null,
        candidates: finder.judged,
        answers: best.map(({ name, parts, score }) => ({ name, contributions: { ...parts }, score })),
      });
      return best.map(addressOf);
    },

    byId(id) {
      const found = recordOf(id);
      const part = parts.findIndex(({ number }) => number === found?.file);
      if (!found || part < 0 || found.record.kind === 'poi' || !parts[part].hasStreet(found.record.street))
        return undefined;
      const street = parts[part].street(found.record.street);
      const address = addressWithOrdinal(parts[part], street, found.record);
      return address && addressOf({ ...address, part, street, name: street.names[0] });
    },

    nearest(from, { maxKm, limit }) {
      const found = together(parts, (opened, part) =>
        opened.housesNear(from, maxKm).flatMap(({ street, houses }) =>
          houses.flatMap((house) => {
            const km = house.otherNumber === undefined ? distanceKm(from, house) : Number.POSITIVE_INFINITY;
            return km > maxKm ? [] : [{ part, street, house, km }];
          }),
        ),
      ).flat();
      found.sort((a, b) => a.km - b.km || a.part - b.part || a.street - b.street || a.house.ordinal - b.house.ordinal);
      return together(found.slice(0, limit), ({ part, street, house, km }) => {
        const row = parts[part].street(street);
        return { ...addressOf({ ...asHouse(row, house), part, street: row, name: row.names[0] }), distanceKm: km };
      });
    },
  };
}

const isShort = ({ interpretations }: Query) => interpretations.every(({ words }) => words.length <= maxWords);
/** Whether a hit's name is met in full, or has a word that is not a kind of street: `Main Stret` does not stand for every `… Street`. */
const isNamed = ({ coverage, matched, isBesideNumber }: Hit) =>
  isBesideNumber && (coverage === 1 || matched.some((word) => !isStreetTypeOrDirection(word[0])));
const isWhole = ({ coverage, matchType }: Hit) => coverage === 1 && matchType === 'exact';

function filterOf({ country, city, postalCode, bbox }: AddressQuery): Filter {
  const groups = clausesOfBox(bbox);
  const cityWords = city === undefined ? undefined : queryWords(city);
  if (cityWords) groups.push(...cityWords);
  if (postalCode === undefined) return { groups, country, city: cityWords, bbox };
  const key = codeKey(postalCode);
  // ZIP+4: addresses mostly bear the five digits only.
  const codes = new Set(/^\d{9}$/.test(key) ? [key, key.slice(0, 5)] : [key]);
  groups.push({ postalCodes: [...codes] });
  return { groups, country, city: cityWords, codes, bbox };
}
