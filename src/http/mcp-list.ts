/** The list of tools as text: 10 KB that say the same to everybody who asks in the same way, but for the id of the question. */
import { hash } from 'node:crypto';
import type { Handler } from './mcp.ts';

/** The text before the id and behind it. */
type Known = { status: number; type: string | null; before: string; after: string };

const maxKnown = 32;
const placeholder = 'the id of the question';

/** What a list depends on, in 64 characters: what a client sends may hold secrets, which are not to be kept. */
export const listKey = (headers: [string, string][], question: object, endpoints: readonly string[] | null): string =>
  hash('sha256', JSON.stringify([headers, question, endpoints]));

/** Answers lists that were asked for before without the protocol's code, once `pay` has been paid for them. */
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
        // The protocol's code says why not.
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
