/** An answer as coloured JSON; every piece is text, so nothing in it is taken as HTML. */
import { element } from '../element.js';

const token = /("(?:\\.|[^"\\])*")(\s*:)?|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null/gi;

/** Lines past this many characters are cut, with a note: a browser shows a megabyte of spans slowly. */
const maxShown = 100_000;

/** The nodes that show JSON text. */
export function jsonNodes(whole) {
  const text = whole.slice(0, maxShown);
  const nodes = [];
  let at = 0;
  for (const match of text.matchAll(token)) {
    const [all, string, colon = ''] = match;
    nodes.push(text.slice(at, match.index));
    if (!string) nodes.push(element('span', { className: 'value' }, all));
    else nodes.push(element('span', { className: colon ? 'name' : 'text' }, string), colon);
    at = match.index + all.length;
  }
  nodes.push(text.slice(at));
  if (whole.length > maxShown) nodes.push(`\n… ${whole.length - maxShown} characters more are not shown`);
  return nodes;
}
