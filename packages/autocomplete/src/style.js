/** The look of the list. Colours and sizes are custom properties of the element; the input keeps the page's own style. */
const css = `
whereabouts-autocomplete {
  --whereabouts-background: Canvas;
  --whereabouts-text: CanvasText;
  --whereabouts-muted: color-mix(in srgb, var(--whereabouts-text) 70%, var(--whereabouts-background));
  --whereabouts-active: color-mix(in srgb, var(--whereabouts-text) 12%, var(--whereabouts-background));
  --whereabouts-border: color-mix(in srgb, var(--whereabouts-text) 30%, var(--whereabouts-background));
  --whereabouts-radius: 0.375rem;
  display: block;
  position: relative;
}
whereabouts-autocomplete > input { inline-size: 100%; box-sizing: border-box; }
whereabouts-autocomplete > [role="listbox"] {
  position: absolute;
  inset-block-start: calc(100% + 0.25rem);
  inset-inline: 0;
  z-index: 1000;
  max-block-size: min(24rem, 60vh);
  overflow-y: auto;
  overscroll-behavior: contain;
  background: var(--whereabouts-background);
  color: var(--whereabouts-text);
  border: 1px solid var(--whereabouts-border);
  border-radius: var(--whereabouts-radius);
  box-shadow: 0 0.25rem 1rem rgb(0 0 0 / 20%);
}
whereabouts-autocomplete > [role="listbox"][hidden] { display: none; }
whereabouts-autocomplete [role="option"] {
  display: flex;
  align-items: center;
  gap: 0.5rem;
  min-block-size: 2.75rem;
  padding-inline: 0.75rem;
  cursor: pointer;
}
whereabouts-autocomplete [role="option"] > span:first-child { flex: 1; unicode-bidi: isolate; overflow-wrap: anywhere; }
whereabouts-autocomplete [role="option"] > small { color: var(--whereabouts-muted); }
whereabouts-autocomplete [role="option"][aria-selected="true"] { background: var(--whereabouts-active); }
whereabouts-autocomplete mark { background: none; color: inherit; font-weight: 600; }
whereabouts-autocomplete > [role="status"] {
  position: absolute;
  inline-size: 1px;
  block-size: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
@media (forced-colors: active) {
  whereabouts-autocomplete [role="option"][aria-selected="true"] { outline: 2px solid Highlight; outline-offset: -2px; }
}
@media (hover: hover) {
  whereabouts-autocomplete [role="option"]:hover { background: var(--whereabouts-active); }
}
`;

/** @type {CSSStyleSheet | undefined} */
let sheet;

/** Adds the style to a document or shadow root, once; a constructed sheet needs no `unsafe-inline`. @param {Node} root */
export function addStyle(root) {
  if (!(root instanceof Document || root instanceof ShadowRoot)) return;
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  // First, so that rules of the page win.
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [sheet, ...root.adoptedStyleSheets];
}
