/** Home: the search box with its map, a key for those who want one, and counters that follow /status. */
import { ask, problemText, refusalText } from './ask.js';
import { element, find } from './element.js';
import { drawFound, foundIn } from './explorer/drawing.js';
import { createMap } from './explorer/map.js';
import { recordPopup } from './explorer/popup.js';
import { startKeyWanted } from './key-wanted.js';
import { visitorLanguage } from './language.js';
import { startPlaceBox } from './place-box.js';

const status = find('#search-status');
const lang = visitorLanguage();
let map;
let found = [];

const keyWanted = startKeyWanted(() => {
  status.textContent = 'You have a key now. This browser keeps it, and your account shows it.';
});

/** Shows records as pins; one that is chosen opens. */
function show(records, { isChosen = false } = {}) {
  found = foundIn({ results: records });
  map?.draw(drawFound(found), { fit: found.length > 0 });
  if (isChosen) open(0);
}

function open(index) {
  const { record, label, number } = found[index];
  if (number === undefined) return;
  map?.popup(record, recordPopup(label, record));
}

function say(text, values) {
  const query = new URLSearchParams({ ...values, ...(lang ? { lang } : {}) });
  status.replaceChildren(text, ' ', element('a', { href: `/explorer?${query}` }, 'Open in the explorer'));
}

startPlaceBox(find('#search'), {
  onFound: (suggestions) => show(suggestions),
  onChoose(record) {
    show([record], { isChosen: true });
    say(`${record.label}.`, { endpoint: 'place', id: record.id });
  },
  async onSearch(q) {
    const answer = await ask(`/v1/search?${new URLSearchParams({ q, limit: 8, ...(lang ? { lang } : {}) })}`);
    if (!answer.ok) {
      status.textContent = problemText(answer);
      if (answer.status === 401) keyWanted();
      return;
    }
    const { results } = answer.body;
    show(results, { isChosen: results.length === 1 });
    if (results.length === 0) status.textContent = 'Nothing found.';
    else say(results.length === 1 ? '1 place.' : `${results.length} places.`, { endpoint: 'search', q });
  },
  onError(error) {
    status.textContent = refusalText(error.code, error.retryAfter, error.message);
    if (error.status === 401) keyWanted();
  },
});

async function startMap() {
  map = await createMap(find('#map'), {
    onPlace: async (position) => {
      const answer = await ask(`/v1/reverse?${new URLSearchParams({ ...position, ...(lang ? { lang } : {}) })}`);
      if (!answer.ok) return;
      show(answer.body.results.slice(0, 1), { isChosen: true });
    },
    onPin: open,
  });
  if (found.length > 0) map.draw(drawFound(found), { fit: true });
}
startMap();

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
