/**
 * What a text says about where its address lies. Steps that correct or leave out words must not answer with an address
 * elsewhere: `Kalevankatu 10, Turku, Finland` is not a house in Helsinki.
 */
import { distanceKm } from '../../core/geo.ts';
import type { CityNames, Place } from '../../store/store.ts';
import { isPartOf } from '../../text/territories.ts';
import { queryWords, sharesVariant, type Word } from '../../text/words.ts';
import weights from '../weights.json' with { type: 'json' };
import { type AddressFinder, penalised, type Query } from './finder.ts';
import { type CountryScope, without } from './readings.ts';
import type { Hit } from './score.ts';
import { minInhabitants, supports } from './support.ts';

/** Addresses that lie in a town as people write them, but not by their data, are within this distance. */
const townReachKm = 50;
/** Maximum number of words in the name at the end of a text without commas. */
const maxNameWords = 3;
/** Parts of up to two letters are signs and codes (`д`, `IL`), except in scripts where names are that short. */
const maxSign = 2;
const shortName = /\p{Script=Han}|\p{Script=Hangul}/u;

/** A number of up to four digits at the end of a text is a house number, after a street such as `2 de Mayo` too. */
const endingNumber = /(?<!\S)\d{1,4}(?!\d)\S*\s*$/;

/** A name in a text, and what the gazetteer knows by it. */
type Claim = { words: readonly Word[]; countries: string[]; regionCountries: string[]; place: Place | undefined };

/** Whether an address may be the one meant: `doubtful` where something in the text speaks against it. */
type Verdict = 'holds' | 'doubtful' | 'impossible';

export class Claims {
  readonly #finder: AddressFinder;
  readonly #places: CityNames;
  readonly #query: Query;
  readonly #words: readonly Word[];
  readonly #scope: CountryScope | undefined;
  #known: readonly Claim[] | undefined;
  #admittedCountries: readonly string[] | undefined;

  constructor(finder: AddressFinder, query: Query, places: CityNames, scope: CountryScope | undefined) {
    this.#finder = finder;
    this.#places = places;
    this.#query = query;
    this.#words = query.interpretations[0]?.words ?? [];
    this.#scope = scope;
  }

  /**
   * The hits that the text does not rule out. A house that something in the text speaks against is no exact match; with
   * `isCorrected`, only what rules a hit out counts. `around` are the places near which the hits were searched.
   */
  admitted(hits: readonly Hit[], { isCorrected = false, around = [] as readonly Place[] } = {}): Hit[] {
    return hits.flatMap((hit) => {
      const verdict = this.#verdict(hit, around);
      if (verdict === 'impossible') return [];
      if (verdict === 'holds' || isCorrected) return [hit];
      const matchType = hit.matchType === 'exact' ? 'partial' : hit.matchType;
      return [penalised({ ...hit, matchType, isDoubtful: true }, weights.contradictedPart)];
    });
  }

