/** The frame that every page of the portal stands in. */
import { readText } from './files.ts';

export type PageContent = {
  title: string;
  /** What the page is about, in a sentence, for those who find it by a search. */
  description: string;
  /** Path of the page, to mark it in the navigation. */
  path: string;
  /** Makes the HTML of the main part; called when the page is first requested. */
  body: () => string;
  /** Class of the main part, for its width. */
  layout?: 'wide' | 'docs' | 'narrow' | 'map';
  styles?: readonly string[];
  /** Module scripts. */
  scripts?: readonly string[];
  /** Modules that these import. */
  preloads?: readonly string[];
};

/** Text made safe for HTML, in content and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/**
 * A whole page: `src/web/pages/layout.html` around its own text. It is painted when all of it is there (`expect`), as half a table
 * has other columns than the whole one. Scripts are modules but for the theme, which has to run before anything is painted.
 */
export function layOut(page: PageContent): string {
  const { title, description, path, body, layout = 'narrow', styles = [], scripts = [], preloads = [] } = page;
  const isCurrent = (to: string) => path === to || (to === '/docs' && path.startsWith('/docs'));
  const links = (of: readonly string[], html: (file: string) => string) => of.map((file) => `${html(file)}\n`).join('');
  const parts: Record<string, string> = {
    title: escapeHtml(title),
    description: escapeHtml(description),
    styles: links(styles, (file) => `<link rel="stylesheet" href="${file}">`),
    scripts:
      links(scripts, (file) => `<script type="module" src="${file}"></script>`) +
      links(preloads, (file) => `<link rel="modulepreload" href="${file}">`),
    layout,
    body: body(),
  };
  const template = readText('src/web/pages/layout.html');
  return template.replace(/\{\{(\w+)\}\}| data-current="([^"]*)"/g, (_, name, to) =>
    name ? parts[name] : isCurrent(to) ? ' aria-current="page"' : '',
  );
}
