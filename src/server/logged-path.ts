/** A key, each of its characters as it is or percent-encoded. */
const keyInText = /(?:w|%[57]7)(?:a|%[46]1)(?:b|%[46]2)(?:_|%5f)(?:[0-9a-z]|%[3-7][0-9a-f]){8,}/gi;

/** Replaces keys in a text, for logs and for answers that repeat the request. */
export const withoutKeys = (text: string): string => text.replace(keyInText, 'wab_…');

/** The loggable path of a URL: without the query, which may be personal data, and without a key. */
export function loggedPath(url: string): string {
  const mark = url.indexOf('?');
  return withoutKeys((mark < 0 ? url : url.slice(0, mark)).replace(/^\/key\/[^/]*/, '/key/…'));
}
