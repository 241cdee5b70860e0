/** The errors of the API's description. */
import { errorTable } from '../errors.ts';

export const problemSchema = {
  type: 'object',
  description: 'An error (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id', 'query_ms'],
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'Page that explains the code.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What was got, what is expected, and the remedy.' },
    code: { type: 'string', enum: Object.keys(errorTable), description: 'Stable and for programs.' },
    errors: {
      type: 'array',
      description: 'Every parameter at fault.',
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
  401: 'no key was sent; put it into the X-API-Key header',
  403: 'the key may not be used from the origin "https://example.com"; its owner allowed https://example.org',
  404: 'there is no path "/places"; /openapi.json lists all paths',
  405: 'the method is PUT, expected GET or HEAD',
  408: 'the request did not arrive within 30 seconds',
  413: 'the body has more than 1,048,576 bytes; send it in smaller parts',
  414: 'the address has more than 8,192 characters',
  415: 'the content type is "text/plain", expected application/json',
  429: 'the 1,000 calls of this day are used up; the next day begins in 3600 seconds',
  431: 'the headers have more than 16,384 bytes',
  500: 'an error on our side; name the request when you report it',
  503: 'the service is starting; ask again in a moment',
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
