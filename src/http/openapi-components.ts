/** The parts of the API's description that neither endpoints nor actions declare: headers and keys. */
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

export const ownerCode = {
  name: 'X-Owner-Code',
  in: 'header',
  required: false,
  description: "Owner's code, for a key that is restricted to origins.",
  schema: { type: 'string' },
};
