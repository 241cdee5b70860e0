import { ask as askOperation, createOperation } from '../../src/api/execute.ts';
import { WhereaboutsError } from '../../src/errors.ts';
import type { Store } from '../../src/store/store.ts';

export type Endpoint = Parameters<typeof createOperation>[1];
type Context = Parameters<typeof askOperation>[2];
export type Profile = Context['profile'];
export const profiles = ['default', 'a', 'b'] as const satisfies readonly Profile[];

type AskOptions = { profile?: Profile; now?: string };

/** Calls an endpoint as a request does: the fields of the profile, without `query_ms`. */
export function ask(
  endpoint: Endpoint,
  store: Store,
  raw: Record<string, unknown>,
  { profile = 'default', now = '2026-07-01T12:00:00Z' }: AskOptions = {},
): Record<string, unknown> {
  const context: Context = { store, profile, now: Date.parse(now), clientAddress: undefined };
  return askOperation(createOperation(endpoint.path, endpoint), raw, context);
}

/** The error with which an endpoint refuses: its code, the parameters at fault, and its text. */
export function refusal(
  endpoint: Endpoint,
  store: Store,
  raw: Record<string, unknown>,
  options: AskOptions = {},
): { code: string; parameters: string[]; detail: string } {
  try {
    ask(endpoint, store, raw, options);
  } catch (error) {
    if (!(error instanceof WhereaboutsError)) throw error;
    const parameters = (error.errors ?? []).map(({ parameter }) => parameter);
    return { code: error.code, parameters, detail: error.message };
  }
  throw new Error(`${endpoint.path} took ${JSON.stringify(raw)}, which it should refuse`);
}
