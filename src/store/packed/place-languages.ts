import { join } from 'node:path';
import { openStrings, readPack } from './pack-file.ts';

export const placeLanguagesFile = 'place-languages.pack';

/**
 * Returns a place's name in a language (BCP 47, any case), or in the base language (`de` for `de-AT`); undefined when
 * unknown.
 */
type NameInLanguage = (index: number, language: string) => string | undefined;

/** The names that a place has in languages, by language in lower case; empty when none is known. */
type NamesInLanguages = (index: number) => Record<string, string>;

const traditional = /^zh-(.*-)?(hant|tw|hk|mo)\b/;

/** The tags under which a language's names may stand, the best first: `zh-hant` before `zh` for `zh-TW`, `no` for `nb`. */
export function tagsOf(language: string): string[] {
  const tag = language.toLowerCase().replaceAll('_', '-');
  const [base] = tag.split('-');
  if (base === 'zh') return traditional.test(tag) ? [tag, 'zh-hant', 'zh'] : [tag, 'zh', 'zh-hans', 'zh-hant'];
  if (base === 'nb' || base === 'nn') return [tag, base, 'no'];
  return base === tag ? [tag] : [tag, base];
}

/** Opens the names that places have in languages. Throws when the file is absent or not a pack. */
export function openPlaceLanguages(directory: string): { nameIn: NameInLanguage; namesOf: NamesInLanguages } {
  const pack = readPack(join(directory, placeLanguagesFile));
  const { languages } = pack.meta as { languages: string[] };
  const numbers = new Map(languages.map((language, number) => [language, number]));
  const strings = openStrings(pack, 'string');
  const { language: languageOf, text } = pack.columns({ language: 'u16', text: 'u32' });
  const ends = pack.ends('ends', text.length);

  const find = (index: number, tag: string): string | undefined => {
    const wanted = numbers.get(tag);
    if (wanted === undefined) return undefined;
    for (let at = index === 0 ? 0 : ends[index - 1]; at < ends[index]; at++) {
      if (languageOf[at] === wanted) return strings.at(text[at]);
    }
    return undefined;
  };

  return {
    nameIn(index, language) {
      for (const tag of tagsOf(language)) {
        const name = find(index, tag);
        if (name !== undefined) return name;
      }
      return undefined;
    },
    namesOf(index) {
      const names: Record<string, string> = {};
      for (let at = index === 0 ? 0 : ends[index - 1]; at < ends[index]; at++)
        names[languages[languageOf[at]]] = strings.at(text[at]);
      return names;
    },
  };
}
