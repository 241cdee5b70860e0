/** Where a key may be used: the form, and the owner's code that comes with it. */
import { ask, problemText } from '../ask.js';
import { showOnce } from '../copy-button.js';
import { entriesOf, find } from '../element.js';

const code = find('#owner-code');

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
    const body = { origins: entriesOf(find('#origins')), networks: entriesOf(find('#networks')) };
    const answer = await ask('/account/key', { method: 'PATCH', body, headers: ownerHeaders() });
    status.className = answer.ok ? 'note good' : 'bad';
    status.textContent = answer.ok ? 'Saved. The restrictions now apply.' : problemText(answer);
    if (!answer.ok) return;
    onChange(answer.body);
    const { owner_code: made } = answer.body;
    if (!made) return;
    code.value = made;
    showOnce(find('#owner-code-new'), made, 'Copy code');
  });
}
