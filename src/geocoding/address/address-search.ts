/**
 * Address search over the street parts. A text has several interpretations (interpret.ts). Each is one term query, all
 * of whose words must match the street, its settlement or a postal code. Only when none matches are typing mistakes
 * corrected, and after that parts of the text are left out.
 */

import type { Address, Addresses, AddressQuery, AddressStep } from '../../store/address-contract.ts';
import { identifierOf, recordOf, wholeStreet } from '../../store/identifiers.ts';
import type { CityNames } from '../../store/store.ts';
import { type StreetPart, settle } from '../../store/street-parts.ts';
import { codeKey, queryWords } from '../../text/words.ts';
import { isSpent, partOf, prices, shareOfNames, streetsAlone } from '../search-limits.ts';
import weights from '../weights.json' with { type: 'json' };
import { clausesOfBox } from './candidates.ts';
import { Teller } from './components.ts';
import { type CorrectionOptions, isStreetTypeOrDirection, mayBeginOrMistype } from './corrections.ts';
import { crossings } from './crossings.ts';
import { AddressFinder, type Filter, inBox, penalised, type Query } from './finder.ts';
import { addressWithOrdinal, asHouse, type Found, nearestHouses } from './houses.ts';
import { interpretation, readAddress, readFields, type Token } from './interpret.ts';
import { mendedWords } from './mended-text.ts';
import { cachedPlaces, dropToken, placeReadings, streetNearNumber, withoutLightWords } from './readings.ts';
import { bestHits, type Hit } from './score.ts';
import { areInOnePlace, reachKm } from './support.ts';

/** The hits of one step. */
type Step = { step: AddressStep; hits: Hit[] };

/** Edits of shorter words are words of many other names. */
const minLongLetters = 6;

/** The steps that may find the house where a street without it is found as written. */
const stepsWithStreet: ReadonlySet<AddressStep> = new Set(['crossing', 'name_beside_number']);

