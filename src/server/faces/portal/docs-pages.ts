/** Documentation: our documents from `docs/`, and a page for each endpoint made from the API's description. */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Marked, MarkedExtension, Tokens } from 'marked';
import { endpointPage } from './endpoint-page.ts';
import { directoryOf, escapeHtml, type PageContent, readText } from './files.ts';
import type { PageOperation } from './operations.ts';
import tables from './tables.json' with { type: 'json' };

/** Documents by the task one reads them for, in order; those named nowhere are about how answers are made. */
const groups = tables.documents;

type Link = { path: string; title: string };
type Document = Link & { name: string; text: string };

/** Every page of the documentation, those that need no dataset, and the page of what a text is found in. */
export function documentation(operations: readonly PageOperation[]): {
  pages: PageContent[];
  search: (text: string) => PageContent;
} {
  const documents = readDocuments();
  const contents = contentsOf(documents, operations);
  const page = (path: string, title: string, description: string, body: () => string): PageContent => ({
    path,
    title,
    description,
    body: () => frame(contents, path, body()),
    layout: 'docs',
    styles: ['/assets/documentation.css'],
    scripts: ['/assets/copy.js'],
  });
  const interactive = page(
    '/docs',
    'Interactive reference',
    'Every operation of the API, with requests sent from the page.',
    () => readText('src/web/docs/index.html') + comparison(),
  );
  const pages = [
    { ...interactive, styles: ['/assets/documentation.css', '/docs/docs.css'], scripts: ['/docs/docs.js'] },
    ...documents.map(({ path, title, text }) => page(path, title, leadOf(text), () => markdownToHtml(text))),
    ...errorPages(documents).map(({ path, title, text }) => ({
      ...page(path, title, leadOf(text), () => ''),
      body: () => frame(contents, '/docs/errors', markdownToHtml(text)),
    })),
    ...operations.map((operation) =>
      page(operation.page, operation.name, `${operation.summary}: parameters, answer, errors and an example.`, () =>
        endpointPage(operation),
      ),
    ),
    page('/docs/data', 'Data and licences', 'The sources of the data, with dates and licences.', () => '{{data}}'),
  ];
  let sections: Section[] | undefined;
  const search = (text: string) =>
    page(searchPath, 'Search', 'Sections of the documentation.', () =>
      foundHtml(text, (sections ??= sectionsOf(documents, operations))),
    );
  return { pages, search };
}

const searchPath = '/docs/find';
/** Maximum number of words of a text that are looked for, and of sections that are listed. */
const maxWords = 8;
const maxSections = 30;

/** A part of a page with a heading of its own; `small` is its heading in small letters, then its text. */
type Section = Link & { text: string; small: [heading: string, text: string] };

/** The sections of all pages, in the order of the contents. */
function sectionsOf(documents: readonly Document[], operations: readonly PageOperation[]): Section[] {
  const section = (path: string, title: string, text: string): Section => {
    const plain = text.replace(/\[([^\]]*)\]\([^)]*\)|[`*|]/g, '$1').replace(/\s+/g, ' ');
    return { path, title, text: plain, small: [title.toLowerCase(), plain.toLowerCase()] };
  };
  const ofDocuments = documents.flatMap(({ path, title, text }) =>
    text.split(/^(?=#{1,3} )/m).map((part) => {
      const [, level, heading, rest] = /^(#+) ([^\n]*)\n?(.*)$/s.exec(part) ?? [];
      return level === '#'
        ? section(path, title, rest)
        : section(`${path}#${slugOf(heading)}`, `${title}: ${heading.replaceAll('`', '')}`, rest);
    }),
  );
  return [
    ...operations.map(({ page, name, summary, description }) =>
      section(page, `/${name}`, `${summary}. ${description}`),
    ),
    ...ofDocuments,
  ];
}

/** The sections that have every word, those first that have them in their heading, each with some of its text. */
function foundHtml(text: string, sections: readonly Section[]): string {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, maxWords);
  const has = (part: string) => words.every((word) => part.includes(word));
  const found =
    words.length === 0
      ? []
      : [
          ...sections.filter(({ small: [heading] }) => has(heading)),
          ...sections.filter(({ small: [heading, rest] }) => !has(heading) && has(`${heading} ${rest}`)),
        ];
  const items = found.slice(0, maxSections).map(({ path, title, text, small }) => {
    const at = text.lastIndexOf(' ', Math.max(0, small[1].indexOf(words[0]) - 60)) + 1;
    return `<li><a href="${path}">${escapeHtml(title)}</a><br>${escapeHtml(`${at > 0 ? '… ' : ''}${text.slice(at, at + 160)} …`)}</li>`;
  });
  const count = found.length === 0 ? 'No section has' : `${found.length} of ${sections.length} sections have`;
  const lead = words.length === 0 ? 'Type a word or two.' : `${count} “${escapeHtml(text.slice(0, 100))}”.`;
  return `<h1>Search</h1>\n<p class="lead">${lead}</p>\n<ul class="found">${items.join('\n')}</ul>`;
}

