/** Terms of a postal code: its words as they are typed in a text, and the whole code for the filter. */
export function postcodeTerms(code: string): string[] {
  const words = code.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const joined = words.join('');
  // `1614LN` is also written `1614 LN`.
  const parts = joined.match(/[a-z]+|[0-9]+/g) ?? [];
  return joined === '' ? [] : [...words, ...parts, joined, `=p${joined}`];
}
