/** The page of one endpoint: what it takes, an example with what this server answers, what comes back, what goes wrong. */
import { ask, type Operation } from '../../../api/execute.ts';
import { WhereaboutsError } from '../../../errors.ts';
import type { Store } from '../../../store/store.ts';
import { escapeHtml } from './files.ts';
import { exampleOf, type PageOperation, type Parameter, type Schema } from './operations.ts';

/** HTML of an operation's page; the mark `{{answer:id}}` in it is filled in by dataset. */
export function endpointPage(operation: PageOperation): string {
  const { id, method, path, name, summary, description, parameters, answers, statuses, example } = operation;
  const asked = exampleOf(operation);
  const { url } = asked;
  const post =
    method === 'POST' ? ` -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(example)}' \\\n ` : '';
  const curl = `curl -H 'X-API-Key: <your key>'${post} 'http://localhost:8080${url}'`;
  const body = method === 'POST' ? ` data-body="${escapeHtml(JSON.stringify(example))}"` : '';
  const inExplorer = new URLSearchParams({ endpoint: id, ...asked.parameters });
  if (example !== undefined) inExplorer.set('body', JSON.stringify(example));
  const noParameters = method === 'POST' ? '<p>A JSON body, as in the example.</p>' : '<p>None.</p>';
  return `<h1><code>/${escapeHtml(name)}</code></h1>
<p class="lead">${escapeHtml(summary)}</p>
<p><code class="path"><span class="method">${method}</span> /v1${escapeHtml(path)}</code></p>
<p>${inlineCode(description)}</p>
<h2 id="example">Example</h2>
<div id="request" data-request="${escapeHtml(url)}"${body}><pre class="wrapped" tabindex="0"><code>${escapeHtml(curl)}</code></pre></div>
{{answer:${id}}}
<p class="row"><a class="button primary" href="${escapeHtml(`/explorer?${inExplorer}`)}">Try it in the explorer</a><a class="button" href="/docs#${id}">Interactive reference</a></p>
<h2 id="parameters">Parameters</h2>
${parameters.length > 0 ? parameterList(parameters) : noParameters}
${answers.map(({ label, schema }) => `<h2>Answer${label}</h2>\n${answerList(schema)}`).join('\n')}
<h2 id="errors">Errors</h2>
<ul>
${statuses.map(({ status, codes }) => `<li>${status}: ${codes.map((code) => `<a href="/docs/errors/${code}"><code>${code}</code></a>`).join(', ')}</li>`).join('\n')}</ul>`;
}

const inlineCode = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** Names with types and what they mean; a list rather than a table, as it reads well on a phone too. */
const fieldList = (items: readonly { name: string; type: string; note?: string; text: string }[]) =>
  `<dl class="fields">${items
    .map(
      ({ name, type, note, text }) =>
        `<dt><code>${escapeHtml(name)}</code> <span class="note">${type}${note ? `, ${note}` : ''}</span></dt>\n<dd>${inlineCode(text)}</dd>`,
    )
    .join('\n')}</dl>`;

const parameterList = (parameters: readonly Parameter[]) =>
  fieldList(
    parameters.map(({ name, required, description = '', schema }) => ({
      name,
      type: typeOf(schema),
      ...(required ? { note: '<strong>required</strong>' } : {}),
      text: description,
    })),
  );

const answerList = (schema: Schema) =>
  fieldList(
    fieldsOf(schema, '').map(({ name, schema }) => ({ name, type: typeOf(schema), text: schema.description ?? '' })),
  );

/** The fields of an answer, those of objects and lists in it included, as paths: `results[].name`. */
function fieldsOf(schema: Schema, prefix: string): { name: string; schema: Schema }[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = prefix + key;
    const inner = field.type === 'array' ? field.items : field;
    const nested = inner?.properties ? fieldsOf(inner, `${name}${field.type === 'array' ? '[]' : ''}.`) : [];
    return [{ name, schema: field }, ...nested];
  });
}

function typeOf(schema: Schema): string {
  const of = (part: Schema): string => {
    if (part.enum) return part.enum.map((value) => JSON.stringify(value)).join(' or ');
    if (part.anyOf) return part.anyOf.map(of).join(' or ');
    if (part.const !== undefined) return JSON.stringify(part.const);
    if (part.type === 'array') return `list of ${part.items ? of(part.items) : 'any'}`;
    return Array.isArray(part.type) ? part.type.join(' or ') : (part.type ?? 'any');
  };
  const range =
    schema.minimum === undefined && schema.maximum === undefined
      ? ''
      : `, ${schema.minimum ?? ''} to ${schema.maximum ?? ''}`;
  const fallback = schema.default === undefined ? '' : `, default ${JSON.stringify(schema.default)}`;
  return escapeHtml(of(schema) + range + fallback);
}

/**
 * HTML with the answer of `operation` to parameters, of a list its first record alone; a sentence where the dataset has no
 * answer, and nothing while there is no dataset.
 */
export function exampleAnswerHtml(
  operation: Operation,
  parameters: Record<string, string>,
  store: Store | undefined,
): string {
  if (!store) return '';
  try {
    const context = { store, profile: 'default', now: Date.now(), clientAddress: undefined } as const;
    const answer = { ...ask(operation, parameters, context), query_ms: 0 };
    const { results = [] } = answer as { results?: unknown[] };
    const more = Math.max(0, results.length - 1);
    const shown = more > 0 ? { ...answer, results: results.slice(0, 1) } : answer;
    const caption = more > 0 ? `Answer of this server (${more} more results not shown):` : 'Answer of this server:';
    return `<p>${caption}</p>
<div class="copyable"><pre tabindex="0"><code>${escapeHtml(JSON.stringify(shown, null, 2))}</code></pre></div>`;
  } catch (error) {
    if (error instanceof WhereaboutsError)
      return `<p class="note">This server has no answer: ${escapeHtml(error.message)}.</p>`;
    throw error;
  }
}
