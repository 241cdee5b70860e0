/** Towns that an address names: where a part of its text is left out, the street still has to be there. */
import { distanceKm, type LatLng } from '../../core/geo.ts';
import type { CityNames, Place } from '../../store/store.ts';
import { queryWords, sharesVariant, type Word } from '../../text/words.ts';
import { minInhabitants } from './country-of-text.ts';

/** Addresses that lie in a town as people write them, but not by their data, are within this distance. */
const reachKm = 50;

export type Town = { word: Word; place: Place };

/**
 * The towns that words of a text name: those that stand alone between commas after the first part, and the one that is
 * left out where it ends the text. `Bahnhofstrasse 10, Zürich` is not a house in Lenningen.
 */
export function townsNamed(
  words: readonly Word[],
  leftOut: Word,
  text: string,
  country: string | undefined,
  cities: Pick<CityNames, 'resolve'>,
): Town[] {
  const [first, ...others] = text.split(',').map((part) => queryWords(part).filter(([written]) => !/\d/.test(written)));
  const alone = others.flatMap((part) => (part.length === 1 ? part : []));
  const isLast = others.length === 0 && first.length > 1 && sharesVariant(first[first.length - 1], leftOut);
  return words
    .filter((word) => (isLast && word === leftOut) || alone.some((other) => sharesVariant(other, word)))
    .flatMap((word) => {
      const place = cities.resolve(word[0], country);
      return place && place.population >= minInhabitants ? [{ word, place }] : [];
    });
}

/** Whether a position, whose settlement or region some words are, lies in or near all of the towns. */
export const liesInTowns = (towns: readonly Town[], at: LatLng, isMatched: (word: Word) => boolean): boolean =>
  towns.every(({ word, place }) => isMatched(word) || distanceKm(place, at) <= reachKm);
