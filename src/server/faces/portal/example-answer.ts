/** What this server answers to the example of an endpoint's page. */
import { ask } from '../../../api/execute.ts';
import type { Operation } from '../../../api/operation.ts';
import { WhereaboutsError } from '../../../errors.ts';
import type { Store } from '../../../store/store.ts';
import { escapeHtml } from './layout.ts';

/**
 * HTML with the answer of `operation` to `url` (from the root), of a list its first record alone; a sentence where the
 * dataset has no answer, and nothing while there is no dataset.
 */
export function exampleAnswerHtml(operation: Operation, url: string, store: Store | undefined): string {
  if (!store) return '';
  try {
    const { more, shown } = shorten(answerOf(operation, url, store));
    const caption = more > 0 ? `Answer of this server (${more} more results not shown):` : 'Answer of this server:';
    return `<p>${caption}</p>
<div class="copyable"><pre tabindex="0"><code>${escapeHtml(JSON.stringify(shown, null, 2))}</code></pre></div>`;
  } catch (error) {
    if (error instanceof WhereaboutsError)
      return `<p class="note">This server has no answer: ${escapeHtml(error.message)}.</p>`;
    throw error;
  }
}

function answerOf(operation: Operation, url: string, store: Store): Record<string, unknown> {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const parts = pathname.split('/');
  const parameters: Record<string, string> = Object.fromEntries(searchParams);
  for (const [at, part] of `/v1${operation.endpoint.path}`.split('/').entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name !== undefined) parameters[name] = decodeURIComponent(parts[at]);
  }
  const context = { store, profile: 'default', now: Date.now(), clientAddress: undefined } as const;
  return { ...ask(operation, parameters, context), query_ms: 0 };
}

function shorten(answer: Record<string, unknown>) {
  const { results } = answer;
  if (!Array.isArray(results) || results.length < 2) return { more: 0, shown: answer };
  return { more: results.length - 1, shown: { ...answer, results: results.slice(0, 1) } };
}
