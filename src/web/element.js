/** An element with properties and children; strings become text, so that nothing from an answer is taken as HTML. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (key in made && !key.startsWith('aria-')) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** The one element that a selector names; throws when the page lacks it. */
export function find(selector, within = document) {
  const found = within.querySelector(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
}

/** Lets parts that scroll by themselves be reached by keyboard. */
export function makeScrollable(...parts) {
  for (const part of parts) part.tabIndex = 0;
}

/** The entries of a field, one in a line or between commas; null where there is none. */
export function entriesOf(field) {
  const entries = field.value
    .split(/[\n,]/)
    .map((entry) => entry.trim())
    .filter(Boolean);
  return entries.length > 0 ? entries : null;
}

/** The function that says something, also what is wrong, in a part of the page. */
export const speaker =
  (part) =>
  (text, isBad = false) => {
    part.textContent = text;
    part.className = isBad ? 'bad' : '';
  };
