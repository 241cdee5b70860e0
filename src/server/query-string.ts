import type { ParameterError } from '../errors.ts';

/** Query parameters by name: one string, or several where a name was given several times. */
export type RawQuery = Record<string, string | string[]>;

// Objects without inherited names, so that `__proto__` and `constructor` are names like any other; instances of a class
// because those are several times faster to make and read than Object.create(null).
class Query {
  [name: string]: string | string[];
}
Reflect.deleteProperty(Query.prototype, 'constructor');
Object.setPrototypeOf(Query.prototype, null);

/**
 * Takes a query string apart (without `?`; `+` is a blank). What is not percent-encoded UTF-8 is listed in `errors`
 * and left out.
 */
export function parseQuery(text: string): { query: RawQuery; errors: ParameterError[] | undefined } {
  const query: RawQuery = new Query();
  let errors: ParameterError[] | undefined;
  for (let start = 0; start < text.length; ) {
    let end = text.indexOf('&', start);
    if (end === -1) end = text.length;
    if (end > start) {
      let equals = text.indexOf('=', start);
      if (equals === -1 || equals > end) equals = end;
      const name = decode(text.slice(start, equals));
      const value = decode(text.slice(equals + 1, end));
      if (name === undefined || value === undefined) {
        const parameter = name ?? text.slice(start, equals);
        const got = JSON.stringify(text.slice(start, Math.min(end, start + 60)));
        errors = errors ?? [];
        errors.push({ parameter, detail: `${got} is not percent-encoded UTF-8; encode "%" itself as %25` });
      } else if (name in query) query[name] = [query[name], value].flat();
      else query[name] = value;
    }
    start = end + 1;
  }
  return { query, errors };
}

function decode(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
