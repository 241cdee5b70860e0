/** Home: the search box, a key for those who have none, and counters that follow /status. */
import '/assets/autocomplete/index.js';
import { ask, refusalText } from './ask.js';
import { find } from './element.js';
import { currentKey } from './key.js';
import { startKeyWanted } from './key-wanted.js';
import { countryName, visitorLanguage } from './language.js';

const input = find('#q');
const status = find('#search-status');
const lang = visitorLanguage();

const keyWanted = startKeyWanted(() => {
  status.replaceChildren('You have a key now. This browser keeps it, and your account shows it. Start typing.');
  input.focus();
});

/** A place as people of the visitor's language read it: name, region, country. */
const labelOf = ({ name, admin1, country }) =>
  [name, admin1 === name ? undefined : admin1, countryName(country)].filter(Boolean).join(', ');

const box = find('whereabouts-autocomplete');
box.format = labelOf;
if (lang) box.setAttribute('lang', lang);
const useKey = () => box.setAttribute('api-key', currentKey());
addEventListener('keychange', useKey);
useKey();

box.addEventListener('whereabouts-select', ({ detail: { name, admin1, country } }) => {
  const values = { q: [name, admin1].filter(Boolean).join(', '), country, ...(lang ? { lang } : {}) };
  location.assign(`/explorer?${new URLSearchParams({ endpoint: 'search', ...values })}`);
});
box.addEventListener('whereabouts-error', ({ detail: error }) => {
  status.textContent = currentKey() ? refusalText(error.code, error.retryAfter, error.message) : 'Search needs a key.';
  if (error.status === 401) keyWanted();
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
