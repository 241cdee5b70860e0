/** Documentation: our documents from `docs/`, and a page for each endpoint made from the API's description. */
import { readdirSync } from 'node:fs';
import { directoryOf, readText } from './files.ts';
import { escapeHtml, type PageContent } from './layout.ts';
import { markdownToHtml, titleOf } from './markdown.ts';
import { exampleUrl, type Operation, operationsOf, type Parameter, type Schema } from './operations.ts';

/** Documents for those who work on the program; they stay in the repository. */
const internal = ['dependencies'];
/** Documents that come first, in this order; the others follow by title. */
const first = ['quick-start', 'self-hosting', 'portal', 'configuration'];

type Link = { path: string; title: string };

/** Every page of the documentation, those that need no dataset. */
export function docsPages(api: object): PageContent[] {
  const documents = readDocuments();
  const operations = operationsOf(api);
  const guides = documents.filter(({ name }) => first.includes(name));
  const topics = documents.filter(({ name }) => !first.includes(name) && name !== 'errors');
  const contents = contentsOf(guides, topics, operations);
  const page = (path: string, title: string, body: () => string): PageContent => ({
    path,
    title,
    body: () => frame(contents, path, body()),
    layout: 'docs',
    styles: ['/assets/documentation.css'],
    scripts: ['/assets/copy.js'],
  });
  const interactive = page('/docs', 'Interactive reference', () => readText('src/web/docs/index.html'));
  return [
    { ...interactive, styles: ['/assets/documentation.css', '/docs/docs.css'], scripts: ['/docs/docs.js'] },
    ...documents.map(({ path, title, text }) => page(path, title, () => markdownToHtml(text))),
    ...operations.map((operation) => page(operation.page, operation.name, () => endpointPage(operation))),
    page('/docs/data', 'Data and licences', () => '{{data}}'),
  ];
}

function readDocuments() {
  const names = readdirSync(directoryOf('docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -3))
    .filter((name) => !internal.includes(name));
  const rank = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);
  return names
    .map((name) => {
      const text = readText(`docs/${name}.md`);
      return { name, path: `/docs/${name}`, title: titleOf(text), text };
    })
    .sort((a, b) => rank(a.name) - rank(b.name) || a.title.localeCompare(b.title, 'en'));
}

type Contents = { heading: string; links: Link[] }[];

function contentsOf(guides: Link[], topics: Link[], operations: readonly Operation[]): Contents {
  return [
    { heading: 'Guides', links: [...guides, { path: '/docs/data', title: 'Data and licences' }] },
    {
      heading: 'Reference',
      links: [
        { path: '/docs', title: 'Interactive reference' },
        { path: '/docs/errors', title: 'Errors' },
        ...operations.map(({ page, name }) => ({ path: page, title: name })),
      ],
    },
    { heading: 'How answers are made', links: topics },
  ];
}

/** Contents beside the text; on a phone they are folded above it. */
function frame(contents: Contents, current: string, body: string): string {
  const lists = contents
    .map(({ heading, links }) => {
      const items = links
        .map(({ path, title }) => {
          const mark = path === current ? ' aria-current="page"' : '';
          return `<li><a href="${path}"${mark}>${escapeHtml(title)}</a></li>`;
        })
        .join('\n');
      return `<h2>${heading}</h2>\n<ul>${items}</ul>`;
    })
    .join('\n');
  return `<nav class="contents" aria-label="Documentation"><details><summary>Contents</summary>${lists}</details></nav>
<article>${body}</article>`;
}

function endpointPage(operation: Operation): string {
  const { method, path, name, summary, description, parameters, answers, statuses, example } = operation;
  const url = exampleUrl(operation);
  const curl =
    method === 'POST'
      ? `curl -H 'X-API-Key: <your key>' -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(example)}' \\\n  'http://localhost:8080${url}'`
      : `curl -H 'X-API-Key: <your key>' 'http://localhost:8080${url}'`;
  const tryLink =
    method === 'GET'
      ? `<p><a class="button" href="/explorer?${new URLSearchParams({ endpoint: operation.id }).toString()}">Try it in the explorer</a></p>`
      : `<p><a class="button" href="/docs#${operation.id}">Try it in the interactive reference</a></p>`;
  return `<h1>${escapeHtml(name)}</h1>
<p class="lead">${escapeHtml(summary)}</p>
<p><code class="path"><span class="method">${method}</span> /v1${escapeHtml(path)}</code></p>
<p>${inlineCode(description)}</p>
${tryLink}
<h2>Parameters</h2>
${parameters.length > 0 ? parameterList(parameters) : method === 'POST' ? '<p>A JSON body, as in the example.</p>' : '<p>None.</p>'}
<h2>Example</h2>
<pre data-copy tabindex="0"><code>${escapeHtml(curl)}</code></pre>
${answers.map(({ label, schema }) => `<h2>Answer${label}</h2>\n${answerList(schema)}`).join('\n')}
<h2>Errors</h2>
<ul>
${statuses.map(({ status, codes }) => `<li>${status}: ${codes.map((code) => `<a href="/docs/errors#${code}"><code>${code}</code></a>`).join(', ')}</li>`).join('\n')}</ul>`;
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
