/** What this server answers to the example of an endpoint's page. */
import { requireLayers } from '../../endpoints/ask.ts';
import { WhereaboutsError } from '../../errors.ts';
import type { Store } from '../../store/store.ts';
import { createPathMatcher, type Operation } from '../operation.ts';
import { parseQuery } from '../query-string.ts';
import { escapeHtml } from './layout.ts';

/**
 * HTML with the answer of `operation` to `url` (from the root), of a list its first record alone; a sentence where the
 * dataset has no answer, and nothing while there is no dataset.
 */
export function exampleAnswerHtml(operation: Operation, url: string, store: Store | undefined): string {
  if (!store) return '';
  try {
    const { more, shown } = shorten(answerOf(operation, url, store));
    const said = more > 0 ? `This server answers, ${more} more results left out here:` : 'This server answers:';
    return `<p>${said}</p>
<div class="copyable"><pre tabindex="0"><code>${escapeHtml(JSON.stringify(shown, null, 2))}</code></pre></div>`;
  } catch (error) {
    if (error instanceof WhereaboutsError)
      return `<p class="note">Here it has no answer: ${escapeHtml(error.message)}.</p>`;
    throw error;
  }
}

function answerOf(operation: Operation, url: string, store: Store): Record<string, unknown> {
  const { endpoint, read } = operation;
  const [asked, search = ''] = url.slice('/v1'.length).split('?', 2);
  const inPath = createPathMatcher([operation])(asked)?.path;
  const isCountry = (iso2: string) => store.countries.get(iso2)?.isAssigned === true;
  requireLayers(endpoint, store);
  const { parameters } = read.default({ ...parseQuery(search).query, ...inPath }, isCountry);
  const context = { store, profile: 'default', now: Date.now(), clientAddress: undefined } as const;
  return JSON.parse(operation.serialiser('default')(endpoint.handle(parameters as never, context), 0));
}

function shorten(answer: Record<string, unknown>) {
  const { results } = answer;
  if (!Array.isArray(results) || results.length < 2) return { more: 0, shown: answer };
  return { more: results.length - 1, shown: { ...answer, results: results.slice(0, 1) } };
}
