import type { TObject, TSchema } from 'typebox';
import { type ParameterError, WhereaboutsError } from '../errors.ts';
import { wellFormed } from '../text/language-tags.ts';

/** Codes that people use for a country, which ISO 3166-1 has another one for. */
const meant: Readonly<Record<string, string>> = { UK: 'the United Kingdom is GB', EL: 'Greece is GR' };

/** What an unassigned alpha-2 code (upper case) is answered with: the one that is meant, or where all are listed. */
export const codeRemedy = (code: string): string => meant[code] ?? '/v1/countries/all lists them';

type Raw = Record<string, unknown>;
type IsCountry = (iso2: string) => boolean;
/** A value, or what is wrong with it: the received and the expected value. */
type Reader = (got: string, isCountry: IsCountry) => { value: unknown } | { detail: string };

// An exponent only as most languages write very small numbers: 1e-7.
const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)(e-\d+)?$/i;
const wholeNumber = /^[+-]?\d+$/;
// Python writes `True`.
export const booleans = new Map(Object.entries({ true: true, 1: true, false: false, 0: false }));
const isoDate = /^\d{4}-\d{2}-\d{2}$/;
const shown = (got: string) => JSON.stringify(got.length > 60 ? `${got.slice(0, 60)}…` : got);

/**
 * Makes the reader of an endpoint's parameters from their schema. The reader takes the raw values (strings from a
 * query; in a batch or the library also numbers and booleans), and returns typed ones with defaults filled in, and the
 * names it does not know. It throws one WhereaboutsError that lists every parameter at fault.
 */
export function compileParameters(
  schema: TObject,
): (raw: Raw, isCountry: IsCountry) => { parameters: Raw; ignored: string[] } {
  const required = new Set<string>(schema.required ?? []);
  const known = Object.entries(schema.properties).map(([name, property]) => {
    const fallback = (property as { default?: unknown }).default;
    return {
      name,
      read: readerOf(property),
      isRequired: required.has(name) && fallback === undefined,
      fallback,
      /** Describes a missing required parameter. */
      expected: expectation(property),
    };
  });
  const names = new Set(known.map(({ name }) => name));

  return (raw, isCountry) => {
    const parameters: Raw = {};
    let errors: ParameterError[] | undefined;
    let isOnlyMissing = true;
    let found = 0;
    for (const { name, read, isRequired, fallback, expected } of known) {
      const got = raw[name];
      if (got === undefined) {
        if (fallback !== undefined) parameters[name] = fallback;
        if (isRequired) (errors ??= []).push({ parameter: name, detail: `${name} is required: ${expected}` });
        continue;
      }
      found++;
      const result = typeof got === 'string' ? read(got, isCountry) : readOther(got, read, isCountry);
      if ('value' in result) parameters[name] = result.value;
      else {
        isOnlyMissing = false;
        (errors ??= []).push({ parameter: name, detail: `${name} ${result.detail}` });
      }
    }
    const supplied = Object.keys(raw);
    const ignored = found === supplied.length ? [] : supplied.filter((name) => !names.has(name));
    if (errors) {
      // Who sends `lon` sees why `lng` is missing.
      if (isOnlyMissing && ignored.length > 0) errors[0].detail += `; ${shown(ignored[0])} is no parameter here`;
      const code = isOnlyMissing ? 'missing_parameter' : 'invalid_parameter';
      throw new WhereaboutsError(code, errors.map(({ detail }) => detail).join('; '), { errors });
    }
    return { parameters, ignored };
  };
}

function readOther(got: unknown, read: Reader, isCountry: IsCountry): ReturnType<Reader> {
  if (typeof got === 'boolean' || (typeof got === 'number' && Number.isFinite(got)))
    return read(String(got), isCountry);
  if (Array.isArray(got)) {
    // From a query that repeats the parameter, or an array in a batch or a call of the library.
    const kind = got.length > 1 ? `was given ${got.length} times` : 'is an array';
    return { detail: `${kind}, expected one value` };
  }
  return {
    detail: `is ${got === null ? 'null' : `of type ${typeof got}`}, expected a string, a finite number or a boolean`,
  };
}