/** The README's tables beside Nominatim and Photon, whose links are relative to the repository. */
function comparison(): string {
  const [, text] = /^(## Next to other geocoders$.*?)(?=^## )/ms.exec(readText('README.md')) ?? [];
  return text === undefined ? '' : markdownToHtml(text.replaceAll('](docs/', ']('));
}

function readDocuments(): Document[] {
  return readdirSync(directoryOf('docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -3))
    .map((name) => {
      const text = readText(`docs/${name}.md`);
      return { name, path: `/docs/${name}`, title: titleOf(text), text };
    })
    .sort((a, b) => a.title.localeCompare(b.title, 'en'));
}

/** A page for each error, which problem documents name as their `type`: the sections of `docs/errors.md`. */
function errorPages(documents: readonly Document[]): (Link & { text: string })[] {
  const sections = documents.find(({ name }) => name === 'errors')?.text.split(/^## /m) ?? [];
  return sections.slice(1).map((section) => {
    const [code] = section.split('\n', 1);
    return { path: `/docs/errors/${code}`, title: code, text: `# ${section.trim()}\n\n[All errors](errors.md)\n` };
  });
}

type Contents = { heading: string; links: Link[] }[];

function contentsOf(documents: readonly Document[], operations: readonly PageOperation[]): Contents {
  const named = (names: readonly string[]) =>
    names.flatMap((name) => documents.filter((document) => document.name === name));
  const elsewhere = [...groups.using, ...groups.running, 'errors', 'glossary'];
  return [
    { heading: 'Use it', links: named(groups.using) },
    {
      heading: 'Reference',
      links: [
        { path: '/docs', title: 'Interactive reference' },
        { path: '/docs/errors', title: 'Errors' },
        ...named(['glossary']),
        ...operations.map(({ page, name }) => ({ path: page, title: `/${name}` })),
      ],
    },
    { heading: 'Run it', links: named(groups.running) },
    {
      heading: 'How it works',
      links: [
        { path: '/docs/data', title: 'Data and licences' },
        ...documents.filter(({ name }) => !elsewhere.includes(name)),
      ],
    },
  ];
}

/** Contents next to the text; on a phone they are folded above it. Links to the previous and next page are below it. */
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
  const all = contents.flatMap(({ links }) => links);
  const at = all.findIndex(({ path }) => path === current);
  const step = (link: Link | undefined, rel: string, word: string) =>
    link ? `<a href="${link.path}" rel="${rel}"><span>${word}</span> ${escapeHtml(link.title)}</a>` : '';
  return `<nav class="contents" aria-label="Documentation" tabindex="0">
<form role="search" action="${searchPath}"><input type="search" name="q" aria-label="Search the documentation" placeholder="Search the docs" maxlength="100" required></form>
<details><summary>Contents</summary>${lists}</details></nav>
<article>${body}
<nav class="steps" aria-label="Previous and next page">${step(all[at - 1], 'prev', 'Previous:')}${step(all[at + 1], 'next', 'Next:')}</nav>
</article>`;
}

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
function markdownToHtml(text: string): string {
  markdown ??= load();
  const html = markdown.parse(text, { async: false });
  const sections = [...html.matchAll(/<h2 id="([^"]*)">(.*) <a class="anchor"/g)];
  if (sections.length < 5) return html;
  const links = sections.map(([, id, title]) => `<li><a href="#${id}">${title.replace(/<[^>]*>/g, '')}</a></li>`);
  const list = `<nav class="sections" aria-label="On this page"><ul>${links.join('\n')}</ul></nav>`;
  return html.replace('</h1>', () => `</h1>\n${list}`);
}

/** The first sentence of a document's first paragraph, without mark-up. */
function leadOf(text: string): string {
  const paragraph = text.split(/\n\s*\n/).find((part) => /^[^#>|\-\s]/.test(part)) ?? titleOf(text);
  const plain = paragraph
    .replace(/\s+/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '');
  return /^.{40,}?[.:;](?= |$)/.exec(plain)?.[0].replace(/[:;]$/, '.') ?? plain.slice(0, 160);
}

/** The first heading of a document, without its mark-up. */
const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1].replaceAll('`', '') ?? 'Documentation';
