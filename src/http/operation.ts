import { type Endpoint, type Profile, profiles } from '../endpoints/endpoint.ts';
import { compileParameters } from '../endpoints/read-parameters.ts';
import { compileFormat, type Format, withFormat } from './format.ts';
import { compileSerialiser, type Serialiser } from './serialise.ts';

type ReadParameters = ReturnType<typeof compileParameters>;

/** An endpoint made ready to be called in each profile. */
export type Operation = {
  /** As the list of endpoints names it. */
  name: string;
  endpoint: Endpoint;
  /** The endpoint as it is declared: without what HTTP adds to its parameters. */
  declared: Endpoint;
  /** Whether a call counts against the day's quota. */
  isCounted: boolean;
  read: Record<Profile, ReadParameters>;
  /** Compiled when first asked for, as is `formatted`. */
  serialiser(profile: Profile): Serialiser;
  /** Writes `default` answers in another form than JSON; for the endpoints whose parameters name `format`. */
  formatted(format: Exclude<Format, 'json'>): Serialiser;
};

/** Makes an endpoint ready; a list gets the parameter `format`. */
export function createOperation(name: string, declared: Endpoint, isCounted: boolean): Operation {
  const endpoint = withFormat(declared);
  const serialisers: Partial<Record<Profile | Format, Serialiser>> = {};
  return {
    name,
    endpoint,
    declared,
    isCounted,
    read: Object.fromEntries(
      profiles.map((profile) => [profile, compileParameters(endpoint.parameters[profile])]),
    ) as Record<Profile, ReadParameters>,
    serialiser(profile) {
      return (serialisers[profile] ??= compileSerialiser(endpoint.response[profile]));
    },
    formatted(format) {
      return (serialisers[format] ??= compileFormat(endpoint, format));
    },
  };
}

/**
 * Finds the operation of a path below `/v1`, as a batch names it, and its path parameters. A path parameter is the last
 * part of a path, as in `/country/{code}`, so that two look-ups in maps find it: a regular expression for each such path
 * was a tenth of a cheap request.
 */
export function createPathMatcher(
  operations: readonly Operation[],
): (path: string) => { operation: Operation; path: Record<string, string> } | undefined {
  const exact = new Map<string, Operation>();
  const byStart = new Map<string, { operation: Operation; name: string }>();
  for (const operation of operations) {
    const { path } = operation.endpoint;
    const [, start, name] = /^(.*\/)\{(\w+)\}$/.exec(path) ?? [];
    if (start !== undefined) byStart.set(start, { operation, name });
    else if (!path.includes('{')) exact.set(path, operation);
    else throw new Error(`the path ${path} has a parameter before its last part, which the matcher does not know`);
  }
  return (path) => {
    const operation = exact.get(path);
    if (operation) return { operation, path: {} };
    const end = path.lastIndexOf('/') + 1;
    const found = byStart.get(path.slice(0, end));
    if (!found || end === path.length) return undefined;
    return { operation: found.operation, path: { [found.name]: path.slice(end) } };
  };
}
