/** Home: the search box, a key for those who have none, and counters that follow /status. */
import { ask, problemText } from './ask.js';
import { combobox } from './combobox.js';
import { find } from './element.js';
import { currentKey, keepKey } from './key.js';

const input = find('#q');
const status = find('#search-status');
const wanted = find('#key-wanted');
const quiet = status.innerHTML;

combobox(input, find('#suggestions'), {
  label: (suggestion) => suggestion.label,
  choose(suggestion) {
    location.assign(`/explorer?${new URLSearchParams({ endpoint: 'search', q: suggestion.label })}`);
  },
  async suggest(text, signal) {
    if (text.trim().length < 2) {
      status.innerHTML = quiet;
      return [];
    }
    if (!currentKey()) {
      status.textContent = 'A key is needed to search.';
      return [];
    }
    const answer = await ask(`/v1/autocomplete?${new URLSearchParams({ q: text, limit: '8' })}`, { signal });
    if (!answer.ok) {
      status.textContent = problemText(answer);
      if (answer.status === 401) showKeyWanted(true);
      return [];
    }
    const { count } = answer.body;
    const said = count === 0 ? 'No place found' : `${count} ${count === 1 ? 'place' : 'places'}`;
    status.textContent = `${said}, in ${Math.max(1, Math.round(answer.ms))} ms.`;
    return answer.body.results;
  },
});

/** Shows what to do without a key, by the server's way of signing up. */
async function showKeyWanted(isWanted) {
  document.documentElement.toggleAttribute('data-key', !isWanted);
  if (!isWanted) return;
  const { body } = await ask('/account/sign-up');
  for (const part of wanted.querySelectorAll('[data-mode]')) part.hidden = part.dataset.mode !== body?.mode;
  wanted.classList.remove('waiting');
}

find('#quick-key').addEventListener('click', async () => {
  const told = find('#key-status');
  const answer = await ask('/account/sign-up', { method: 'POST', body: {} });
  if (!answer.ok) {
    told.textContent = problemText(answer);
    return;
  }
  keepKey(answer.body.key);
  status.textContent = 'You have a key now, kept in this browser; the page Account shows it. Type away.';
  input.focus();
});

addEventListener('keychange', () => showKeyWanted(!currentKey()));
showKeyWanted(!currentKey());

const grouped = new Intl.NumberFormat('en');

/** Brings the counters up to date when another dataset is served. */
async function followStatus() {
  if (document.hidden) return;
  const { ok, body } = await ask('/status');
  if (!ok || !body.dataset) return;
  for (const counter of document.querySelectorAll('[data-record]')) {
    const count = body.dataset.layers[counter.dataset.layer]?.records[counter.dataset.record];
    if (count !== undefined) counter.textContent = grouped.format(count);
  }
  const version = document.querySelector('[data-dataset]');
  if (version) version.textContent = body.dataset.version;
}
followStatus();
setInterval(followStatus, 30_000);
