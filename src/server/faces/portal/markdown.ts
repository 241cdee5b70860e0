/** Our own documentation, from Markdown to HTML. */
import { createRequire } from 'node:module';
import type { Marked, MarkedExtension, Tokens } from 'marked';
import { escapeHtml } from './layout.ts';

/** Name of a heading in an address: its letters, digits and underscores, joined by dashes. */
const slugOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}_]+/gu, '-')
    .replace(/^-|-$/g, '');

/** Headings carry an id; links between our documents lead to their pages; those to other files become plain text. */
const rules: MarkedExtension = {
  renderer: {
    heading({ tokens, depth, text }: Tokens.Heading): string {
      const content = this.parser.parseInline(tokens);
      const id = slugOf(text);
      if (depth === 1) return `<h1 id="${id}">${content}</h1>\n`;
      const anchor = `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
      return `<h${depth} id="${id}">${content} ${anchor}</h${depth}>\n`;
    },
    link({ href, tokens }: Tokens.Link): string {
      const content = this.parser.parseInline(tokens);
      if (/^(https?:|\/|#)/.test(href)) return `<a href="${escapeHtml(href)}">${content}</a>`;
      const [, name, hash = ''] = /^([\w-]+)\.md(#[\w-]+)?$/.exec(href) ?? [];
      return name ? `<a href="/docs/${name}${hash}">${content}</a>` : content;
    },
    table(token: Tokens.Table): string {
      const row = (cells: Tokens.TableCell[], tag: string) =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
      const rows = token.rows.map((cells) => row(cells, 'td')).join('\n');
      // A wide table scrolls by itself, by keyboard too; its columns name it.
      const label = escapeHtml(token.header.map(({ text }) => text.replaceAll('`', '')).join(', '));
      return `<div class="scroll" tabindex="0" role="region" aria-label="Table: ${label}"><table><thead>${row(token.header, 'th')}</thead><tbody>${rows}</tbody></table></div>\n`;
    },
    code({ text }: Tokens.Code): string {
      return `<div class="copyable"><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></div>\n`;
    },
    // Long names may break where a word of them ends, so that tables fit.
    codespan: ({ text }: Tokens.Codespan) =>
      `<code>${text.length < 16 ? escapeHtml(text) : escapeHtml(text).replace(/[_/]+/g, '$&<wbr>')}</code>`,
    image: ({ text }: Tokens.Image) => escapeHtml(text),
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
  },
};

/** Loaded with the first page, as it takes 8 ms of a start. */
let markdown: Marked | undefined;
const load = () => new (createRequire(import.meta.url)('marked') as typeof import('marked')).Marked(rules);

/** HTML of a document; HTML in it is shown as text. One of many sections has a list of them below its title. */
export function markdownToHtml(text: string): string {
  markdown ??= load();
  const html = markdown.parse(text, { async: false });
  const sections = [...html.matchAll(/<h2 id="([^"]*)">(.*) <a class="anchor"/g)];
  if (sections.length < 5) return html;
  const links = sections.map(([, id, title]) => `<li><a href="#${id}">${title.replace(/<[^>]*>/g, '')}</a></li>`);
  const list = `<nav class="sections" aria-label="On this page"><ul>${links.join('\n')}</ul></nav>`;
  return html.replace('</h1>', () => `</h1>\n${list}`);
}

/** The first sentence of a document's first paragraph, without mark-up. */
export function leadOf(text: string): string {
  const paragraph = text.split(/\n\s*\n/).find((part) => /^[^#>|\-\s]/.test(part)) ?? titleOf(text);
  const plain = paragraph
    .replace(/\s+/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '');
  return /^.{40,}?[.:;](?= |$)/.exec(plain)?.[0].replace(/[:;]$/, '.') ?? plain.slice(0, 160);
}

/** The first heading of a document, without its mark-up. */
export const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1].replaceAll('`', '') ?? 'Documentation';