type Constraints = TSchema & {
  type?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  enum?: string[];
};

/** What a parameter must be, in words: `a number from -90 to 90`. */
function expectation(schema: Constraints): string {
  if (schema.enum) return `one of ${schema.enum.join(', ')}`;
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'number' || schema.type === 'integer') {
    const { minimum, maximum } = schema;
    const kind = schema.type === 'integer' ? 'a whole number' : 'a decimal number';
    if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}`;
    if (maximum !== undefined) return `${kind}, at most ${maximum}`;
    return minimum === undefined ? kind : `${kind}, at least ${minimum}`;
  }
  if (schema.format === 'country') return 'an ISO 3166-1 alpha-2 code such as DE';
  if (schema.format === 'date') return 'a date as YYYY-MM-DD';
  if (schema.format === 'language') return 'a language tag of at most 35 characters such as de or pt-BR';
  return `text of ${schema.minLength ?? 1} to ${schema.maxLength ?? 200} characters`;
}

function readerOf(schema: Constraints): Reader {
  const expected = expectation(schema);
  const refused = (got: string) => ({ detail: `is ${shown(got)}, expected ${expected}` });
  const oneOf = (values: ReadonlyMap<string, unknown>) => (got: string) => {
    const value = values.get(got.toLowerCase());
    return value === undefined ? refused(got) : { value };
  };
  if (schema.enum) return oneOf(new Map(schema.enum.map((value) => [value.toLowerCase(), value])));
  if (schema.type === 'boolean') return oneOf(booleans);
  if (schema.type === 'number' || schema.type === 'integer') {
    const pattern = schema.type === 'integer' ? wholeNumber : decimal;
    const { minimum = -Infinity, maximum = Number.MAX_SAFE_INTEGER } = schema;
    return (got) => {
      const value = Number(got);
      // -0 becomes 0.
      return pattern.test(got) && value >= minimum && value <= maximum ? { value: value + 0 } : refused(got);
    };
  }
  if (schema.format === 'country') {
    return (got, isCountry) => {
      // Before upper case, which makes ASCII letters of some others: SS of ß, I of ı.
      if (!/^[A-Za-z]{2}$/.test(got)) return refused(got);
      const value = got.toUpperCase();
      return isCountry(value)
        ? { value }
        : { detail: `is ${shown(got)}, which is not one of the 249 assigned codes; ${codeRemedy(value)}` };
    };
  }
  if (schema.format === 'date')
    return (got) => (isoDate.test(got) && isCalendarDate(got) ? { value: got } : refused(got));
  if (schema.format === 'language')
    return (got) => (wellFormed.test(got.trim()) ? { value: got.trim() } : refused(got));
  const { minLength = 1, maxLength = 200 } = schema;
  // NFC makes at most four characters one (Greek with three marks), each of one code unit; what is longer cannot fit, and
  // is not worth normalising (the body of a batch may hold a megabyte of it).
  const maxUnits = maxLength * 6;
  // A pattern is that of a code, which any case means; what does not fit it is for the endpoint to refuse.
  const code = schema.pattern === undefined ? undefined : new RegExp(schema.pattern);
  return (got) => {
    const bare = got.trim();
    if (bare.length > maxUnits) return { detail: `has ${bare.length} characters, expected ${expected}` };
    const value = bare.toWellFormed().normalize('NFC');
    // Characters are code points: 200 emoji are 200 characters. The cheap length settles all but odd cases.
    const length = value.length <= maxLength && minLength <= 1 ? value.length : [...value].length;
    if (length === 0) return { detail: `is empty, expected ${expected}` };
    return length < minLength || length > maxLength
      ? { detail: `has ${length} characters, expected ${expected}` }
      : { value: code?.test(value) ? value.toUpperCase() : value };
  };
}

function isCalendarDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
