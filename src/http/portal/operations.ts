/** The operations below /v1, as the API's description tells them, for the pages about them. */

export type Schema = {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  $ref?: string;
};

export type Parameter = {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
};

export type Operation = {
  id: string;
  method: 'GET' | 'POST';
  path: string;
  /** The path without its slash and parameters, as people call it. */
  name: string;
  /** Where its page is. */
  page: string;
  summary: string;
  description: string;
  parameters: Parameter[];
  /** Answers: one, or one for each profile that differs. */
  answers: { label: string; schema: Schema }[];
  statuses: { status: number; codes: string[] }[];
  /** Body of a POST. */
  example: unknown;
};

type Described = {
  operationId: string;
  summary: string;
  description: string;
  parameters?: (Parameter & { $ref?: string })[];
  requestBody?: { content: Record<string, { example: unknown }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }>; $ref?: string }>;
};
type Api = {
  paths: Record<string, { servers?: unknown; get?: Described; post?: Described }>;
  components: { schemas: Record<string, Schema>; responses: Record<string, unknown> };
};

/** Every operation below /v1, in the order of the description. */
export function operationsOf(description: object): Operation[] {
  const api = description as Api;
  return Object.entries(api.paths)
    .filter(([, item]) => item.servers === undefined)
    .flatMap(([path, item]) => [
      ...(item.get ? [operationOf(api, path, 'GET', item.get)] : []),
      ...(item.post ? [operationOf(api, path, 'POST', item.post)] : []),
    ]);
}

function operationOf(api: Api, path: string, method: 'GET' | 'POST', described: Described): Operation {
  const name = path.slice(1);
  return {
    id: described.operationId,
    method,
    path,
    name,
    page: `/docs/endpoints/${described.operationId}`,
    summary: described.summary,
    description: described.description,
    parameters: (described.parameters ?? []).filter(({ $ref }) => $ref === undefined),
    answers: answersOf(api, described.responses[200].content?.['application/json'].schema ?? {}),
    statuses: Object.keys(described.responses)
      .map(Number)
      .filter((status) => status >= 400)
      .map((status) => ({ status, codes: codesOf(api, status).filter((code) => !isForeign(code, method)) })),
    example: described.requestBody?.content['application/json'].example,
  };
}

function answersOf(api: Api, schema: Schema): Operation['answers'] {
  const refs = (schema.anyOf ?? [schema]).map(({ $ref = '' }) => $ref.split('/').at(-1)!);
  return refs.map((ref) => {
    const [, variant] = /Variant([AB])$/.exec(ref) ?? [];
    return { label: variant ? ` in profile ${variant.toLowerCase()}` : '', schema: api.components.schemas[ref] };
  });
}

/** Codes that share a status with an operation's own, but only other requests meet. */
const isForeign = (code: string, method: 'GET' | 'POST') =>
  ['sign_up_closed', 'link_not_valid'].includes(code) || (method === 'GET' && code === 'invalid_body');

/** The error codes of a status, from the description of its answer. */
function codesOf(api: Api, status: number): string[] {
  const text = JSON.stringify(api.components.responses[status] ?? '');
  const list = /"enum":(\[[^\]]*\])/.exec(text)?.[1];
  return list ? JSON.parse(list) : [];
}

/** Parameters of an example, where the required ones alone do not make one. */
const samples: Record<string, Record<string, string>> = {
  search: { q: 'paris texas' },
  timezone: { lat: '52.52', lng: '13.405' },
  sun: { lat: '59.913', lng: '10.752' },
  distance: { from_city: 'Paris', to_city: 'Rome' },
  streets: { q: '18 de Julio', lat: '-34.9058', lng: '-56.1913' },
  pois: { lat: '-34.9058', lng: '-56.1913' },
  address: { q: 'Avenida 18 de Julio 1234', country: 'UY' },
  ip: { ip: '8.8.8.8' },
};
const fallbacks: Record<string, unknown> = { lat: 52.52, lng: 13.405 };

/** An address that answers. */
export function exampleUrl({ id, path, parameters, method }: Operation): string {
  if (method === 'POST') return `/v1${path}`;
  const query = new URLSearchParams(samples[id] ?? {});
  let target = path;
  for (const { name, in: where, required, example = fallbacks[name] } of parameters) {
    if (where === 'path') target = target.replace(`{${name}}`, encodeURIComponent(String(example)));
    else if (required && !samples[id]) query.set(name, String(example));
  }
  return `/v1${target}${query.size > 0 ? `?${query}` : ''}`;
}
