/** The requests of this session, to be sent again; they are kept in this tab only. */
import { element, find } from '../element.js';

const kept = 'whereabouts.recent';
const maxKept = 15;
const frame = find('#recent');

function read() {
  try {
    const entries = JSON.parse(sessionStorage.getItem(kept) ?? '[]');
    return Array.isArray(entries) ? entries : [];
  } catch {
    return []; // Storage is switched off.
  }
}

let entries = read();

/** Records a request, `{title, state}`; a repeated one moves to the front. */
export function noteRequest(entry, onChoose) {
  entries = [entry, ...entries.filter(({ state }) => state !== entry.state)].slice(0, maxKept);
  try {
    sessionStorage.setItem(kept, JSON.stringify(entries));
  } catch {
    // They live as long as the page.
  }
  showRecent(onChoose);
}

/** Shows the list; `onChoose(state)` is called with the one that is clicked. */
export function showRecent(onChoose) {
  frame.hidden = entries.length === 0;
  const items = entries.map(({ title, state }) => {
    const button = element('button', { type: 'button', className: 'link', dir: 'auto' }, title);
    button.addEventListener('click', () => onChoose(state));
    return element('li', {}, button);
  });
  find('ol', frame).replaceChildren(...items);
}