export function searchableAddresses(parts: readonly StreetPart[], gazetteer: CityNames): Addresses {
  /** Hits of the first step that finds something; each step is less strict than the one before. */
  function find(finder: AddressFinder, places: CityNames, query: Query, addressQuery: AddressQuery): Step {
    const hits = finder.collect(query);
    settle(parts);
    if (isHouseFound(query, hits)) return { step: 'as_written', hits };
    // A street that lacks the number may have a namesake in the next municipality that has it, but is not corrected.
    const isStreetFound = hits.some(isFound);
    const hasUnknownWord = !finder.knowsAll(query);
    settle(parts);
    let known: readonly Query[] | undefined;
    const near = () => (known ??= placeReadings(query, addressQuery.city && withoutCode(addressQuery.city), places));
    /** The hits that the text does not rule out. A house that something in the text speaks against is no exact match. */
    const admitted = (hits: readonly Hit[], { around }: Query, isCorrected = false) =>
      hits.flatMap((hit) => {
        if (isSpent(finder.budget)) return [];
        finder.budget.left -= query.text.length * prices.comparedLetter;
        const verdict = new Teller(finder, places, hit).verdict(query, around);
        if (verdict === 'impossible') return [];
        if (verdict === 'holds' || isCorrected) return [hit];
        // The street in the town that is named is rather meant than a house elsewhere.
        if (isStreetFound) return [];
        // A requested city is a filter: what speaks against the house excludes it.
        return addressQuery.city === undefined ? [contradicted(hit)] : [];
      });
    const corrected = (reading: Query, options: CorrectionOptions) => {
      const found = finder.collect(finder.withCorrections(reading, options));
      return admitted(found, reading, reading === query).filter(
        (hit) =>
          mayBeginOrMistype(query.text, hit.street.names) &&
          (isNamedInFull(hit) || isLongHouse(hit) || new Teller(finder, places, hit).isSure(reading)),
      );
    };
    /** The readings near places are only made where the text as a whole finds nothing. */
    function* all(): Generator<Query> {
      yield query;
      yield* near();
    }
    /** As it is written it was found, or not, if it has no other words than names. */
    function* unknown(): Generator<Query> {
      yield* hasUnknownWord ? all() : near();
      yield* withoutLightWords(query);
    }
    const steps: [AddressStep, () => Iterable<Query>, (reading: Query) => Hit[]][] = [
      ['crossing', () => [query], (one) => crossings(finder, one, true)],
      ['crossing', () => [query], (one) => admitted(crossings(finder, one, false), one)],
      ['mended', () => mended(finder, query), (one) => finder.collect(one)],
      ['corrected', unknown, (one) => corrected(one, { unknownOnly: true })],
      ['name_beside_number', all, (one) => finder.collect(streetNearNumber(one), (found) => admitted(found, one))],
      // Words of three letters are close to many others, so only full names with an exact house number are accepted.
      ['corrected_short_words', all, (one) => corrected(one, { letters: 3 }).filter(isWhole)],
      ['one_word_less', () => [query], (one) => dropToken(finder, one, (found) => admitted(found, one))],
      ['contradicted', () => (addressQuery.admitsContradiction ? near() : []), (one) => elsewhere(finder, one)],
    ];
    let last: AddressStep = 'as_written';
    for (const [step, readings, search] of isStreetFound
      ? steps.filter(([step]) => stepsWithStreet.has(step))
      : steps) {
      for (const reading of readings()) {
        const found = search(reading);
        if (reading === query) settle(parts);
        if (found.length > 0) last = step;
        hits.push(...found);
        if (isHouseFound(query, hits)) break;
      }
      if (isStreetFound ? isHouseFound(query, hits) : hits.some(isFound)) break;
    }
    return { step: last, hits };
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
    ordinal,
    ...found
  }: Found & Pick<Hit, 'part' | 'street' | 'name'>): Address {
    const { houseNumber, matchType, postalCode, lat, lng, source, object } = found;
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
      // A crossing is neither of its streets.
      object: matchType === 'intersection' || object === undefined ? null : object,
    };
  }

  return {
    search(addressQuery, explained) {
      const query = queryOf(addressQuery);
      const { budget } = query.filter;
      const finder = new AddressFinder(parts, budget);
      // A city without a letter or digit is not a city's name.
      if (query.filter.city?.length === 0) return [];
      const places = cachedPlaces(gazetteer, partOf(budget, shareOfNames));
      // Of a text too long to be an address each step would cost more.
      const isReadable = query.interpretations.length > 0;
      const nothing: Step = { step: 'as_written', hits: [] };
      const { step, hits } = isReadable ? find(finder, places, query, addressQuery) : nothing;
      const best = bestHits(inBox(hits, query.filter), inhabitantsOf).slice(0, addressQuery.limit);
      explained?.({
        interpretations: query.interpretations.map(({ houseNumber = null, words }) => ({
          house_number: houseNumber,
          words: words.map(([word]) => word),
        })),
        step: best.length > 0 ? step : null,
        candidates: finder.compared,
        answers: best.map(({ name, parts, score }) => ({ name, contributions: { ...parts }, score })),
      });
      return best.map((hit) => {
        if (!addressQuery.hasComponents) return addressOf(hit);
        const teller = new Teller(finder, places, hit);
        return { ...addressOf(hit), components: teller.components(query), isSure: teller.isSure(query) };
      });
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

    idOfObject(object) {
      const found = parts.flatMap((part) =>
        part.withObject(object).map((street) => {
          const house = part.houses(street).find((each) => each.object === object);
          return identifierOf(street, house?.ordinal ?? wholeStreet, part.number);
        }),
      );
      return found.at(0);
    },

    nearest(from, { maxKm, limit }) {
      return nearestHouses(parts, from, maxKm, limit).map(({ part, street, house, km }) => {
        const row = parts[part].street(street);
        return { ...addressOf({ ...asHouse(row, house), part, street: row, name: row.names[0] }), distanceKm: km };
      });
    },
  };
}

