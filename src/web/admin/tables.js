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
export function restrictionsOf({ origins, networks, endpoints }) {
  const lists = [
    ['origins', origins],
    ['networks', networks],
    ['endpoints', endpoints],
  ];
  return lists.flatMap(([label, entries]) => (entries ? [`${label}: ${entries.join(', ')}`] : [])).join('; ') || 'none';
}
