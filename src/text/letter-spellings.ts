import spellings from './dictionaries/letter-spellings.json' with { type: 'json' };

/** Letters that German and the Nordic languages also write with two: `ä` as `ae`. */
const pairs: Readonly<Record<string, string>> = spellings;
const spelledOut = new RegExp(`[${Object.keys(pairs).join('')}]`, 'g');

/** A name in small letters with `ae` for `ä` and so on; undefined where that changes nothing. */
export function withLettersSpelledOut(name: string): string | undefined {
  const lower = name.toLowerCase().normalize('NFC');
  const spelled = lower.replace(spelledOut, (letter) => pairs[letter]);
  return spelled === lower ? undefined : spelled;
}
