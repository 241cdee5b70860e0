/**
 * What became of each part of a query in an answer: which parts the record has, which were corrected, which it contradicts
 * and which nothing explains; and from that whether it may be the address meant: `Kalevankatu 10, Turku, Finland` is not a
 * house in Helsinki. Told from the query and the record alone, however the record was found.
 */
import { isNear } from '../../core/geo.ts';
import type { AddressComponent, AddressFields } from '../../store/address-contract.ts';
import type { CityNames, Place } from '../../store/store.ts';
import type { StreetArea } from '../../store/street-parts.ts';
import { isAtMostOneEdit } from '../../text/edit-kind.ts';
import { fold } from '../../text/fold.ts';
import { isOfCrossing } from '../../text/query-text.ts';
import { isPartOf, settlementWords } from '../../text/word-lists.ts';
import {
  codeKey,
  isGeneric,
  isOmissible,
  isStreetType,
  queryWords,
  sharesVariant,
  type Word,
} from '../../text/words.ts';
import type { AddressFinder, Query } from './finder.ts';
import { type Token, withoutArticle } from './interpret.ts';
import type { Hit } from './score.ts';
import { wordsOf } from './street-match.ts';
import { minInhabitants, supports } from './support.ts';

type Part = AddressComponent['component'];
type Status = AddressComponent['status'];
/** Whether an address may be the one meant: `doubtful` where something in the text speaks against it. */
type Verdict = 'holds' | 'doubtful' | 'impossible';
/** A token, and what it is. */
type Told = Token & {
  /** Whether it is a word of the area, though not of its city or region as the record has them. */
  isInArea?: boolean;
  found?: Found;
};
type Found = { component: Part; status: Status; verdict?: Verdict };

/** Maximum number of words in the name of a place or country. */
const maxNameWords = 4;
/** Shorter words are signs and codes, except in scripts where names are that short. */
const minNameLetters = 3;
const shortName = /\p{Script=Han}|\p{Script=Hangul}/u;
/** Numbers from this length are postal codes rather than anything else. */
const minCodeDigits = 4;
/** Addresses that lie in a town as people write them, but not by their data, are within this distance. */
const townReachKm = 50;

/** Tells what a hit has of the parts of a query. */
export class Teller {
  readonly #finder: AddressFinder;
  readonly #places: CityNames;
  readonly #hit: Hit;
  readonly #area: StreetArea;
  readonly #names: readonly Word[];

  constructor(finder: AddressFinder, places: CityNames, hit: Hit) {
    this.#finder = finder;
    this.#places = places;
    this.#hit = hit;
    this.#area = finder.parts[hit.part].area(hit.street.area);
    this.#names = [...hit.words, ...hit.street.names.flatMap((name) => wordsOf(name))];
  }

