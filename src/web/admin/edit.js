/** The dialog that creates or changes a key. */
import { element, entriesOf, find } from '../element.js';
import { askAdmin } from './session.js';

const dialog = find('#edit');
const message = find('#edit-message');
const lists = ['origins', 'networks', 'endpoints'];
let edited;
let before;
let settle;

/** The values of the form, as the API takes them. */
function fields() {
  const expires = find('#expires').value;
  return {
    name: find('#name').value.trim() || null,
    plan: find('#plan').value,
    expires: expires ? `${expires}Z` : null,
    ...Object.fromEntries(lists.map((id) => [id, entriesOf(find(`#${id}`))])),
  };
}

/** Opens the dialog for a key, or for a new one; resolves to the API's record, or undefined when it was cancelled. */
export function editKey(key, plans) {
  edited = key;
  find('#edit-heading').textContent = key ? `Change key ${key.id}` : 'Create a key';
  find('#save').textContent = key ? 'Save' : 'Create';
  find('#plan').replaceChildren(...plans.map((plan) => element('option', { value: plan }, plan)));
  find('#plan').value = key?.plan ?? plans[0];
  find('#name').value = key?.name ?? '';
  find('#expires').value = key?.expires?.slice(0, 16) ?? '';
  for (const id of lists) find(`#${id}`).value = (key?.[id] ?? []).join('\n');
  before = fields();
  message.textContent = '';
  dialog.showModal();
  return new Promise((resolve) => {
    settle = resolve;
  });
}

find('#edit-form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const written = fields();
  // Of a key only what was changed is sent: the log says so, and an end keeps its seconds.
  const isChanged = ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]);
  const body = Object.fromEntries(Object.entries(written).filter((field) => !edited || isChanged(field)));
  try {
    const answer = await (edited
      ? askAdmin(`keys/${edited.id}`, { method: 'PATCH', body })
      : askAdmin('keys', { method: 'POST', body }));
    settle(answer.body);
    dialog.close();
  } catch (error) {
    message.textContent = error.message;
  }
});
find('#cancel').addEventListener('click', () => dialog.close());
dialog.addEventListener('close', () => settle(undefined));
