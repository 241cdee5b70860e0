/**
 * The client of a Whereabouts service.
 *
 *     import { createClient } from '@whereabouts/client';
 *     const whereabouts = createClient({ baseUrl: 'https://location.example.org', apiKey: 'wab_…' });
 *     const { results } = await whereabouts.search({ q: 'paris texas' });
 *
 * Every endpoint is a method, typed from the service's OpenAPI description.
 */
export type * from './api.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export { type ErrorCode, WhereaboutsApiError } from './error.ts';
export type { CallOptions } from './send.ts';
