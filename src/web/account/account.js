/** The account of the key that this browser keeps. */
import { ask, problemText } from '../ask.js';
import { copyButton, showOnce } from '../copy-button.js';
import { element, find, makeScrollable, speaker } from '../element.js';
import { currentKey, faultOfKey, keepKey, maskedKey } from '../key.js';
import { barChart } from './chart.js';
import { ownerHeaders, showRestrictions, startRestrictions } from './restrictions.js';

const message = find('#message');
const account = find('#account');
const enter = find('#enter');
const grouped = new Intl.NumberFormat('en');
const dayOf = (time) => (time ? `${time.slice(0, 16).replace('T', ' ')} UTC` : 'never');

const tell = speaker(message);

function showAccount(body) {
  const facts = [
    ['Key', element('code', { id: 'key-shown', translate: false }, maskedKey())],
    ['Name', body.name ?? 'none'],
    [
      'Plan',
      `${body.plan}: ${grouped.format(body.calls_per_day)} calls a day, ${grouped.format(body.calls_per_second)} a second (${grouped.format(body.burst)} at once)`,
    ],
    ['Created', dayOf(body.created)],
    ['Expires', dayOf(body.expires)],
    [
      'May be used',
      [body.origins && `from ${body.origins.join(', ')}`, body.networks && `in ${body.networks.join(', ')}`]
        .filter(Boolean)
        .join('; ') || 'from anywhere',
    ],
  ];
  if (body.endpoints) facts.push(['Endpoints', body.endpoints.join(', ')]);
  find('#facts').replaceChildren(
    ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
  );
  find('#former').textContent = body.former_keys
    .map(({ key, until }) => `The former key ${key}… is valid until ${dayOf(until)}.`)
    .join(' ');
  showRestrictions(body);
}

function showUse(body) {
  find('#today').textContent =
    `${grouped.format(body.used)} of ${grouped.format(body.limit)} calls used today. The quota resets at ${body.reset.slice(11, 16)} UTC.`;
  const meter = find('#meter');
  meter.max = body.limit;
  meter.high = body.limit * 0.9;
  meter.value = body.used;
  find('#chart').replaceChildren(...barChart(body.days));
  find('#days').replaceChildren(
    ...body.days.map(({ date, calls }) =>
      element('tr', {}, element('td', {}, date), element('td', {}, grouped.format(calls))),
    ),
  );
}

async function load() {
  const hasKey = currentKey() !== '';
  enter.hidden = hasKey;
  account.hidden = true;
  if (!hasKey) return;
  const [owned, use] = await Promise.all([ask('/account/key'), ask('/v1/usage')]);
  if (!owned.ok) {
    tell(problemText(owned), true);
    enter.hidden = false;
    find('#given').value = currentKey();
    return;
  }
  tell('');
  showAccount(owned.body);
  find('#show').setAttribute('aria-pressed', 'false');
  find('#show').textContent = 'Show the key';
  find('#use-heading').parentElement.hidden = !use.ok;
  if (use.ok) showUse(use.body);
  account.hidden = false;
}

enter.addEventListener('submit', (event) => {
  event.preventDefault();
  const text = find('#given').value;
  const fault = faultOfKey(text);
  if (fault) tell(fault, true);
  else {
    keepKey(text);
    load();
  }
});

find('#show').addEventListener('click', ({ currentTarget: button }) => {
  const isShown = button.getAttribute('aria-pressed') !== 'true';
  button.setAttribute('aria-pressed', String(isShown));
  button.textContent = isShown ? 'Hide the key' : 'Show the key';
  find('#key-shown').textContent = isShown ? currentKey() : maskedKey();
});
find('#copy-key').replaceWith(copyButton(currentKey, 'Copy the key'));

find('#forget').addEventListener('click', () => {
  keepKey('');
  tell('This browser no longer keeps the key. The key stays valid.');
  load();
});

find('#rotate').addEventListener('submit', async (event) => {
  event.preventDefault();
  const body = { grace_hours: Number(find('#grace').value) };
  const answer = await ask('/account/key/rotate', { method: 'POST', body, headers: ownerHeaders() });
  if (!answer.ok) {
    tell(problemText(answer), true);
    message.scrollIntoView({ block: 'center' });
    return;
  }
  const { key } = answer.body;
  keepKey(key);
  await load();
  showOnce(find('#rotated'), key, 'Copy key');
});

find('#revoke').addEventListener('click', () => find('#sure').showModal());
find('#sure').addEventListener('close', async () => {
  if (find('#sure').returnValue !== 'yes') return;
  const answer = await ask('/account/key/revoke', { method: 'POST', body: {}, headers: ownerHeaders() });
  if (!answer.ok) {
    tell(problemText(answer), true);
    message.scrollIntoView({ block: 'center' });
    return;
  }
  keepKey('');
  await load();
  tell('The key is revoked.');
});

makeScrollable(find('.scroll'));
startRestrictions(showAccount);
load();
