/** Text without the keys that stand in it, for logs and for answers that repeat what was asked. */
export const withoutKeys = (text: string): string => text.replace(/wab(_|%5f)[0-9a-z]{8,}/gi, 'wab_…');

/** The path of an address as it may stand in a log: without the query, which tells of people, and without a key. */
export function loggedPath(url: string): string {
  const mark = url.indexOf('?');
  return withoutKeys((mark < 0 ? url : url.slice(0, mark)).replace(/^\/key\/[^/]*/, '/key/…'));
}
