/** The words of a postal code as they are typed in a text: its parts, letters and digits apart, and all in one. */
export function postcodeWords(code: string): string[] {
  const words = code.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const joined = words.join('');
  // `1614LN` is also written `1614 LN`.
  const parts = joined.match(/[a-z]+|[0-9]+/g) ?? [];
  return joined === '' ? [] : [...words, ...parts, joined];
}

/** A postal code's letters and digits, for comparison. */
export const codeKey = (code: string) => code.toLowerCase().replace(/[^a-z0-9]/g, '');
