/** The operator's page: keys, their use, and who changed what, over the admin API. */
import { showOnce } from '../copy-button.js';
import { element, find, makeScrollable, speaker } from '../element.js';
import { faultOfKey } from '../key.js';
import { editKey } from './edit.js';
import { adminKey, askAdmin, keepAdminKey } from './session.js';
import { detailOf, minuteOf, restrictionsOf, row, stateOf } from './tables.js';
import { startUsage } from './usage.js';

const message = find('#message');
let keys = [];
let plans = [];
let next = null;
let logged = 0;

const say = speaker(message);
const saying = (action) => async () => {
  try {
    await action();
  } catch (error) {
    say(error.message, true);
    message.scrollIntoView({ block: 'center' });
  }
};

function actionsOf(key) {
  if (key.revoked) return '';
  const button = (text, action, className = '') => {
    const made = element('button', { type: 'button', className }, text);
    made.setAttribute('aria-label', `${text.replace('…', '')} key ${key.id}`);
    made.addEventListener('click', saying(action));
    return made;
  };
  return element(
    'span',
    { className: 'actions' },
    button('Change…', () => change(key)),
    button('Revoke…', () => revoke(key), 'danger'),
  );
}

function showKeys() {
  const wanted = find('#filter').value.trim().toLowerCase();
  const shown = keys.filter(({ id, key, name, plan }) =>
    `${id} ${key} ${name ?? ''} ${plan}`.toLowerCase().includes(wanted),
  );
  find('#keys').replaceChildren(
    ...shown.map((key) =>
      row(
        `${key.id}`,
        element('code', {}, `${key.key}…`),
        key.name ?? '',
        key.plan,
        stateOf(key),
        restrictionsOf(key),
        actionsOf(key),
      ),
    ),
  );
  find('#keys-count').textContent = `${shown.length} of ${keys.length} ${next === null ? '' : 'loaded '}keys`;
  find('#more-keys').hidden = next === null;
}

async function loadKeys(after = 0) {
  const { body } = await askAdmin(`keys?after=${after}`);
  if (after === 0) keys = [];
  keys.push(...body.keys);
  ({ plans, next } = body);
  showKeys();
}

async function loadLog(offset = 0) {
  const { body } = await askAdmin(`log?offset=${offset}`);
  if (offset === 0) find('#log').replaceChildren();
  find('#log').append(
    ...body.lines.map(({ at, by, action, key_id: id, detail }) =>
      row(minuteOf(at), by, action, `${id}`, detailOf(detail)),
    ),
  );
  logged = offset + body.lines.length;
  find('#more-log').hidden = body.lines.length < 100;
}

/** Replaces a record by the one that the API returned, or appends it. */
async function changed(record) {
  const at = keys.findIndex(({ id }) => id === record.id);
  if (at >= 0) keys[at] = record;
  else if (next === null) keys.push(record);
  showKeys();
  await loadLog();
}

async function create() {
  const record = await editKey(undefined, plans);
  if (!record) return;
  const { text, ...key } = record;
  showOnce(find('#new-key'), text, 'Copy key');
  say(`Key ${key.id} was created.`);
  await changed(key);
}

async function change(key) {
  const record = await editKey(key, plans);
  if (!record) return;
  say(`Key ${key.id} was changed.`);
  await changed(record);
}

async function revoke(key) {
  const dialog = find('#sure');
  find('#sure-text').textContent =
    `Key ${key.id} (${key.name ?? key.key}) and its former keys stop working at once. This cannot be undone.`;
  dialog.returnValue = 'no';
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
  if (dialog.returnValue !== 'yes') return;
  const { body } = await askAdmin(`keys/${key.id}/revoke`, { method: 'POST', body: {} });
  say(`Key ${key.id} was revoked.`);
  await changed(body);
}

async function open() {
  const hasKey = adminKey() !== '';
  find('#enter').hidden = hasKey;
  find('#admin').hidden = true;
  if (!hasKey) return;
  try {
    await Promise.all([loadKeys(), loadLog()]);
  } catch (error) {
    keepAdminKey('');
    find('#enter').hidden = false;
    say(error.message, true);
    return;
  }
  startUsage();
  find('#admin').hidden = false;
}

find('#enter').addEventListener('submit', (event) => {
  event.preventDefault();
  const text = find('#given').value;
  const fault = faultOfKey(text);
  say(fault, fault !== '');
  if (fault) return;
  keepAdminKey(text);
  find('#given').value = '';
  open();
});
find('#sign-out').addEventListener('click', () => {
  keepAdminKey('');
  location.reload();
});
find('#create').addEventListener('click', saying(create));
find('#filter').addEventListener('input', showKeys);
find('#more-keys').addEventListener(
  'click',
  saying(() => loadKeys(next)),
);
find('#more-log').addEventListener(
  'click',
  saying(() => loadLog(logged)),
);
makeScrollable(...document.querySelectorAll('.scroll'));
open();
