/** What the npm package countries-list says of a country. */
export type ListedCountry = {
  name: string;
  /** Calling codes as digits, area digits included (`1268`). */
  phone: number[];
  /** `AF`, `AN`, `AS`, `EU`, `NA`, `OC` or `SA`. */
  continent: string;
  /** `''` when there is none. */
  capital: string;
  /** ISO 4217 codes, main one first; empty when there is none. */
  currency: string[];
  /** ISO 639-1 codes. */
  languages: string[];
};

/** Reads `countries.min.json` of countries-list: countries by alpha-2 code, three that ISO has not assigned included. */
export function readCountriesList(text: string): Map<string, ListedCountry> {
  return new Map(Object.entries(JSON.parse(text) as Record<string, ListedCountry>));
}