  /** The components of the answer: those of the query in their order, then what the record adds. */
  components(query: Query): AddressComponent[] {
    const typed = [
      ...(query.fields ? [] : this.#joined(this.#told(query))),
      ...this.#ofFields(query.fields ?? query.beside),
    ];
    const { unit, others } = query;
    if (unit !== undefined) typed.push({ component: 'unit', input: unit, value: null, status: 'missing' });
    for (const input of others) typed.push({ component: 'other', input, value: null, status: 'unread' });
    const known: readonly Part[] = ['street', 'postal_code', 'city', 'admin1', 'country'];
    const inferred = known.filter(
      (part) => !typed.some(({ component }) => component === part) && this.#valueOf(part) !== null,
    );
    return [...typed, ...inferred.map((part) => this.#component(part, null, 'inferred'))];
  }

  /**
   * Whether more than an edited or unfinished word says which street is meant: another word of it, or where it lies. `test` may mean
   * `Falcon Nest Court`, but nobody knows.
   */
  isSure(query: Query): boolean {
    if (Object.keys(query.beside).length > 0) return true;
    return this.#told(query).some(({ role, words, found }) => {
      const isKnown = found?.status === 'confirmed' && words.some(([word]) => !isStreetType(word));
      return role !== 'number' && (isKnown || (found?.component !== 'street' && found?.status === 'corrected'));
    });
  }

  #ofFields({ street, houseNumber, postalCode, city, admin1 }: AddressFields): AddressComponent[] {
    // `street=Hauptstraße 1`
    const typed = this.#hit.interpretation.tokens.find(isNumber)?.text;
    const at = houseNumber === undefined && typed !== undefined ? (street?.lastIndexOf(typed) ?? -1) : -1;
    const name = at < 0 ? street : (street!.slice(0, at) + street!.slice(at + typed!.length)).trim();
    const [known, unread] = this.#wordsOfStreet(name);
    const given: [Part, string | undefined][] = [
      ['house_number', houseNumber ?? (at < 0 ? undefined : typed)],
      ['street', known],
      ['other', unread],
      ['postal_code', postalCode],
      ['city', city],
      ['admin1', admin1],
    ];
    return given.flatMap(([component, input]) =>
      input === undefined ? [] : [this.#component(component, input, this.#statusOf(component, input))],
    );
  }

  /** The words of a field that the street's name has, in some spelling, and the others; all where it has none. */
  #wordsOfStreet(field: string | undefined): [known: string | undefined, unread: string | undefined] {
    const typed = field?.split(/\s+/) ?? [];
    const isOfStreet = (one: string) =>
      /^\p{L}{1,2}\.?$/u.test(one) ||
      withoutArticle(one).every((word) => isGeneric(word) || isLike(word[0], this.#names));
    const known = typed.filter(isOfStreet);
    if (!known.some((one) => this.#statusOf('street', one) !== 'contradicted')) return [field, undefined];
    return [known.join(' '), typed.filter((one) => !isOfStreet(one)).join(' ') || undefined];
  }

  /**
   * Whether the hit may be meant by a query; `around` are the places near which it was searched. Beside its settlement,
   * further ones are details, and a number is its district or a code.
   */
  verdict(query: Query, around: readonly Place[]): Verdict {
    const { matchType, houseNumber, postalCode } = this.#hit;
    const tokens = this.#told(query);
    const namesCity = this.#namesCity(tokens);
    const verdicts = tokens.flatMap(({ found }) =>
      found?.verdict && (!namesCity || found.component === 'country') ? [found.verdict] : [],
    );
    if (verdicts.includes('impossible') || (!namesCity && this.#isTown(tokens))) return 'impossible';
    // Many towns have a street of the same name.
    const isNear = around.length === 0 || around.some(this.#supportedBy);
    if (verdicts.length > 0 || !isNear) return matchType === 'street' ? 'impossible' : 'doubtful';
    const isNumberLeft = tokens.some(
      ({ text, found }) =>
        /\d/.test(text) &&
        (found?.status === 'contradicted' || found?.status === 'missing' || found?.status === 'unread') &&
        text !== houseNumber &&
        !(namesCity && (/^\d{1,2}$/.test(text) || postalCode === null)),
    );
    return isNumberLeft ? 'doubtful' : 'holds';
  }

  /** Whether the street's name is rather that of the settlement meant, as words beside it name something else: `Calle Rivera, Montevideo`. */
  #isTown(tokens: readonly Told[]): boolean {
    const { terms, country } = this.#area;
    // In another part than the number is a firm: `Café Central, Urubamba 387, Lima`.
    const numbered = tokens.find(isNumber)?.part;
    const isLeft = tokens.some(
      ({ text, part, found }) => found?.status === 'unread' && part === (numbered ?? part) && /\p{L}/u.test(text),
    );
    const isInArea = () => this.#hit.words.every((word) => word.some((spelling) => terms.includes(spelling)));
    return isLeft && (isInArea() || this.#places.resolve(this.#hit.name, country) !== undefined);
  }

  /** The tokens of a query with what each is. */
  #told(query: Query): readonly Told[] {
    const tokens = this.#hit.interpretation.tokens.map((token): Told => ({ ...token }));
    if (this.#hit.matchType === 'intersection')
      for (const token of tokens.filter(({ text }) => isOfCrossing(text)))
        token.found = { component: 'street', status: 'confirmed' };
    const at = (tokens.find(isNumber) ?? tokens.find(this.#isOfStreet))?.part ?? 0;
    this.#readStreetAndArea(tokens, at);
    this.#readNames(tokens, at, query);
    this.#readRest(tokens, at);
    return tokens;
  }

  /** Words of the street's name next to the number, else of the area; each word of the name once. */
  #readStreetAndArea(tokens: readonly Told[], at: number): void {
    const left = [...this.#hit.words];
    for (const token of [...tokens].sort((one, other) => Number(other.part === at) - Number(one.part === at))) {
      const { words } = token;
      if (words.length === 0) continue;
      const own = words.map((word) => left.findIndex((name) => sharesVariant(name, word)));
      const isOfStreet = words.every((word) => this.#names.some((name) => sharesVariant(name, word)));
      const inArea = this.#ofArea(token);
      const isLeft = own.every((index) => index >= 0);
      if (isOfStreet && isLeft && (token.part === at || !inArea)) {
        for (const index of own) left.splice(index, 1, []);
        token.found = { component: 'street', status: token.role === 'mended' ? 'corrected' : 'confirmed' };
      } else if (inArea === 'other') token.isInArea = true;
      else if (inArea) token.found = { component: inArea, status: 'confirmed' };
    }
    const isEdited = ([word]: Word) => isLike(word, this.#hit.words);
    for (const token of tokens.filter(({ part, found }) => part === at && !found))
      if (isLike(typedOf(token), left) || (token.words.length > 1 && token.words.every(isEdited)))
        token.found = { component: 'street', status: 'corrected' };
    // A part of the settlement's name may be that of another: the Monaco of `Monaco di Baviera`.
    const ofCity = tokens.filter(({ found }) => found?.component === 'city');
    if (!this.#namesCity(tokens)) for (const token of ofCity) [token.found, token.isInArea] = [undefined, true];
  }

  /** Whether the settlement of the record is named in full. */
  #namesCity(tokens: readonly Told[]): boolean {
    const typed = tokens.flatMap(({ found, words }) => (found?.component === 'city' ? words : []));
    const { city } = this.#area;
    return city !== null && wordsOf(city).every((word) => typed.some((other) => sharesVariant(word, other)));
  }

  /** The part of the area that has a token, `other` where it is a word of its names in other languages or its country. */
  #ofArea({ words }: Token): Part | undefined {
    const { city, admin1, terms } = this.#area;
    if (words.every((word) => this.#finder.isPostcode(this.#hit.street, word))) return 'postal_code';
    if (!words.every((word) => word.some((spelling) => terms.includes(spelling)))) return undefined;
    const isOf = (name: string | null) =>
      name !== null && words.every((word) => wordsOf(name).some((other) => sharesVariant(other, word)));
    return isOf(city) ? 'city' : isOf(admin1) ? 'admin1' : 'other';
  }

  /**
   * Runs of words that name the country, a region or a place: the longest first. What stands before the street contradicts
   * nothing, as firms are called like places, unless it is a country, or all of its part is a place or region and the settlement is
   * not named; next to the street's name, it may belong to it.
   */
  #readNames(tokens: readonly Told[], at: number, query: Query): void {
    const isName = ({ text, role }: Told) => role !== 'number' && !/\d/.test(text);
    const parts: string[] = [];
    for (const { text, part } of tokens.filter(isName)) parts[part] = parts[part] ? `${parts[part]} ${text}` : text;
    const street = tokens.findIndex((token) => token.part === at && (token.found || isNumber(token)));
    const namesCity = this.#namesCity(tokens);
    for (let count = maxNameWords; count > 0; count--) {
      for (let from = 0; from + count <= tokens.length; from++) {
        const run = tokens.slice(from, from + count);
        if (run.some((token) => token.found || token.part !== run[0].part || !isName(token))) continue;
        const name = run.map(({ text }) => text).join(' ');
        const { part } = run[0];
        const context = parts.slice(part + 1).filter((name) => name);
        const within = part === at ? query.filter.country : undefined;
        const found = this.#named(name, context, within, run, namesCity && (part !== at || from > street));
        const isBeside = name !== parts[part] || (found?.component !== 'country' && namesCity);
        if (!found || (found.verdict && part < at && isBeside)) continue;
        if (found.verdict && part === at && from < street) found.verdict = 'doubtful';
        for (const token of run) token.found = found;
      }
    }
    for (const token of tokens)
      if (token.isInArea)
        token.found ??= { component: this.#isRegion(token.text) ? 'admin1' : 'city', status: 'confirmed' };
  }

  /** What a name names; next to the street's name, only what is in the requested country, if there is one. */
  #named(
    name: string,
    context: readonly string[],
    within: string | undefined,
    run: readonly Told[],
    namesCity: boolean,
  ): Found | undefined {
    const { country } = this.#area;
    if (this.#isCountry(name)) return { component: 'country', status: 'confirmed' };
    if (run.every(({ words }) => words.length === 0)) return undefined;
    if ((name.length < minNameLetters && !shortName.test(name)) || run.every(({ isInArea }) => isInArea))
      return undefined;
    const regionsIn = this.#places.regionsNamed(name);
    const isRegionHere = regionsIn.includes(country);
    if (this.#places.countriesNamed(name).length > 0) {
      if (isRegionHere) return { component: 'admin1', status: this.#statusOf('admin1', name) };
      return { component: 'country', status: 'contradicted', verdict: 'impossible' };
    }
    const place =
      (context.length > 0 ? this.#places.resolve([name, ...context].join(', '), country) : undefined) ??
      this.#places.resolve(name, country) ??
      (within === undefined ? this.#places.resolve(name) : undefined);
    if (place && this.#supportedBy(place)) return { component: 'city', status: 'confirmed' };
    // `Calle 18 de Julio` of an Avenida: a kind of street contradicts no place.
    const isKind = run.every(({ words }) => words.every(([word]) => isStreetType(word)));
    // Beside the settlement of the record, what is elsewhere called so is rather its quarter, or a building: `…, Pocitos, Montevideo`.
    const isDetail = namesCity && place && (place.country !== country || place.population < minInhabitants);
    if (place && !isKind && !isDetail && (!isRegionHere || place.country === country)) {
      const isFar = place.population >= minInhabitants && !isNear(place, this.#hit, townReachKm);
      return { component: 'city', status: 'contradicted', verdict: isFar ? 'impossible' : 'doubtful' };
    }
    if (regionsIn.length === 0 || (namesCity && !isRegionHere)) return undefined;
    const status = this.#statusOf('admin1', name);
    const verdict = isRegionHere ? 'doubtful' : 'impossible';
    return status === 'contradicted' ? { component: 'admin1', status, verdict } : { component: 'admin1', status };
  }

  #supportedBy = (place: Place) => supports(place, this.#hit, this.#area, this.#places);

  /** What is left: codes, mistyped words of the settlement, what the street's name lacks, and what nothing explains. */
  #readRest(tokens: readonly Told[], street: number): void {
    const { houseNumber } = this.#hit;
    // Another kind of street is another street.
    const hasKind = this.#hit.words.some(([word]) => isStreetType(word));
    const isExtra = ([word]: Word) => isOmissible(word) && !(hasKind && isStreetType(word));
    const city = this.#area.city === null ? [] : wordsOf(this.#area.city);
    for (const [at, token] of tokens.entries()) {
      const typed = typedOf(token);
      if (token.found || typed === '') continue;
      const isDigits = /^\d+$/.test(typed);
      // `г. Астана`
      const isKind = settlementWords.has(fold(token.text)) && tokens[at + 1]?.found?.component === 'city';
      if (isKind) token.found = tokens[at + 1].found;
      else if (isDigits && typed.length >= minCodeDigits)
        token.found = { component: 'postal_code', status: this.#statusOf('postal_code', typed) };
      else if (!isDigits && isLike(typed, city)) token.found = { component: 'city', status: 'corrected' };
      else if (houseNumber !== null && token.part === street && token.words.every(isExtra))
        token.found = { component: 'street', status: 'corrected' };
      else token.found = { component: 'other', status: 'unread' };
    }
  }

  /** Neighbours with the same meaning as one component. */
  #joined(tokens: readonly Told[]): AddressComponent[] {
    const components: (AddressComponent & { part: number })[] = [];
    for (const { text, part, role, found } of tokens) {
      const last = components.at(-1);
      if (role === 'number') {
        components.push({ ...this.#component('house_number', text, this.#statusOf('house_number', text)), part });
      } else if (!found) {
        // Articles belong to what they follow.
        if (last && last.part === part && last.component !== 'house_number') last.input += ` ${text}`;
      } else if (last && last.part === part && last.component === found.component) {
        last.input += ` ${text}`;
        if (found.status !== 'confirmed') last.status = found.status;
      } else components.push({ ...this.#component(found.component, text, found.status), part });
    }
    return components.map(({ part: _, ...component }) => component);
  }

  #component(component: Part, input: string | null, status: Status): AddressComponent {
    return {
      component,
      input,
      value: status === 'missing' || status === 'unread' ? null : this.#valueOf(component),
      status,
    };
  }

  #valueOf(component: Part): string | null {
    const { city, admin1, country } = this.#area;
    const { name, houseNumber, postalCode } = this.#hit;
    const values = { street: name, house_number: houseNumber, postal_code: postalCode, city, admin1, country };
    return values[component as keyof typeof values] ?? null;
  }

  /** Whether the record has a part that was typed. */
  #statusOf(component: Part, input: string): Status {
    const words = queryWords(input);
    const { city, admin1, terms } = this.#area;
    const isInArea = words.length > 0 && words.every((word) => word.some((spelling) => terms.includes(spelling)));
    switch (component) {
      case 'street':
        if (words.every((word) => this.#names.some((name) => sharesVariant(name, word)))) return 'confirmed';
        return words.some(([word]) => /\p{L}/u.test(word) && isLike(word, this.#names)) ? 'corrected' : 'contradicted';
      case 'house_number':
        return (
          ({ street: 'missing', interpolated: 'inferred' } as const)[this.#hit.matchType as 'street'] ?? 'confirmed'
        );
      case 'postal_code': {
        const { postcodes } = this.#hit.street;
        if (postcodes.some((code) => codeKey(input).startsWith(codeKey(code)))) return 'confirmed';
        return postcodes.length === 0 ? 'missing' : 'contradicted';
      }
      case 'city': {
        if (isInArea) return 'confirmed';
        const place = this.#places.resolve(input, this.#area.country);
        if (place && this.#supportedBy(place)) return 'confirmed';
        const own = city === null ? [] : wordsOf(city);
        return !place && words.some(([word]) => isLike(word, own)) ? 'corrected' : 'contradicted';
      }
      case 'admin1':
        if (isInArea) return 'confirmed';
        return admin1 === null && this.#isRegion(input) ? 'missing' : 'contradicted';
      default:
        return 'unread';
    }
  }

  #isCountry(name: string): boolean {
    const { country } = this.#area;
    return (
      name.toUpperCase() === country || this.#places.countriesNamed(name).some((named) => isPartOf(country, named))
    );
  }

  #isRegion = (name: string) => this.#places.regionsNamed(name).includes(this.#area.country);

  #isOfStreet = ({ words }: Token) => words.some((word) => this.#hit.words.some((name) => sharesVariant(name, word)));
}

const isNumber = ({ role }: Token) => role === 'number';

/** Whether the answer has all that was typed, apart from a unit, which no dataset has. */
export const isConfirmed = ({ component, input, status }: AddressComponent): boolean =>
  input === null || component === 'unit' || status === 'confirmed' || status === 'corrected';

const typedOf = ({ words }: Token) => words.map(([word]) => word).join('');

/** Shorter words begin too many others. */
const minBeginning = 4;

/** Whether a typed word is one of a name, begins it or is an edit away from it, alone or with the next. */
function isLike(typed: string, names: readonly Word[]): boolean {
  const joined = names.flatMap((word, at) =>
    word.flatMap((one) => [one, ...(names[at + 1] ?? []).map((next) => one + next)]),
  );
  const begins = (name: string) => typed.length >= minBeginning && name.startsWith(typed);
  return joined.some((name) => name === typed || begins(name) || (typed.length > 2 && isAtMostOneEdit(typed, name)));
}
