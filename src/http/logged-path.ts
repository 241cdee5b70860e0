/** A key, each of its characters as it is or percent-encoded. */
const keyInText = /(?:w|%[57]7)(?:a|%[46]1)(?:b|%[46]2)(?:_|%5f)(?:[0-9a-z]|%[3-7][0-9a-f]){8,}/gi;

/** Text without the keys that stand in it, for logs and for answers that repeat the request. */
export const withoutKeys = (text: string): string => text.replace(keyInText, 'wab_…');

/** The path of an address as it may stand in a log: without the query, which tells of people, and without a key. */
export function loggedPath(url: string): string {
  const mark = url.indexOf('?');
  return withoutKeys((mark < 0 ? url : url.slice(0, mark)).replace(/^\/key\/[^/]*/, '/key/…'));
}
