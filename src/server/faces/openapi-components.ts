/** The parts of the API's description that neither endpoints nor actions declare: errors, headers and keys. */
import { errorTable } from '../../errors.ts';

export const problemSchema = {
  type: 'object',
  description: 'An error (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id', 'query_ms'],
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'Page that explains the code.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What was received, what was expected, and the remedy.' },
    code: { type: 'string', enum: Object.keys(errorTable), description: 'Stable identifier for programs.' },
    errors: {
      type: 'array',
      description: 'All invalid parameters.',
      items: {
        type: 'object',
        required: ['parameter', 'detail'],
        properties: { parameter: { type: 'string' }, detail: { type: 'string' } },
      },
    },
    request_id: { type: 'string' },
    query_ms: { type: 'integer' },
  },
};

/** The detail of an example of each status. */
const problemDetails: Record<number, string> = {
  400: 'lat is "91", expected a decimal number from -90 to 90',
  401: 'no key was sent; send one in the header X-API-Key',
  403: 'the key may not be used from the origin https://example.com; its owner can allow more origins',
  404: 'there is no path "/places"; /openapi.json lists all paths',
  405: '/v1/search does not support PUT; use GET, HEAD, OPTIONS',
  408: 'the request did not arrive within 30 seconds',
  409: 'the job is running (1200 of 5000 rows are answered); wait, or take these with partial=true',
  413: 'the body has more than 1048576 bytes; send fewer requests in one batch',
  414: 'the URL has 9000 characters, expected at most 8192',
  415: 'the content type is "text/plain", expected application/json',
  429: 'the 1000 calls of this UTC day are used up; wait 3600 s for the next day, or use a larger plan',
  431: 'the headers have more than 16,384 bytes; send fewer or shorter ones',
  500: 'internal error; quote the request 0f55b177-5002-44ef-860a-eb7c6b4ccbbe when you report it',
  503: 'the service is starting; try again in a moment',
};

/** Statuses that any request may meet. */
const everywhere = [408, 414, 431, 500];

/** The responses of an operation that answers with problems of `statuses`. */
export const problemRefs = (statuses: readonly number[]) =>
  Object.fromEntries(
    [...new Set([...statuses, ...everywhere])].map((status) => [status, { $ref: `#/components/responses/${status}` }]),
  );

/**
 * One response for each status of the error table, with the codes that have it; but for 405, which no operation that is
 * described answers.
 */
export function problemResponses(): Record<string, object> {
  const described = Object.entries(errorTable).filter(([, { status }]) => status !== 405);
  const byStatus = Map.groupBy(described, ([, { status }]) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, entries]) => [
      status,
      {
        description: entries.map(([code, { title }]) => `\`${code}\`: ${title}.`).join(' '),
        headers: Object.fromEntries(
          ['X-Request-Id', ...(status === 429 || status === 503 ? ['Retry-After'] : [])].map((name) => [
            name,
            { $ref: `#/components/headers/${name}` },
          ]),
        ),
        content: {
          'application/problem+json': {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/Problem' },
                { properties: { code: { enum: entries.map(([code]) => code) } } },
              ],
            },
            example: problemExample(...entries[0]),
          },
        },
      },
    ]),
  );
}

const problemExample = (code: string, { status, title }: { status: number; title: string }) => ({
  type: `/docs/errors/${code}`,
  title,
  status,
  detail: problemDetails[status],
  code,
  request_id: '0192f0c1-5a52-7000-8000-2f0e3c1d9b7a',
  query_ms: 0,
});

/** The parts of the API's description that neither endpoints nor actions declare: headers and keys. */
export const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: '`wab_` and 36 letters and digits. Sign up for one, or create one with `whereabouts keys create`.',
  },
};

const variant = {
  required: false,
  description: "Profile of the answer. By default the key's own setting, or else `default`.",
  schema: { type: 'string', enum: ['default', 'a', 'b'] },
};

export const parameterComponents = {
  variant: { name: 'variant', in: 'query', ...variant },
  variantHeader: { name: 'X-API-Variant', in: 'header', ...variant },
};

const header = (description: string, type = 'string') => ({ description, schema: { type } });

export const answerHeaders = {
  'X-Request-Id': header('The X-Request-Id of the request, or a generated one.'),
  ETag: header('Weak tag of dataset, profile and parameters; only if the answer depends on nothing else.'),
  'Cache-Control': header('How long the client may cache the answer.'),
  'X-Ignored-Parameters': header('Names of unknown parameters in the request.'),
  'X-Incomplete': header('What the answer lacks at this moment: `streets`, the street-level data in a search cluster.'),
  'RateLimit-Policy': header('Daily quota and burst of the key (draft-ietf-httpapi-ratelimit-headers-10).'),
  RateLimit: header('Remaining calls and burst, and the seconds until each is reset.'),
  'X-RateLimit-Limit': header('Calls allowed per UTC day.', 'integer'),
  'X-RateLimit-Remaining': header('Calls left this UTC day.', 'integer'),
  'X-RateLimit-Reset': header('Seconds until the next UTC day.', 'integer'),
  'Retry-After': header('Seconds to wait before the next attempt.', 'integer'),
};

export const ownerCode = {
  name: 'X-Owner-Code',
  in: 'header',
  required: false,
  description: 'Owner code, for a key that is restricted to origins.',
  schema: { type: 'string' },
};
