/** What the interfaces of other projects have in common: a request in their form becomes requests to our endpoints. */
import { invalidParameter, type WhereaboutsError } from '../../errors.ts';

// biome-ignore lint/suspicious/noExplicitAny: the fields of an answer, and of its records, are those of its endpoint's schema.
export type AnswerRecord = Record<string, any>;

/** Returns the answer of an endpoint (`search`, `reverse`, `address` …) in the profile `default`. Throws WhereaboutsError. */
export type Ask = (endpoint: string, parameters: Readonly<Record<string, string | number | undefined>>) => AnswerRecord;

export type DropInRequest = {
  query: URLSearchParams;
  /** Value of `Accept-Language`. */
  acceptLanguage: string | undefined;
  ask: Ask;
  /** Identifier of the record that an object of OpenStreetMap is (`w12`); undefined where there is none. */
  idOfObject(object: string): number | undefined;
  /** Version of the dataset, and when it was built (ISO 8601). */
  dataset: { version: string; builtAt: string };
  /** Version of the program. */
  version: string;
};

/** `body` is written as JSON unless it is a text. */
export type DropInAnswer = { status?: number; type: string; body: object | string };

/** One project's interface: its routes by path, and its form of errors. */
export type DropIn = {
  routes: Readonly<Record<string, (request: DropInRequest) => DropInAnswer>>;
  /** The further paths that clients know a route by; `{q}` is its parameter `q`. */
  alsoAt?(path: string): string[];
  /** Calls that a request costs; 1 where this is absent. */
  callsOf?(query: URLSearchParams): number;
  problem(error: WhereaboutsError, asked: { query: URLSearchParams; path: string; version: string }): DropInAnswer;
};

export const json = 'application/json; charset=utf-8';
export const xml = 'text/xml; charset=utf-8';
export const html = 'text/html; charset=utf-8';

/** Of more countries one search of the whole world is filtered, as each search holds the thread. */
const maxCountries = 3;

/** The ISO 3166-1 alpha-2 codes in comma-separated lists, upper case; what is no code is left out. */
export const countryCodes = (lists: readonly string[]): string[] =>
  lists
    .flatMap((list) => list.split(','))
    .map((code) => code.trim().toUpperCase())
    .filter((code) => /^[A-Z]{2}$/.test(code));

/** The countries that are searched one after the other: each of a few, or the whole world, which is `undefined`. */
export const searchedCountries = (codes: readonly string[]): (string | undefined)[] =>
  codes.length > 0 && codes.length <= maxCountries ? [...codes] : [undefined];

/** The entries of a parameter that is a list with commas. */
export const entriesOf = (query: URLSearchParams, name: string): string[] =>
  (query.get(name) ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

/** The values of some parameters, without those that are absent or empty. */
export const valuesOf = (query: URLSearchParams, ...names: string[]): string[] =>
  names.flatMap((name) => query.get(name)?.trim() || []);

/** The parameter `limit` as a whole number up to a maximum. Throws `invalid_parameter`. */
export const limitOf = (query: URLSearchParams, byDefault: number, maximum: number): number =>
  Math.max(1, Math.min(maximum, Math.trunc(numberOf(query, 'limit', byDefault))));

/** A position by the names that the project has for its two parameters; both undefined where neither is there. Throws for one alone. */
export function positionOf(query: URLSearchParams, ...names: [lat: string, lng: string]) {
  const [lat, lng] = names.map((name) => query.get(name)?.trim() || undefined);
  if ((lat === undefined) === (lng === undefined)) return { lat, lng };
  const [missing, present] = lat === undefined ? names : names.toReversed();
  throw invalidParameter(missing, `Parameter '${missing}' is missing beside '${present}'.`);
}

/** A decimal number; the default where the parameter is absent or empty. Throws `invalid_parameter`. */
export function numberOf(query: URLSearchParams, name: string, byDefault: number): number {
  const text = query.get(name)?.trim();
  if (!text) return byDefault;
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text))
    throw invalidParameter(name, `Parameter '${name}' must be a number.`);
  return Number(text);
}

/** A number of a parameter within a range, as peers read it: clamped, and the default where it is not a number. */
export function clamped(text: string | null, minimum: number, maximum: number, byDefault: number): number {
  const number = text?.trim() ? Number(text) : Number.NaN;
  return Number.isNaN(number) ? byDefault : Math.max(minimum, Math.min(maximum, number));
}

/** Our layers for those of a project, joined for `layers`; undefined for none. Throws what `refuse` makes of one that is not known. */
export function ourLayers(
  wanted: readonly string[],
  known: Readonly<Record<string, string>>,
  refuse: (unknown: string, valid: string) => Error,
): string | undefined {
  if (wanted.length === 0) return undefined;
  const unknown = wanted.find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined) throw refuse(unknown, Object.keys(known).join(','));
  return [...new Set(wanted.flatMap((name) => known[name].split(',')))].filter(Boolean).join(',');
}
