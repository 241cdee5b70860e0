/** Maps columns of a table to parameters of an endpoint. */
import { fieldsWithoutText } from '../endpoints/address.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { endpointNamed } from '../endpoints/index.ts';
import { UsageError } from '../errors.ts';
import { fold } from '../text/fold.ts';
import columnNames from './column-names.json' with { type: 'json' };

/** Parameters by name: the columns whose cells, joined by a blank, are its value. */
export type ColumnMap = ReadonlyMap<string, readonly string[]>;

/** Letters and digits of a column's name, without accents: `Post-Code` is `postcode`. */
const plain = (name: string) => fold(name).replaceAll(' ', '');
const usualNames: ReadonlyMap<string, string> = new Map(
  Object.entries(columnNames).flatMap(([parameter, names]) =>
    [parameter, ...names.split(', ')].map((name) => [plain(name), parameter]),
  ),
);

/** Positions of columns by parameter: those of its own name, else the first of a usual one, such as `PLZ` of `postal_code`. */
export function columnsByParameter(header: readonly string[]): Map<string, number> {
  const names = header.map((name) => name.trim().toLowerCase());
  const usual = names.map((name, at) => [usualNames.get(plain(name)) ?? name, at] as const);
  return new Map([...usual.toReversed(), ...names.map((name, at) => [name, at] as const)]);
}

/**
 * The endpoint that a table is meant for where none was named: `ip` where a column or option says the IP address,
 * `reverse` where they say latitude and longitude, `address` where they say a street, or a city and nothing unknown, which
 * may be its street, else `search`.
 */
export function endpointFor(
  header: readonly string[],
  { map, fixed }: { map: ColumnMap; fixed: Readonly<Record<string, string>> },
): Endpoint {
  const named = new Set([...columnsByParameter(header).keys(), ...map.keys(), ...Object.keys(fixed)]);
  if (named.has('q')) return endpointNamed('search');
  if (named.has('ip')) return endpointNamed('ip');
  if (named.has('lat') && named.has('lng')) return endpointNamed('reverse');
  const isTown = named.has('city') && header.every((name) => usualNames.has(plain(name)));
  return endpointNamed(named.has('street') || isTown ? 'address' : 'search');
}

type Parameterised = Pick<Endpoint, 'path' | 'parameters'>;

/** Reads `q=street+city,country=cc`. Throws UsageError for anything else. */
export function parseColumnMap(written: string): ColumnMap {
  const map = new Map<string, readonly string[]>();
  for (const part of written.split(',')) {
    const at = part.indexOf('=');
    const name = part.slice(0, at).trim();
    const columns = part
      .slice(at + 1)
      .split('+')
      .map((column) => column.trim());
    if (at < 1 || columns.includes('')) {
      throw new UsageError(`--columns has "${part}", expected parameter=column or parameter=column+column`);
    }
    if (map.has(name)) throw new UsageError(`--columns has ${name} twice; join columns as ${name}=column+column`);
    map.set(name, columns);
  }
  return map;
}

/**
 * Makes the function that takes a row's parameters from its cells. A parameter comes from the columns that `map` names,
 * else from the column of its own name (any case) or a usual one that `map` does not use, and not from one that another
 * column excludes: with `q`, the endpoint /address gets no `street`. An empty cell is a parameter that is not given. Throws UsageError when a column
 * or parameter does not exist, or a required parameter has no column, or a column that is used stands twice in the header.
 */
export function compileColumns(
  endpoint: Parameterised,
  header: readonly string[],
  map: ColumnMap,
  fixed: Readonly<Record<string, string>>,
): (row: readonly string[]) => Record<string, unknown> {
  const { properties, required = [] } = endpoint.parameters.default as unknown as {
    properties: Record<string, { default?: unknown; type?: string }>;
    required?: string[];
  };
  checkParameters(endpoint, [...map.keys(), ...Object.keys(fixed)]);
  const names = header.map((name) => name.trim().toLowerCase());
  const positions = new Map(names.map((name, position) => [name, position]));
  const mapped = new Set([...map.values()].flat().map((column) => column.toLowerCase()));
  const own = columnsByParameter(header);
  const hasText = map.has('q') || own.has('q') || Object.hasOwn(fixed, 'q');
  const withoutText: readonly string[] = Object.hasOwn(properties, 'q') ? fieldsWithoutText : [];
  const sources: { name: string; positions: number[] }[] = [];
  for (const [name, { default: fallback }] of Object.entries(properties)) {
    const columns = map.get(name);
    if (Object.hasOwn(fixed, name)) continue;
    if (columns) sources.push({ name, positions: columns.map((column) => positionOf(column, positions, header)) });
    else if (own.has(name) && !mapped.has(names[own.get(name)!]) && !(hasText && withoutText.includes(name)))
      sources.push({ name, positions: [own.get(name)!] });
    else if (required.includes(name) && fallback === undefined) {
      throw new UsageError(
        `no column matches ${name} of the endpoint ${endpoint.path}; the header is ${shown(header)}: name one with ` +
          `--columns ${name}=<column>, several joined by +, or set the same value for all rows with --set ${name}=<value>`,
      );
    }
  }
  // Joined over and over, a cell would be as long as one likes.
  const again = sources.find(({ positions }) => new Set(positions).size < positions.length);
  if (again) throw new UsageError(`--columns has a column twice for ${again.name}; name each once`);
  const twice = sources.flatMap((source) => source.positions).find((at) => names.indexOf(names[at]) !== at);
  if (twice !== undefined) {
    throw new UsageError(`the header has the column "${header[twice]}" twice; rename one of them, or leave it out`);
  }
  if (sources.length === 0) {
    throw new UsageError(`no column matches a parameter; the header is ${shown(header)}, and ${known(endpoint)}`);
  }
  return (row) => {
    const raw: Record<string, unknown> = { ...fixed };
    for (const { name, positions } of sources) {
      const value = positions
        .map((position) => row[position]?.trim() ?? '')
        .filter((cell) => cell !== '')
        .join(' ');
      // Most of Europe writes a number with a comma.
      if (value !== '')
        raw[name] = properties[name].type === 'number' ? value.replace(/^(-?\d+),(\d+)$/, '$1.$2') : value;
    }
    return raw;
  };
}

/** Throws UsageError for a name that is no parameter of the endpoint. */
export function checkParameters(endpoint: Parameterised, names: readonly string[]): void {
  const { properties } = endpoint.parameters.default;
  const unknown = names.find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined) throw new UsageError(`there is no parameter "${unknown}"; ${known(endpoint)}`);
}

const known = ({ path, parameters }: Parameterised) =>
  `${path} has the parameters ${Object.keys(parameters.default.properties).join(', ')}`;

function positionOf(column: string, positions: ReadonlyMap<string, number>, header: readonly string[]): number {
  const position = positions.get(column.toLowerCase());
  if (position !== undefined) return position;
  throw new UsageError(
    `there is no column "${column}"; the header is ${shown(header)}. If that is one column, set --delimiter`,
  );
}

const shown = (header: readonly string[]) => JSON.stringify(header.join(', ').slice(0, 300));
