/** The parts of the API's description that no endpoint declares: headers, errors, keys, and what is open without one. */
import { errorTable } from '../errors.ts';
import { accountPaths } from './account-description.ts';

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

export const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: '`wab_` and 36 letters and digits; signing up or `whereabouts keys create` makes one.',
  },
};

const variant = {
  required: false,
  description: "Profile of the answer; the key's own setting, else `default`, where none is named.",
  schema: { type: 'string', enum: ['default', 'a', 'b'] },
};

export const parameterComponents = {
  variant: { name: 'variant', in: 'query', ...variant },
  variantHeader: { name: 'X-API-Variant', in: 'header', ...variant },
};

const header = (description: string, type = 'string') => ({ description, schema: { type } });

export const answerHeaders = {
  'X-Request-Id': header("The request's own X-Request-Id, or one made for it."),
  ETag: header('Weak tag of dataset, profile and parameters, where the answer depends on nothing else.'),
  'Cache-Control': header('How long the answer may be kept, by its client only.'),
  'X-Ignored-Parameters': header('Names of parameters that the endpoint does not know.'),
  'RateLimit-Policy': header("The key's quota of the day and its burst (draft-ietf-httpapi-ratelimit-headers-10)."),
  RateLimit: header('What is left of both, and the seconds until they are whole again.'),
  'X-RateLimit-Limit': header('Calls a UTC day.', 'integer'),
  'X-RateLimit-Remaining': header('Calls left of this UTC day.', 'integer'),
  'X-RateLimit-Reset': header('Seconds until the next UTC day.', 'integer'),
  'Retry-After': header('Seconds to wait before the next try.', 'integer'),
};

const open = (operationId: string, summary: string, schema: object, more: object = {}) => ({
  servers: [{ url: '/' }],
  get: {
    operationId,
    tags: ['Service'],
    summary,
    security: [],
    responses: {
      200: { description: 'The answer.', content: { 'application/json': { schema } } },
      414: { $ref: '#/components/responses/414' },
      500: { $ref: '#/components/responses/500' },
      ...more,
    },
  },
});

const health = {
  type: 'object',
  required: ['status', 'query_ms'],
  properties: { status: { type: 'string', const: 'ok' }, query_ms: { type: 'integer' } },
};
const unavailable = { 503: { $ref: '#/components/responses/503' } };

/** Paths beside those below /v1: what needs no key, and the account. */
export const openPaths = {
  ...accountPaths,
  '/status': open('status', 'Version, dataset, its layers and sources', {
    type: 'object',
    required: ['status', 'version', 'uptime_seconds', 'dataset', 'query_ms'],
    properties: {
      status: { type: 'string', enum: ['ok', 'starting', 'stopping'] },
      version: { type: 'string' },
      uptime_seconds: { type: 'integer' },
      dataset: {
        type: ['object', 'null'],
        required: ['version', 'built_at', 'layers', 'sources'],
        properties: {
          version: { type: 'string' },
          built_at: { type: 'string', format: 'date-time' },
          layers: {
            type: 'object',
            additionalProperties: {
              type: 'object',
              required: ['records', 'sources'],
              properties: {
                records: { type: 'object', additionalProperties: { type: 'integer' } },
                sources: {
                  type: 'array',
                  items: {
                    type: 'object',
                    required: ['id', 'vintage'],
                    properties: { id: { type: 'string' }, vintage: { type: ['string', 'null'] } },
                  },
                },
              },
            },
          },
          sources: {
            type: 'array',
            items: {
              type: 'object',
              required: ['id', 'title', 'version', 'vintage', 'licence', 'attribution', 'url'],
              properties: {
                id: { type: 'string', description: 'As records carry it in `sources`.' },
                title: { type: 'string' },
                version: { type: 'string' },
                vintage: { type: ['string', 'null'], description: 'Date of the data itself.' },
                licence: { type: 'string' },
                attribution: { type: 'string' },
                url: { type: 'string' },
              },
            },
          },
        },
      },
      query_ms: { type: 'integer' },
    },
  }),
  '/health/live': open('live', 'Whether the process runs', health),
  '/health/ready': open('ready', 'Whether it takes requests', health, unavailable),
};
