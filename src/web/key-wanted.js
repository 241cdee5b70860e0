/** What a page offers visitors who have no key: one at a click, a link by mail, or a field for a key they have. */
import { ask, problemText } from './ask.js';
import { find } from './element.js';
import { currentKey, faultOfKey, keepKey } from './key.js';

/**
 * Starts the part `key-wanted` of a page. `onKey` is called as soon as there is a key. Returns the function that shows
 * the part although there is a key, one that is no longer valid.
 */
export function startKeyWanted(onKey) {
  const part = find('#key-wanted');
  const form = find('#key-form', part);
  const status = find('#key-status', part);
  const have = find('#have-key', part);

  const showForm = () => {
    form.hidden = false;
    have.setAttribute('aria-expanded', 'true');
  };
  /** Shows the ways to a key that this server has. */
  async function showWays() {
    if (!part.classList.contains('waiting')) return;
    const { body } = await ask('/account/sign-up');
    for (const way of part.querySelectorAll('[data-mode]')) way.hidden = way.dataset.mode !== body?.mode;
    if (body?.mode !== 'open') showForm();
    part.classList.remove('waiting');
  }
  const gotKey = (text) => {
    keepKey(text);
    status.textContent = '';
    onKey();
  };

  find('#quick-key', part).addEventListener('click', async ({ currentTarget: button }) => {
    button.disabled = true;
    const answer = await ask('/account/sign-up', { method: 'POST', body: {} });
    button.disabled = false;
    if (answer.ok) gotKey(answer.body.key);
    else status.textContent = problemText(answer);
  });
  have.addEventListener('click', () => {
    showForm();
    find('#key').focus();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = find('#key').value;
    const fault = faultOfKey(text);
    if (fault) status.textContent = fault;
    else gotKey(text);
  });
  addEventListener('keychange', () => {
    if (!currentKey()) showWays();
  });
  if (!currentKey()) showWays();
  return () => {
    document.documentElement.toggleAttribute('data-key', false);
    showForm();
    showWays();
  };
}
