/** The path of an address as it may stand in a log: without the query, which tells of people, and without a key. */
export function loggedPath(url: string): string {
  const mark = url.indexOf('?');
  return (mark < 0 ? url : url.slice(0, mark)).replace(/^\/key\/[^/]*/, '/key/…');
}
