/** Whether a city and a postal code belong together, as far as the data show. */
import { otherSpellingsOf } from '../../text/abbreviations.ts';
import { fold } from '../../text/fold.ts';

export const validities = ['valid', 'mismatch', 'unknown'] as const;
export type Validity = (typeof validities)[number];

/** The evidence about a city and a code in a country. */
export type Evidence = {
  /** Whether the code has the shape of the country's codes. */
  isShaped: boolean;
  /** Whether a place of the code has the city's name. */
  isNamed: boolean;
  /** Places of the country with the city's name. */
  cities: readonly NamedCity[];
};

type NamedCity = {
  /** From the nearest place of the code; undefined where the code is not known, or its position. */
  distanceKm: number | undefined;
  reachKm: number;
  population: number;
};

/** A code farther than this beyond a city's reach is not one of its codes; closer ones are undecided. */
const farKm = 30;
/** Hamlets have namesakes that the data lack; the name of a town of at least this population means that town. */
const townPopulation = 15_000;

/**
 * `valid` where a place of the code has the city's name, or the city reaches to the code. `mismatch` where the code
 * does not have the shape of the country's codes, or where one of the places with that name is a town and all of them
 * are far from the code. Else `unknown`.
 */
export function validityOf({ isShaped, isNamed, cities }: Evidence): Validity {
  const isWithin = ({ distanceKm, reachKm }: NamedCity) => distanceKm !== undefined && distanceKm <= reachKm;
  const isFar = ({ distanceKm, reachKm }: NamedCity) => distanceKm !== undefined && distanceKm > reachKm + farKm;
  if (isNamed || cities.some(isWithin)) return 'valid';
  if (!isShaped) return 'mismatch';
  return cities.some(({ population }) => population >= townPopulation) && cities.every(isFar) ? 'mismatch' : 'unknown';
}

/**
 * Returns a test whether the name of a code's place is the city's, in any spelling: `Saint Louis`, `Paris 01`, `Wien,
 * Innere Stadt`, `APO AE`.
 */
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
