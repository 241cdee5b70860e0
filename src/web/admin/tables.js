/** Rows of the tables of the admin page. */
import { element } from '../element.js';

const cell = (content, className = '') => element('td', { className }, content);

/** A row of cells; numbers are aligned to the right. */
export const row = (...contents) =>
  element('tr', {}, ...contents.map((content) => cell(content, typeof content === 'number' ? 'number' : '')));

const grouped = new Intl.NumberFormat('en');
export const numberCell = (value) => cell(grouped.format(value), 'number');

export const minuteOf = (time) => time.slice(0, 16).replace('T', ' ');

/** The current status of a key, in a word or two. */
export function stateOf({ revoked, expires, is_admin: isAdmin }) {
  if (revoked) return `revoked ${minuteOf(revoked)}`;
  if (expires && Date.parse(expires) <= Date.now()) return `expired ${minuteOf(expires)}`;
  const until = expires ? `, until ${minuteOf(expires)}` : '';
  return `${isAdmin ? 'admin' : 'active'}${until}`;
}

/** Where a key may be used, and for what. */
export const restrictionsOf = ({ origins, networks, endpoints }) =>
  inWords(Object.entries({ origins, networks, endpoints }).filter(([, entries]) => entries)) || 'none';

/** What an entry of the audit log set, or '' where it says no more than its action. */
export const detailOf = (detail) => inWords(Object.entries(detail ?? {}));

function inWords(entries) {
  const shown = (value) => {
    if (value === null) return 'none';
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    if (Array.isArray(value)) return value.join(', ') || 'none';
    return /^\d{4}-\d\d-\d\dT/.test(value) ? minuteOf(value) : value;
  };
  return entries
    .map(([name, value]) => `${name.replaceAll(/(?=[A-Z])/g, ' ').toLowerCase()}: ${shown(value)}`)
    .join('; ');
}
