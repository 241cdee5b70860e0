import type { Endpoint, Profile } from '../endpoints/endpoint.ts';
import { compileParameters } from '../endpoints/read-parameters.ts';
import { compileFormat, type Format } from './format.ts';
import { compileShape } from './shape.ts';

/** An endpoint ready to be asked in each profile. What a request in a profile needs is made with the first one. */
export type Operation = {
  /** As the list of endpoints names it. */
  name: string;
  endpoint: Endpoint;
  /** What a question costs, calls: an answer that explains itself is worked out with more of its engine, and is large. */
  callsOf(raw: Readonly<Record<string, unknown>>): number;
  /** Reads the parameters of a profile. */
  read(profile: Profile): ReturnType<typeof compileParameters>;
  /** Shapes what the endpoint gives in a profile; in a form other than JSON where the parameters name one. */
  shape(profile: Profile, format: Format): (answer: object) => Record<string, unknown> | string;
};

/** Makes an endpoint ready to be asked. */
export function createOperation(name: string, endpoint: Endpoint): Operation {
  const readers = lazily((profile: Profile) => compileParameters(endpoint.parameters[profile]));
  const shapes = lazily((profile: Profile) => compileShape(endpoint.response[profile]));
  const formats = lazily((format: Exclude<Format, 'json'>) => compileFormat(endpoint, format));
  const explains = 'explain' in endpoint.parameters.default.properties;
  return {
    name,
    endpoint,
    callsOf: ({ explain }) => (explains && (explain === true || explain === 'true' || explain === '1') ? 2 : 1),
    read: readers,
    shape: (profile, format) => (format === 'json' ? shapes(profile) : formats(format)),
  };
}

/** Every operation of a list of endpoints, by name. */
export const createOperations = (endpoints: Readonly<Record<string, Endpoint>>): Record<string, Operation> =>
  Object.fromEntries(Object.entries(endpoints).map(([name, endpoint]) => [name, createOperation(name, endpoint)]));

function lazily<K extends string, V>(make: (key: K) => V): (key: K) => V {
  const made: Partial<Record<K, V>> = {};
  return (key) => (made[key] ??= make(key));
}