  /**
   * The houses of a query without the towns and regions that it names, in the country of the first town, the nearest to it
   * first: a wrong town is reported, but is no reason to have no answer.
   */
  contradicted(query: Query): Hit[] {
    const wrong = this.#claims().filter(
      ({ place, regionCountries, countries }) => countries.length === 0 && (place || regionCountries.length > 0),
    );
    const place = wrong.find((claim) => claim.place)?.place;
    const { country } = query.filter;
    if (!place || (country !== undefined && country !== place.country)) return [];
    const isWrong = (word: Word) => wrong.some(({ words }) => words.some((other) => sharesVariant(other, word)));
    const interpretations = query.interpretations.map((interpretation) =>
      interpretation.words.reduceRight(
        (rest, word, at) => (isWrong(word) ? without(rest, at, 1) : rest),
        interpretation,
      ),
    );
    return this.#finder
      .collect({ ...query, interpretations, filter: { ...query.filter, country: place.country } })
      .filter(({ matchType, coverage }) => matchType === 'exact' && coverage === 1)
      .sort((one, other) => distanceKm(place, one) - distanceKm(place, other))
      .map((hit) => penalised({ ...hit, matchType: 'partial', isDoubtful: true }, weights.contradictedPart));
  }

  #verdict(hit: Hit, around: readonly Place[]): Verdict {
    const area = this.#finder.parts[hit.part].area(hit.street.area);
    const ownWords = hit.street.names.flatMap((name) => this.#finder.matcher.words(name));
    const isExplained = (word: Word) =>
      this.#finder.isMatched(hit.street, area, word) || ownWords.some((own) => sharesVariant(own, word));
    const scope = this.#scope;
    const isAbroad =
      scope && !this.#countries().some((country) => isPartOf(area.country, country)) && !scope.named.every(isExplained);
    if (isAbroad && scope.isSeparate) return 'impossible';
    const city = area.city === null ? [] : this.#finder.matcher.words(area.city);
    // `882 Livermore Avenue, Houston` does not name Livermore.
    const isNamed = (word: Word) => {
      const inText = this.#words.filter((other) => sharesVariant(word, other)).length;
      return inText > hit.matched.filter((other) => sharesVariant(word, other)).length;
    };
    const namesCity = city.length > 0 && city.every(isNamed);
    const verdicts = new Set<Verdict>(isAbroad ? ['doubtful'] : []);
    for (const claim of namesCity ? [] : this.#claims()) {
      if (claim.words.every(isExplained)) continue;
      verdicts.add(this.#verdictOf(claim, hit));
    }
    if (verdicts.has('impossible')) return 'impossible';
    // Beside the settlement's name, a number is its district or a code, which says nothing where the house has none.
    const isOfCity = ([word]: Word) => namesCity && (/^\d{1,2}$/.test(word) || hit.postalCode === null);
    const isNumberLeft = hit.left.some((word) => /\d/.test(word[0]) && word[0] !== hit.houseNumber && !isOfCity(word));
    // Many towns have a street of the same name.
    const isNear = around.length === 0 || around.some((place) => this.#isNear(hit, place));
    if (verdicts.has('doubtful') || !isNear) return hit.matchType === 'street' ? 'impossible' : 'doubtful';
    return isNumberLeft ? 'doubtful' : 'holds';
  }

  #verdictOf({ countries, regionCountries, place }: Claim, hit: Hit): Verdict {
    const { country, admin1 } = this.#finder.parts[hit.part].area(hit.street.area);
    if (countries.length > 0)
      return [...countries, ...regionCountries].some((named) => isPartOf(country, named)) ? 'holds' : 'impossible';
    const isRegionHere = regionCountries.includes(country);
    if (place && this.#isNear(hit, place)) return 'holds';
    if (place && place.population >= minInhabitants && !(isRegionHere && place.country !== country))
      return distanceKm(place, hit) > townReachKm ? 'impossible' : 'doubtful';
    if (regionCountries.length > 0) return !isRegionHere ? 'impossible' : admin1 === null ? 'holds' : 'doubtful';
    return place ? 'doubtful' : 'holds';
  }

  #isNear(hit: Hit, place: Place): boolean {
    return supports(place, hit, this.#finder.parts[hit.part].area(hit.street.area), this.#places);
  }

  /** The named country, and the countries of regions with that name: Georgia, and the IL of `Chicago, IL`. */
  #countries(): readonly string[] {
    const { country, named } = this.#scope!;
    this.#admittedCountries ??= [country, ...this.#places.regionsNamed(named.map(([word]) => word).join(' '))];
    return this.#admittedCountries;
  }

  #claims(): readonly Claim[] {
    this.#known ??= this.#names().flatMap(({ name, inContext }) => {
      if (name.length <= maxSign && !shortName.test(name)) return [];
      const { country } = this.#scope?.query.filter ?? this.#query.filter;
      const countries = this.#places.countriesNamed(name);
      const regionCountries = this.#places.regionsNamed(name);
      const place =
        (inContext === name ? undefined : this.#places.resolve(inContext, country)) ??
        this.#places.resolve(name, country) ??
        (country === undefined ? undefined : this.#places.resolve(name));
      return [{ words: queryWords(name), countries, regionCountries, place }];
    });
    return this.#known;
  }

  /** The names that a text may locate its address by: what stands between commas after the street, or the last words. */
  #names(): { name: string; inContext: string }[] {
    const { text, interpretations } = this.#scope?.query ?? this.#query;
    if (interpretations.length === 0) return [];
    const [first, ...others] = text
      .split(',')
      .map((part) => part.replace(/\S*\d\S*/g, ' ').trim())
      .filter((part, at) => at === 0 || part !== '');
    if (others.length > 0) return others.map((name, at) => ({ name, inContext: others.slice(at).join(', ') }));
    // Where the number ends the text, no name does: `bis` is also the code of Bismarck's airport.
    const [{ houseNumber, before, words: unnumbered }] = interpretations;
    if ((houseNumber !== undefined && before === unnumbered.length) || endingNumber.test(text)) return [];
    const words = first.split(/\s+/).filter((word) => word !== '');
    for (let count = Math.min(maxNameWords, words.length - 1); count > 0; count--) {
      const name = words.slice(-count).join(' ');
      if (this.#places.resolve(name, this.#query.filter.country)) return [{ name, inContext: name }];
    }
    return [];
  }
}
