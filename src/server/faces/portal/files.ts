/** The files of the portal that are served, read once. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import tables from './tables.json' with { type: 'json' };

const root = new URL('../../../../', import.meta.url);

/** The text of a file of the program, by its path from the program's root. */
export const readText = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** The path of a directory of the program. */
export const directoryOf = (path: string): string => fileURLToPath(new URL(path, root));

/** Folders of our own scripts and styles, with the path that each is served below. */
const folders = { 'src/web': '/assets', 'src/web/docs': '/docs', 'packages/autocomplete/src': '/assets/autocomplete' };

/** The styles of all pages, as one file, which a browser loads once. */
const commonStyles = ['site.css', 'parts.css'];

/** Files of packages, by the name they are served under below `/assets`, which only the explorer loads; and types by the ends of names. */
const { packageFiles, mediaTypes: types } = tables;
const typeOf = (name: string) => types[name.slice(name.lastIndexOf('.') + 1) as keyof typeof types];

type PortalFile = { type: string; body: Buffer };

/** Every file by the path it is served under. Throws when one is missing, naming it. */
export function readFiles(): Record<string, PortalFile> {
  const files: Record<string, PortalFile> = {};
  for (const [folder, path] of Object.entries(folders)) {
    const found = globSync(folder === 'src/web' ? '{,account/,admin/,explorer/}*.{css,js}' : '*.{css,js}', {
      cwd: directoryOf(folder),
    });
    for (const name of found.map((one) => one.replaceAll('\\', '/')).filter((one) => !commonStyles.includes(one)))
      files[`${path}/${name}`] = { type: typeOf(name), body: readFileSync(new URL(`${folder}/${name}`, root)) };
  }
  const common = commonStyles.map((name) => readText(`src/web/${name}`)).join('\n');
  files['/assets/common.css'] = { type: types.css, body: Buffer.from(common) };
  for (const [name, file] of Object.entries(packageFiles)) {
    files[`/assets/${name}`] = { type: typeOf(name), body: readFileSync(new URL(import.meta.resolve(file))) };
  }
  // The package only exports modules, which need another package; this file contains both.
  const pmtiles = new URL('../pmtiles.js', import.meta.resolve('pmtiles'));
  files['/assets/map/pmtiles.js'] = { type: types.js, body: readFileSync(pmtiles) };
  files['/favicon.svg'] = { type: types.svg, body: readFileSync(new URL('src/web/favicon.svg', root)) };
  return files;
}

/** The modules that a script imports from its start, however deep, so that a page can ask for all of them at once. */
export function importsOf(script: string, files: Readonly<Record<string, PortalFile>>): string[] {
  const found = new Set<string>();
  const follow = (path: string) => {
    for (const [, target] of files[path].body.toString().matchAll(/^(?:import|export) [^'();]*'([^']+)';$/gm)) {
      const { pathname } = new URL(target, `http://localhost${path}`);
      if (found.has(pathname)) continue;
      found.add(pathname);
      follow(pathname);
    }
  };
  follow(script);
  return [...found];
}

// The frame that every page of the portal stands in.

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
