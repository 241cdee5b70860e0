/** Home: the search box, a key for those who have none, and counters that follow /status. */
import { ask, problemText } from './ask.js';
import { combobox } from './combobox.js';
import { find } from './element.js';
import { currentKey } from './key.js';
import { startKeyWanted } from './key-wanted.js';
import { countryName, visitorLanguage } from './language.js';

const input = find('#q');
const status = find('#search-status');
const quiet = [...status.childNodes];
const lang = visitorLanguage();

const keyWanted = startKeyWanted(() => {
  status.replaceChildren('You have a key now, kept in this browser; your account shows it. Type away.');
  input.focus();
});

/** A place as people of the visitor's language read it: name, region, country. */
const labelOf = ({ name, admin1, country }) =>
  [name, admin1 === name ? undefined : admin1, countryName(country)].filter(Boolean).join(', ');

combobox(input, find('#suggestions'), {
  label: labelOf,
  choose({ name, admin1, country }) {
    const values = { q: [name, admin1].filter(Boolean).join(', '), country, ...(lang ? { lang } : {}) };
    location.assign(`/explorer?${new URLSearchParams({ endpoint: 'search', ...values })}`);
  },
  async suggest(text, signal) {
    if (text.trim().length < 2) {
      status.replaceChildren(...quiet);
      return [];
    }
    if (!currentKey()) {
      status.textContent = 'A key is needed to search.';
      return [];
    }
    const query = new URLSearchParams({ q: text, limit: '8', ...(lang ? { lang } : {}) });
    const answer = await ask(`/v1/autocomplete?${query}`, { signal });
    if (!answer.ok) {
      status.textContent = problemText(answer);
      if (answer.status === 401) keyWanted();
      return [];
    }
    const { count } = answer.body;
    const said = count === 0 ? 'No place found' : `${count} ${count === 1 ? 'place' : 'places'}`;
    status.textContent = `${said}, in ${Math.max(1, Math.round(answer.ms))} ms.`;
    return answer.body.results;
  },
});

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
