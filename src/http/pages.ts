/** The pages of the service: files beside the program, read once, and what is made from them. */
import { readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

export type Page = { type: string; body: string };
const html = 'text/html; charset=utf-8';

/** Pages by path. Nothing on them comes from elsewhere, as their Content-Security-Policy says. */
export function readPages(): Record<string, Page> {
  return {
    '/': { type: html, body: homePage },
    '/docs': { type: html, body: read('src/web/docs/index.html') },
    '/docs/docs.css': { type: 'text/css; charset=utf-8', body: read('src/web/docs/docs.css') },
    '/docs/docs.js': { type: 'text/javascript; charset=utf-8', body: read('src/web/docs/docs.js') },
    '/docs/errors': { type: html, body: page('Errors', markdownToHtml(read('docs/errors.md'))) },
  };
}

export const pageHeaders = [
  'Content-Security-Policy',
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy',
  'no-referrer',
  'Cache-Control',
  'no-cache',
];

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Whereabouts</title><link rel="stylesheet" href="/docs/docs.css"></head>
<body>${body}</body>
</html>
`;
}

const homePage = page(
  'Location data service',
  `<h1>Whereabouts</h1>
<p>A location data service over open data: places, postal codes, countries, regions, time zones, sun times, IP addresses.</p>
<ul>
<li><a href="/docs">Documentation</a>, where every endpoint can be tried</li>
<li><a href="/openapi.json">OpenAPI description</a></li>
<li><a href="/docs/errors">Errors</a></li>
<li><a href="/status">Status</a>: the dataset, its sources and their licences</li>
</ul>
<p>Everything below <code>/v1</code> needs a key in the header <code>X-API-Key</code>;
<code>whereabouts keys create</code> makes one.</p>`,
);

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Our own pages use headings, paragraphs, one fenced block and inline code; that much is turned into HTML. */
function markdownToHtml(markdown: string): string {
  return markdown
    .split(/\n(?=#)|\n{2,}(?![^`]*\n```\n)/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map(blockToHtml)
    .join('\n');
}

function blockToHtml(block: string): string {
  const inline = (text: string) => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');
  const fence = /^```\w*\n([\s\S]*)\n```$/.exec(block);
  if (fence) return `<pre>${escaped(fence[1])}</pre>`;
  const [, marks, title, rest] = /^(#{1,2}) (.+)\n?([\s\S]*)$/.exec(block) ?? [];
  if (!marks) return `<p>${inline(block)}</p>`;
  const level = marks.length;
  const heading =
    level === 2 ? `<h2 id="${escaped(title)}"><code>${escaped(title)}</code></h2>` : `<h1>${inline(title)}</h1>`;
  return rest.trim() === '' ? heading : `${heading}\n<p>${inline(rest.trim())}</p>`;
}
