/** The entries of a dictionary by language: words separated by blanks, or entries of several words each. */
export function entriesOf(dictionary: Readonly<Record<string, string | readonly string[]>>): string[] {
  return Object.values(dictionary).flatMap((entries) => (typeof entries === 'string' ? entries.split(' ') : entries));
}
