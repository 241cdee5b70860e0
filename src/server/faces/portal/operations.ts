/** The operations below /v1, as pages show them. */
import { type Profile, profiles } from '../../../endpoints/endpoint.ts';
import { errorTable } from '../../../errors.ts';
import { publicSchema } from '../../../schema.ts';
import {
  type Action,
  type DescribedParameter,
  describeParameters,
  problemsOf,
  type Schema,
  type Served,
} from '../openapi.ts';

export type { DescribedParameter as Parameter, Schema };

export type PageOperation = {
  id: string;
  method: 'GET' | 'POST';
  path: string;
  /** The path without its slash and parameters, as people call it. */
  name: string;
  /** Path of its page. */
  page: string;
  summary: string;
  description: string;
  parameters: DescribedParameter[];
  /** Answers: one, or one for each profile that differs. */
  answers: { label: string; schema: Schema }[];
  statuses: { status: number; codes: string[] }[];
  /** Body of a POST. */
  example: object | undefined;
  /** What answers its example here; undefined where a page shows no answer. */
  served: Served | undefined;
};

/** The operations below /v1; jobs, which are several requests, have a page of the documentation. */
export function pageOperations(served: readonly Served[], actions: readonly Action[]): PageOperation[] {
  return [
    ...served.map((each) => {
      const { name: id, endpoint } = each.operation;
      const { summary, description } = endpoint;
      return {
        ...pathsOf(id, endpoint.path),
        method: 'GET' as const,
        summary,
        description,
        parameters: describeParameters(endpoint),
        answers: answersOf(endpoint.response),
        statuses: statusesOf(problemsOf(each), 'GET'),
        example: undefined,
        served: each.isCounted ? each : undefined,
      };
    }),
    ...actions
      .filter(({ hasProfiles }) => hasProfiles)
      .map(({ name, path, summary, description = '', answers, errors, example }) => ({
        ...pathsOf(name, path.slice('/v1'.length)),
        method: 'POST' as const,
        summary,
        description,
        parameters: [],
        answers: answersOf(answers[200] as Record<Profile, unknown>),
        statuses: statusesOf([...errors, 414, 500], 'POST'),
        example,
        served: undefined,
      })),
  ];
}

const pathsOf = (id: string, path: string) => ({ id, path, name: path.slice(1), page: `/docs/endpoints/${id}` });

function answersOf(response: Record<Profile, unknown>): PageOperation['answers'] {
  const byText = new Map<string, { label: string; schema: Schema }>();
  for (const profile of profiles) {
    const schema = publicSchema(response[profile] as Schema);
    const text = JSON.stringify(schema);
    const label = profile === 'default' ? '' : ` in profile ${profile}`;
    if (!byText.has(text)) byText.set(text, { label, schema });
  }
  return [...byText.values()];
}

/** The error codes of each status that a request to an endpoint meets. */
function statusesOf(statuses: readonly number[], method: 'GET' | 'POST'): PageOperation['statuses'] {
  const foreign = ['sign_up_closed', 'link_not_valid', ...(method === 'GET' ? ['invalid_body'] : [])];
  return statuses
    .toSorted((a, b) => a - b)
    .map((status) => ({
      status,
      codes: Object.entries(errorTable)
        .filter(([code, error]) => error.status === status && !foreign.includes(code))
        .map(([code]) => code),
    }));
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
export function exampleUrl({ id, path, parameters, method }: PageOperation): string {
  if (method === 'POST') return `/v1${path}`;
  const query = new URLSearchParams(samples[id] ?? {});
  let target = path;
  for (const { name, in: where, required, example = fallbacks[name] } of parameters) {
    if (where === 'path') target = target.replace(`{${name}}`, encodeURIComponent(String(example)));
    else if (required && !samples[id]) query.set(name, String(example));
  }
  return `/v1${target}${query.size > 0 ? `?${query}` : ''}`;
}
