/** Where a key may be used: the form, and the owner's code that comes with it. */
import { ask, problemText } from '../ask.js';
import { copyButton } from '../copy-button.js';
import { find } from '../element.js';

const code = find('#owner-code');
const entries = (field) => {
  const lines = field.value
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.length > 0 ? lines : null;
};

/** The header that proves the owner, where the key needs it. */
export const ownerHeaders = () => (code.value.trim() ? { 'X-Owner-Code': code.value.trim() } : {});

/** Shows the restrictions of an account. */
export function showRestrictions({ origins, networks, needs_owner_code: needsCode }) {
  find('#origins').value = (origins ?? []).join('\n');
  find('#networks').value = (networks ?? []).join('\n');
  find('#owner-code-row').hidden = !needsCode;
}

/** Saves the form when it is sent; `onChange` gets the updated account. */
export function startRestrictions(onChange) {
  const status = find('#restrict-status');
  find('#restrict').addEventListener('submit', async (event) => {
    event.preventDefault();
    const body = { origins: entries(find('#origins')), networks: entries(find('#networks')) };
    const answer = await ask('/account/key', { method: 'PATCH', body, headers: ownerHeaders() });
    status.className = answer.ok ? 'note good' : 'bad';
    status.textContent = answer.ok ? 'Saved. The restrictions now apply.' : problemText(answer);
    if (!answer.ok) return;
    onChange(answer.body);
    const { owner_code: made } = answer.body;
    if (!made) return;
    const box = find('#owner-code-new');
    find('#owner-code-text').textContent = made;
    box.querySelector('.copy-frame')?.remove();
    find('.key-box', box).append(copyButton(() => made, 'Copy code'));
    code.value = made;
    box.hidden = false;
    box.focus();
  });
}
