/** The frame that every page of the portal stands in. */

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

const navigation = [
  ['/explorer', 'Explorer'],
  ['/docs/quick-start', 'Docs'],
  ['/sign-up', 'Sign up'],
  ['/account', 'Account'],
] as const;

/** The documentation reads well without scripts; what asks the service from the page does not work. */
const noScript =
  'JavaScript is switched off. You can read the <a href="/docs/quick-start">documentation</a> without it; search, the ' +
  'explorer, sign-up and the account need it.';

/** Text made safe for HTML, in content and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/**
 * A whole page. It is painted when all of it is there (`expect`), as half a table has other columns than the whole one.
 * Scripts are modules but for the theme, which has to run before anything is painted.
 */
export function layOut(page: PageContent): string {
  const { title, description, path, body, layout = 'narrow', styles = [], scripts = [], preloads = [] } = page;
  const isCurrent = (to: string) => path === to || (to.startsWith('/docs') && path.startsWith('/docs'));
  const links = navigation
    .map(([to, name]) => `<li><a href="${to}"${isCurrent(to) ? ' aria-current="page"' : ''}>${name}</a></li>`)
    .join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} – Whereabouts</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="expect" href="#end" blocking="render">
<link rel="stylesheet" href="/assets/common.css">
${styles.map((style) => `<link rel="stylesheet" href="${style}">\n`).join('')}<script src="/assets/theme.js"></script>
${scripts.map((script) => `<script type="module" src="${script}"></script>\n`).join('')}${preloads.map((script) => `<link rel="modulepreload" href="${script}">\n`).join('')}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="site-header">
<a class="brand" href="/"${path === '/' ? ' aria-current="page"' : ''}><img src="/favicon.svg" alt="" width="28" height="28">Whereabouts</a>
<nav aria-label="Main"><ul>${links}</ul></nav>
<button type="button" class="theme waiting" data-theme-toggle>Theme: system</button>
</header>
<main id="main" class="${layout}" tabindex="-1">
<noscript><p class="no-script">${noScript}</p></noscript>
${body()}
</main>
<footer class="site-footer" id="end">
<p>Whereabouts, a location data service over open data. Everything on these pages comes from this server.</p>
<ul>
<li><a href="/docs/data">Data and licences</a></li>
<li><a href="/docs/errors">Errors</a></li>
<li><a href="/status">Status</a></li>
<li><a href="/openapi.json">OpenAPI</a></li>
</ul>
</footer>
</body>
</html>
`;
}
