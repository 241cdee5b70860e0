import type { CityNames, Place } from '../../store/store.ts';
import { isStreetType } from '../../text/abbreviations.ts';
import { plainWords } from '../../text/words.ts';
import { minInhabitants } from './support.ts';

/** Maximum number of words in a country's or city's name. */
const maxWords = 4;

/**
 * Alpha-2 code of the country that an address in free text lies in, by the country or settlement that it names; undefined
 * when it names none.
 */
export function countryOfText(text: string, cities: CityNames): string | undefined {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '' && !/^\d+$/.test(word));
  const inRegion = placeWithCode(words, cities);
  if (inRegion) return inRegion.country;
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

/** The place that the last words name with the code of its region or country: `Chicago, IL` is not in Israel. */
function placeWithCode(words: readonly string[], cities: CityNames): Place | undefined {
  if (!/^\p{L}{2}$/u.test(words.at(-1) ?? '')) return undefined;
  for (let count = Math.min(maxWords, words.length - 1); count > 1; count--) {
    const place = cities.resolve(words.slice(-count).join(' '));
    if (place) return place;
  }
  return undefined;
}
