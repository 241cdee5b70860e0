/** Calls by key and endpoint for a period, as a table and as CSV. */
import { barChart } from '../account/chart.js';
import { element, find } from '../element.js';
import { askAdmin } from './session.js';
import { numberCell, row } from './tables.js';

const message = find('#usage-message');
const dayMs = 86_400_000;
const day = (ms) => new Date(ms).toISOString().slice(0, 10);

/** Sets the period to the last 30 days. */
export function startUsage() {
  find('#from').value = day(Date.now() - 30 * dayMs);
  find('#to').value = day(Date.now());
}

/** Asks for all pages; `pageOf` reads one and returns where the next begins, or null. */
async function pages(format, pageOf) {
  const query = new URLSearchParams({ from: find('#from').value, to: find('#to').value, format });
  for (let after = 0; after !== null; ) {
    query.set('after', after);
    after = pageOf(await askAdmin(`usage?${query}`));
  }
}

async function show() {
  const sums = new Map();
  const byDay = new Map();
  const [first, last] = ['#from', '#to'].map((id) => Date.parse(find(id).value));
  for (let at = last; at >= first; at -= dayMs) byDay.set(day(at), 0);
  await pages('json', ({ body }) => {
    for (const { key, name, plan, endpoint, date, calls } of body.rows) {
      byDay.set(date, (byDay.get(date) ?? 0) + calls);
      const id = `${key} ${endpoint}`;
      const known = sums.get(id) ?? { key, name, plan, endpoint, calls: 0 };
      sums.set(id, { ...known, calls: known.calls + calls });
    }
    return body.next;
  });
  const rows = [...sums.values()].sort((a, b) => b.calls - a.calls);
  find('#usage').replaceChildren(
    ...rows.map(({ key, name, plan, endpoint, calls }) => {
      const made = row(element('code', {}, `${key}…`), name ?? '', plan, endpoint);
      made.append(numberCell(calls));
      return made;
    }),
  );
  const days = [...byDay].map(([date, calls]) => ({ date, calls }));
  find('#usage-chart').replaceChildren(...(rows.length === 0 ? [] : barChart(days, find('#to').value)));
  find('#usage-table').hidden = rows.length === 0;
  message.textContent = rows.length === 0 ? 'No calls in this period.' : '';
}

async function download() {
  let csv = '';
  await pages('csv', ({ text, headers }) => {
    // The header is written once.
    csv += csv === '' ? text : text.slice(text.indexOf('\n') + 1);
    const next = headers.get('X-Next');
    return next === null ? null : Number(next);
  });
  const href = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }));
  element('a', { href, download: `usage-${find('#from').value}-${find('#to').value}.csv` }).click();
  URL.revokeObjectURL(href);
}

const saying = (action) => (event) => {
  event.preventDefault();
  message.textContent = '';
  action().catch((error) => {
    message.textContent = error.message;
  });
};
find('#usage-form').addEventListener('submit', saying(show));
find('#download').addEventListener('click', saying(download));
