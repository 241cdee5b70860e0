/**
 * One suggestion as an option of the list: its text with what was typed in bold, and what it is.
 *
 * @param {import('./suggestions.js').Suggestion} suggestion
 * @param {string} text what is shown: the suggestion's own label, or what the page made of it
 * @param {string} id
 * @param {Readonly<Record<string, string>>} layerNames words for layers; a layer that has none is not shown
 * @returns {HTMLElement}
 */
export function optionOf({ label, highlight, layer }, text, id, layerNames) {
  const option = document.createElement('div');
  option.id = id;
  option.role = 'option';
  option.ariaSelected = 'false';
  const shown = document.createElement('span');
  shown.dir = 'auto';
  let at = 0;
  for (let next = 0; highlight && next < highlight.length; next += 2) {
    const typed = label.slice(highlight[next], highlight[next + 1]);
    const start = text === label ? (highlight[next] ?? -1) : text.indexOf(typed, at);
    if (start < 0) continue;
    const mark = document.createElement('mark');
    mark.textContent = typed;
    shown.append(text.slice(at, start), mark);
    at = start + typed.length;
  }
  shown.append(text.slice(at));
  option.append(shown);
  const kind = layer === undefined ? undefined : layerNames[layer];
  if (kind !== undefined) {
    const small = document.createElement('small');
    small.textContent = kind;
    option.append(small);
  }
  return option;
}
