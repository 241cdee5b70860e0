import type { Endpoint, Profile } from '../endpoints/endpoint.ts';
import { compileParameters } from '../endpoints/read-parameters.ts';
import { compileCsv, compileGeojson, type Format } from './format.ts';
import { compileShape, JsonBody } from './json-body.ts';

/** An endpoint compiled for each profile; a profile is compiled with its first request. */
export type Operation = ReturnType<typeof createOperation>;

/** Compiles an endpoint; `name` is that of the list of endpoints. */
export function createOperation(name: string, endpoint: Endpoint) {
  const readers = lazily((profile: Profile) => compileParameters(endpoint.parameters[profile]));
  const shapes = lazily((profile: Profile) => compileShape(endpoint.response[profile]));
  const csv = lazily((_: 'csv') => compileCsv(endpoint));
  const geojson = lazily((_: 'geojson') => compileGeojson(endpoint));
  const explains = 'explain' in endpoint.parameters.default.properties;
  return {
    name,
    endpoint,
    /** Whether names in its answers, in the profile `default`, are in the language that its caller prefers. */
    takesLanguage: 'lang' in endpoint.parameters.default.properties,
    /** Cost of a request in calls: an explained answer takes more work and is larger. */
    callsOf: ({ explain }: Readonly<Record<string, unknown>>) =>
      explains && (explain === true || explain === 'true' || explain === '1') ? 2 : 1,
    /** Reads the parameters of a profile. */
    read: readers,
    /** Serialises an answer in a profile, in another format than JSON if the parameters request one. */
    body(answer: object, profile: Profile, format: Format): JsonBody | string {
      if (format === 'csv') return csv(format)(answer);
      return new JsonBody(answer, format === 'json' ? shapes(profile) : geojson(format));
    },
  };
}

/** Every operation of a list of endpoints, by name. */
export const createOperations = (endpoints: Readonly<Record<string, Endpoint>>): Record<string, Operation> =>
  Object.fromEntries(Object.entries(endpoints).map(([name, endpoint]) => [name, createOperation(name, endpoint)]));

function lazily<K extends string, V>(make: (key: K) => V): (key: K) => V {
  const made: Partial<Record<K, V>> = {};
  return (key) => (made[key] ??= make(key));
}
