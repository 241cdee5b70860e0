/** A cache of the list of tools as text: 10 KB that differ between equal requests only in the id. */
import { hash } from 'node:crypto';
import type { Handler } from './mcp.ts';

/** The text before the id and behind it. */
type Known = { status: number; type: string | null; before: string; after: string };

const maxKnown = 32;
const placeholder = 'the id of the question';

/** The cache key of a list, a hash: what a client sends may contain secrets, which must not be kept. */
export const listKey = (headers: [string, string][], question: object, endpoints: readonly string[] | null): string =>
  hash('sha256', JSON.stringify([headers, question, endpoints]));

/** Answers cached lists without running the SDK, after charging by `pay`. */
export function withKnownLists(answerOf: Handler, pay: (caller: Parameters<Handler>[2]) => Promise<void>): Handler {
  const known = new Map<string, Known>();

  return async (headers, message, caller) => {
    const { id, ...question } = (message ?? {}) as { id?: unknown; method?: unknown };
    if (question.method !== 'tools/list' || (typeof id !== 'string' && typeof id !== 'number')) {
      return answerOf(headers, message, caller);
    }
    const cacheKey = listKey(headers, question, caller.account.key.endpoints);
    const found = known.get(cacheKey);
    if (found) {
      try {
        await pay(caller);
      } catch {
        // The SDK reports the error.
        return answerOf(headers, message, caller);
      }
      const { status, type, before, after } = found;
      return { status, type, text: before + JSON.stringify(id) + after };
    }
    const answer = await answerOf(headers, { ...question, id: placeholder }, caller);
    const [before, after, ...others] = answer.text.split(JSON.stringify(placeholder));
    if (after === undefined || others.length > 0) return answer;
    if (before.concat(after).includes('"tools":[')) {
      if (known.size === maxKnown) known.delete(known.keys().next().value!);
      known.set(cacheKey, { status: answer.status, type: answer.type, before, after });
    }
    return { ...answer, text: before + JSON.stringify(id) + after };
  };
}
