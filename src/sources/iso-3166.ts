/**
 * The code lists of the npm package iso-3166: `1.js` (ISO 3166-1) and `2.js` (ISO 3166-2). Both are one array of flat
 * object literals with string values, which are read as text: a build runs no code of a data package.
 */

/** An officially assigned country: alpha-2 and alpha-3 code, and ISO's short name. */
export type IsoCountry = { alpha2: string; alpha3: string; name: string };

/** A subdivision: its code such as `US-CA`; `parent` is the alpha-2 code, or the code of the subdivision it is in. */
export type IsoSubdivision = { code: string; parent: string; name: string };

/** The countries of `1.js`. Throws when the text does not have their form. */
export function readIsoCountries(text: string): IsoCountry[] {
  return readLiterals(text, ['alpha2', 'alpha3', 'name']) as IsoCountry[];
}

/** The subdivisions of `2.js`. Throws when the text does not have their form. */
export function readIsoSubdivisions(text: string): IsoSubdivision[] {
  return readLiterals(text, ['code', 'parent', 'name']) as IsoSubdivision[];
}

const literal = /\{([^{}]*)\}/g;
const property = /(\w+):\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g;

function readLiterals(text: string, wanted: readonly string[]): Record<string, string>[] {
  const array = text.slice(text.indexOf('= ['));
  const rows: Record<string, string>[] = [];
  for (const [, body] of array.matchAll(literal)) {
    const row: Record<string, string> = {};
    for (const [, name, single, double] of body.matchAll(property)) row[name] = withoutEscapes(single ?? double);
    const missing = wanted.find((name) => row[name] === undefined);
    if (missing !== undefined) {
      throw new Error(`iso-3166: entry {${body.trim()}} lacks ${missing}; the format of the package has changed`);
    }
    rows.push(row);
  }
  if (rows.length === 0) throw new Error('iso-3166: no entries found; expected the format of version 4.4.0');
  return rows;
}

function withoutEscapes(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}
