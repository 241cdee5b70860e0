import type { Endpoint, Profile } from '../endpoints/endpoint.ts';
import { compileParameters } from '../endpoints/read-parameters.ts';
import { compileCsv, compileGeojson, type Format } from './format.ts';
import { compileShape, JsonBody } from './json-body.ts';

/** An endpoint compiled for each profile; a profile is compiled with its first request. */
export type Operation = {
  /** As the list of endpoints names it. */
  name: string;
  endpoint: Endpoint;
  /** Whether names in its answers, in the profile `default`, are in the language that its caller prefers. */
  takesLanguage: boolean;
  /** Cost of a request in calls: an explained answer takes more work and is larger. */
  callsOf(raw: Readonly<Record<string, unknown>>): number;
  /** Reads the parameters of a profile. */
  read(profile: Profile): ReturnType<typeof compileParameters>;
  /** Serialises an answer in a profile, in another format than JSON if the parameters request one. */
  body(answer: object, profile: Profile, format: Format): JsonBody | string;
};

/** Compiles an endpoint. */
export function createOperation(name: string, endpoint: Endpoint): Operation {
  const readers = lazily((profile: Profile) => compileParameters(endpoint.parameters[profile]));
  const shapes = lazily((profile: Profile) => compileShape(endpoint.response[profile]));
  const csv = lazily((_: 'csv') => compileCsv(endpoint));
  const geojson = lazily((_: 'geojson') => compileGeojson(endpoint));
  const explains = 'explain' in endpoint.parameters.default.properties;
  return {
    name,
    endpoint,
    takesLanguage: 'lang' in endpoint.parameters.default.properties,
    callsOf: ({ explain }) => (explains && (explain === true || explain === 'true' || explain === '1') ? 2 : 1),
    read: readers,
    body(answer, profile, format) {
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
