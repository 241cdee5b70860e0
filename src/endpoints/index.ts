/** The public API on one screen: every GET endpoint below /v1, by the name the library calls it. */
import type { Endpoint } from './endpoint.ts';

export const endpoints = {} as const satisfies Record<string, Endpoint>;
