import type { Static } from 'typebox';
import type { Profile } from '../../endpoints/endpoint.ts';
import { queryMs } from '../../endpoints/parameters.ts';
import { type ParameterError, WhereaboutsError } from '../../errors.ts';
import { Type } from '../../schema.ts';

/** The body of a batch, for the API's description; readBatch checks it. */
export const batchRequest = Type.Object({
  requests: Type.Array(
    Type.Object({
      endpoint: Type.String({
        description: 'Path of a GET endpoint, with or without the leading slash and /v1.',
        examples: ['search', '/country/DE'],
      }),
      params: Type.Record(
        Type.String(),
        Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] }),
        { description: 'Its query parameters; may be empty.' },
      ),
    }),
    { maxItems: 100 },
  ),
});
export type BatchEntry = Static<typeof batchRequest>['requests'][number];

const index = Type.Integer({ description: 'Position in the request.' });
const status = Type.Integer({ description: 'HTTP status of the entry; 200 is success.' });
const data = Type.Object({}, { description: "The endpoint's answer, or a problem document." });
const total = Type.Integer({ description: 'Number of requests.' });
const successful = Type.Integer({ description: 'Entries with status 200.' });
const failed = Type.Integer({ description: 'All other entries.' });
const count = Type.Integer({ description: 'Number of entries.' });

/** The answer to a batch in each profile. */
export const batchResponse = {
  default: Type.Object({
    results: Type.Array(Type.Object({ index, status, data })),
    total,
    successful,
    failed,
    count,
    ...queryMs,
  }),
  a: Type.Object({
    results: Type.Array(Type.Object({ index, status, data })),
    total,
    successful,
    failed,
    ...queryMs,
  }),
  b: Type.Object({ results: Type.Array(Type.Object({ status, body: data })), count, ...queryMs }),
} satisfies Record<Profile, unknown>;

const maxNamed = 20;
/** Names that the parameters of a request may have, known or not: no endpoint knows half as many. */
export const maxParameters = 100;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const kindOf = (value: unknown) => {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return isObject(value) ? 'an object' : `a ${typeof value}`;
};

/** The entries of a batch's body. Throws `invalid_body` naming everything that has not the described shape. */
export function readBatch(body: unknown, maxEntries: number): BatchEntry[] {
  const errors: ParameterError[] = [];
  const wrong = (parameter: string, value: unknown, expected: string) => {
    errors.push({ parameter, detail: `${parameter} is ${kindOf(value)}, expected ${expected}` });
  };
  const requests = isObject(body) ? body.requests : undefined;
  if (!isObject(body)) wrong('body', body, 'an object with the array "requests"');
  else if (!Array.isArray(requests)) wrong('requests', requests, 'an array of {"endpoint": "...", "params": {...}}');
  else if (requests.length > maxEntries) {
    const detail = `requests has ${requests.length} entries, at most ${maxEntries} are allowed; send several batches`;
    errors.push({ parameter: 'requests', detail });
  } else {
    for (const [position, entry] of requests.entries()) {
      if (errors.length >= maxNamed) break;
      const name = `requests[${position}]`;
      if (isObject(entry) && typeof entry.endpoint === 'string' && isObject(entry.params)) {
        const names = Object.keys(entry.params).length;
        if (names <= maxParameters) continue;
        const detail = `${name}.params has ${names} names, at most ${maxParameters} are allowed`;
        errors.push({ parameter: `${name}.params`, detail });
        continue;
      }
      if (!isObject(entry)) {
        wrong(name, entry, 'an object with "endpoint" and "params"');
        continue;
      }
      if (typeof entry.endpoint !== 'string') wrong(`${name}.endpoint`, entry.endpoint, 'a string such as "search"');
      if (!isObject(entry.params)) wrong(`${name}.params`, entry.params, 'an object, which may be empty');
    }
  }
  if (errors.length === 0) return requests as BatchEntry[];
  throw new WhereaboutsError('invalid_body', errors.map(({ detail }) => detail).join('; '), { errors });
}