/**
 * The houses of a reading in the country of its place instead of near it: a wrong town is reported, but is no reason to have no
 * answer. None where several towns have one: nothing says which of their `Hauptstraße 1` a text means that names Berlin.
 */
function elsewhere(finder: AddressFinder, query: Query): Hit[] {
  const [place] = query.around;
  const filter = { ...query.filter, groups: query.filter.groups.slice(0, -1) };
  const country = filter.country ?? place.country;
  const houses = finder.collect({ ...query, filter: { ...filter, country } }).filter(isWhole);
  return areInOnePlace(houses, reachKm(place)) ? houses.map(contradicted) : [];
}

/** A hit that something in the text speaks against. */
function contradicted(hit: Hit): Hit {
  const matchType = hit.matchType === 'exact' ? 'partial' : hit.matchType;
  return penalised({ ...hit, matchType, isDoubtful: true }, weights.contradictedPart);
}

/** The query with its misplaced blanks and mistyped abbreviations mended; none where it has no such words. */
function mended(finder: AddressFinder, query: Query): Query[] {
  const whole = query.fields ? undefined : query.interpretations.find(({ houseNumber }) => houseNumber === undefined);
  const words = whole && mendedWords(whole.tokens, finder.corrections);
  if (!words?.size) return [];
  const mend = (token: Token): Token => ({ ...token, words: words.get(token.text)!, role: 'mended' });
  const interpretations = query.interpretations.map(({ houseNumber, tokens }) =>
    interpretation(
      houseNumber,
      tokens.map((token) => (words.has(token.text) ? mend(token) : token)),
    ),
  );
  return [{ ...query, interpretations }];
}

/** Whether a house is found, or a street of a text without a number. */
function isHouseFound({ interpretations }: Query, hits: readonly Hit[]): boolean {
  const isNumbered = interpretations.some(({ houseNumber }) => houseNumber !== undefined);
  return hits.some((hit) => isFound(hit) && !(isNumbered && hit.matchType === 'street'));
}

/** Whether a hit is one that needs no less strict step. */
const isFound = ({ score, isDoubtful }: Hit) => score >= weights.foundStreet && !isDoubtful;

/** Whether a house is found whose street's whole name matches. */
const isWhole = ({ coverage, matchType }: Hit) => coverage === 1 && matchType === 'exact';
/** Whether a hit is a house in a street of which a long word is known: an edit of `Иманов` seldom finds anything else. */
const isLongHouse = ({ matchType, interpretation: { words } }: Hit) =>
  matchType === 'exact' && words.some(([word]) => word.length >= minLongLetters);
/** Whether a name matches but for what kind of street it is. */
const isNamedInFull = ({ words, matched }: Hit) =>
  words.every((word) => matched.includes(word) || isStreetTypeOrDirection(word[0]));

function queryOf(query: AddressQuery): Query {
  const { text, fields, city, postalCode } = query;
  const beside = { ...(city !== undefined && { city }), ...(postalCode !== undefined && { postalCode }) };
  return { ...(fields ? readFields(fields) : readAddress(text)), beside, filter: filterOf(query), around: [] };
}

/** `Dublin 12`, `69117 Heidelberg`, `Milano (MI)` without district, code and region; what has nothing else is whole. */
const withoutCode = (city: string) => city.replace(/\(.*?\)|(?<!\S)[\d-]+(?!\S)/g, ' ').trim() || city;

function filterOf({ country, city, postalCode, bbox, budget = streetsAlone() }: AddressQuery): Filter {
  const groups = clausesOfBox(bbox);
  const cityWords = city === undefined ? undefined : queryWords(withoutCode(city));
  if (cityWords) groups.push(...cityWords);
  if (postalCode === undefined) return { groups, country, city: cityWords, bbox, budget };
  const key = codeKey(postalCode);
  // ZIP+4: most addresses have only the five digits.
  const codes = new Set(/^\d{9}$/.test(key) ? [key, key.slice(0, 5)] : [key]);
  groups.push({ postalCodes: [...codes] });
  return { groups, country, city: cityWords, codes, bbox, budget };
}
