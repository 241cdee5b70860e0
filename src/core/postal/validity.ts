/** Whether a city and a postal code go together, as far as the data tell. */
import { otherSpellingsOf } from '../../text/abbreviations.ts';
import { fold } from '../../text/fold.ts';

export const validities = ['valid', 'mismatch', 'unknown'] as const;
export type Validity = (typeof validities)[number];

/** What is known of a city and a code in a country. */
export type Evidence = {
  /** Whether the code has the shape of the country's codes. */
  isShaped: boolean;
  /** Whether a place of the code is called like the city. */
  isNamed: boolean;
  /** Places of the country that are called like the city. */
  cities: readonly NamedCity[];
};

export type NamedCity = {
  /** From the nearest place of the code; undefined where the code is not known, or its position. */
  distanceKm: number | undefined;
  reachKm: number;
  population: number;
};

/** A code so far beyond a city's reach is not one of its codes; between, the data cannot tell. */
const farKm = 30;
/** Hamlets have namesakes that the data lack; a town so large is what its name means. */
const townPopulation = 15_000;

/**
 * `valid` where a place of the code has the city's name, or the city reaches to the code. `mismatch` where the code has
 * not the shape of the country's codes, or where one of the places so called is a town and all of them lie far from the
 * code. Else `unknown`.
 */
export function validityOf({ isShaped, isNamed, cities }: Evidence): Validity {
  const isWithin = ({ distanceKm, reachKm }: NamedCity) => distanceKm !== undefined && distanceKm <= reachKm;
  const isFar = ({ distanceKm, reachKm }: NamedCity) => distanceKm !== undefined && distanceKm > reachKm + farKm;
  if (isNamed || cities.some(isWithin)) return 'valid';
  if (!isShaped) return 'mismatch';
  return cities.some(({ population }) => population >= townPopulation) && cities.every(isFar) ? 'mismatch' : 'unknown';
}

/** Says whether the name of a code's place is a city's, in any of its spellings: `Saint Louis`, `Paris 01`, `Wien, Innere Stadt`, `APO AE`. */
export function namesakeTest(city: string): (place: string) => boolean {
  const wanted = fold(city);
  let forms: Set<string> | undefined;
  const isForm = (name: string): boolean => {
    const folded = fold(name);
    if (folded === wanted) return wanted !== '';
    const others = (forms ??= new Set(formsOf(wanted)));
    return formsOf(folded).some((form) => others.has(form));
  };
  return (place) => {
    if (isForm(place)) return true;
    const [first] = place.split(/\s*[,(/]|\s+-\s+|\s+\d|\s+A[AEP]$/);
    return first !== place && isForm(first);
  };
}

/** A folded name, also with each of its words written in its other ways. */
function formsOf(folded: string): string[] {
  const words = folded.split(' ');
  const others = words.flatMap((word, at) => otherSpellingsOf(word).map((other) => words.with(at, other).join(' ')));
  return folded === '' ? [] : [folded, ...others];
}
