import type { CityNames } from '../../store/store.ts';
import type { Clause } from '../../store/street-parts.ts';
import { isStreetType } from '../../text/abbreviations.ts';
import { plainWords, queryWords, sharesVariant, type Word } from '../../text/words.ts';

/** Without a comma the last word may as well be the street's, so it only matches cities of at least this population. */
const minInhabitants = 15_000;
/** Addresses that lie in a town as people write them, but not by their data, are within this distance. */
const townReachKm = 50;
/** Maximum number of words in a country's or city's name. */
const maxWords = 4;

/**
 * Alpha-2 code of the country that an address in free text lies in, by the country or settlement that it names; undefined
 * when it names none.
 */
export function countryOfText(text: string, cities: CityNames): string | undefined {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  for (let count = Math.min(maxWords, words.length - 1); count > 0; count--) {
    const [country] = cities.countriesNamed(words.slice(-count).join(' '));
    if (country !== undefined) return country;
  }
  for (const part of text.split(',').slice(1).reverse()) {
    const name = part.replace(/\d+/g, ' ').trim();
    const place = name === '' ? undefined : cities.resolve(name);
    if (place) return place.country;
  }
  for (let count = Math.min(maxWords, words.length - 1); count > 0; count--) {
    const last = words.slice(-count);
    if (last.some((word) => /\d/.test(word) || plainWords(word).some(isStreetType))) continue;
    const place = cities.resolve(last.join(' '));
    if (place && place.population >= minInhabitants) return place.country;
  }
  return undefined;
}

/**
 * What a street has to be near where a word of its text is left out: the town that the word names, if it ends the text or
 * stands alone between commas. `Bahnhofstrasse 10, Zürich` is not a house in Lenningen.
 */
export function nearTown(
  word: Word,
  text: string,
  country: string | undefined,
  cities: Pick<CityNames, 'resolve'>,
): Clause[] {
  const [first, ...others] = text.split(',').map((part) => queryWords(part).filter(([written]) => !/\d/.test(written)));
  const isAlone = others.some((part) => part.length === 1 && sharesVariant(part[0], word));
  const isLast = others.length === 0 && first.length > 1 && sharesVariant(first[first.length - 1], word);
  const place = isAlone || isLast ? cities.resolve(word[0], country) : undefined;
  return place && place.population >= minInhabitants ? [{ around: [place], km: townReachKm }] : [];
}
