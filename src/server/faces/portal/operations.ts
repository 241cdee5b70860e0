/** The operations below /v1, as pages show them. */
import type { Profile } from '../../../endpoints/endpoint.ts';
import { errorTable } from '../../../errors.ts';
import {
  type ApiRoute,
  type DescribedParameter,
  distinctAnswers,
  parametersOf,
  problemsOf,
  type Schema,
} from '../openapi.ts';
import tables from './tables.json' with { type: 'json' };

export type { DescribedParameter as Parameter, Schema };

export type PageOperation = ReturnType<typeof pageOperations>[number];

/** The operations below /v1; jobs, which are several requests, have a page of the documentation. */
export const pageOperations = (routes: readonly ApiRoute[]) =>
  routes
    .filter(({ hasProfiles }) => hasProfiles)
    .map((route) => ({
      id: route.name,
      method: route.method,
      path: route.path.slice('/v1'.length),
      /** The path without its slash, as people call it. */
      name: route.path.slice('/v1/'.length),
      /** Path of its page. */
      page: `/docs/endpoints/${route.name}`,
      summary: route.summary,
      description: route.description ?? '',
      parameters: parametersOf(route),
      /** One, or one for each profile that differs. */
      answers: distinctAnswers(route.answers[200] as Record<Profile, unknown>).map(({ schema, of }) => ({
        schema,
        label: of[0] === 'default' ? '' : ` in profile ${of[0]}`,
      })),
      statuses: statusesOf(route),
      /** Body of a POST. */
      example: route.example,
      /** What answers its example here; undefined where a page shows no answer. */
      operation: route.operation?.isCounted ? route.operation : undefined,
    }));

/** The error codes of each status that a request to an endpoint meets. */
function statusesOf(route: ApiRoute) {
  const foreign = ['sign_up_closed', 'link_not_valid', ...(route.takes ? [] : ['invalid_body'])];
  const statuses = new Set([...problemsOf(route), 414, 500]);
  return [...statuses]
    .sort((a, b) => a - b)
    .map((status) => ({
      status,
      codes: Object.entries(errorTable)
        .filter(([code, error]) => error.status === status && !foreign.includes(code))
        .map(([code]) => code),
    }));
}

/** Parameters of an example, where the required ones alone do not make one. */
const samples: Record<string, Record<string, string> | undefined> = tables.samples;
const fallbacks: Record<string, unknown> = { lat: 52.52, lng: 13.405 };

type Example = Pick<PageOperation, 'id' | 'method' | 'path' | 'parameters'>;

/** A request that answers: its address, and the parameters in it. */
export function exampleOf({ id, path, parameters, method }: Example) {
  const query = new URLSearchParams(samples[id]);
  const inPath: Record<string, string> = {};
  for (const { name, in: where, required, example = fallbacks[name] } of method === 'POST' ? [] : parameters) {
    if (where === 'path') inPath[name] = String(example);
    else if (required && !samples[id]) query.set(name, String(example));
  }
  const target = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(inPath[name]));
  const url = `/v1${target}${query.size > 0 ? `?${query}` : ''}`;
  return { url, parameters: { ...Object.fromEntries(query), ...inPath } };
}
