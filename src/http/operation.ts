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

/** Finds the operation of a path below `/v1`, as a batch names it, and its path parameters. */
export function createPathMatcher(
  operations: readonly Operation[],
): (path: string) => { operation: Operation; path: Record<string, string> } | undefined {
  const exact = new Map<string, Operation>();
  const patterns: { operation: Operation; pattern: RegExp }[] = [];
  for (const operation of operations) {
    const { path } = operation.endpoint;
    if (!path.includes('{')) exact.set(path, operation);
    else patterns.push({ operation, pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`) });
  }
  return (path) => {
    const operation = exact.get(path);
    if (operation) return { operation, path: {} };
    for (const { operation, pattern } of patterns) {
      const groups = pattern.exec(path)?.groups;
      if (groups) return { operation, path: { ...groups } };
    }
    return undefined;
  };
}
