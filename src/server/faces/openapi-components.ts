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
