import { join } from 'node:path';
import { traditionalChinese } from '../../text/fold.ts';
import { serbianLatin } from '../../text/scripts.ts';
import { openStrings, readPack } from './pack-file.ts';

export const placeLanguagesFile = 'place-languages.pack';

const traditional = /^zh-(.*-)?(hant|tw|hk|mo)\b/;
const latinSerbian = /^sr-(.*-)?(latn|me)\b/;

const current = new Map<string, string>();
/** The code of a language today: `he` of `iw`, `sr-latn` of `sh`. */
const currentCode = (code: string) =>
  current.getOrInsertComputed(code, () => Intl.getCanonicalLocales(code)[0].toLowerCase());

/** The tags under which a language's names may stand, the best first: `zh-hant` before `zh` for `zh-TW`, `no` for `nb`. */
function tagsOf(language: string): string[] {
  const [code, ...rest] = language.toLowerCase().split(/[-_]/);
  const tag = [currentCode(code), ...rest].join('-');
  const [base] = tag.split('-');
  if (base === 'zh') return traditional.test(tag) ? [tag, 'zh-hant', 'zh'] : [tag, 'zh', 'zh-hans', 'zh-hant'];
  if (base === 'nb' || base === 'nn') return [tag, base, 'no'];
  return base === tag ? [tag] : [tag, base];
}

/** The first name of a language's tags, in the letters that these ask for. */
function nameOfTags(tags: readonly string[], find: (tag: string) => string | undefined): string | undefined {
  for (const tag of tags) {
    const name = find(tag);
    if (name === undefined) continue;
    if (tag === 'zh' && traditional.test(tags[0])) return traditionalChinese(name);
    return tag === 'sr' && latinSerbian.test(tags[0]) ? serbianLatin(name) : name;
  }
  return undefined;
}

const maximised = new Map<string, Intl.Locale>();
const likely = (tag: string) => maximised.getOrInsertComputed(tag, () => new Intl.Locale(tag).maximize());

/** The language that most people of a country speak, by CLDR's likely subtags: `es` of ES. */
export const mainLanguage = (iso2: string) => likely(`und-${iso2}`).language;

/**
 * The name in a language, by what finds a name by its tag; else the local one, unless it is in other letters than Latin ones
 * and those of the language: a main name is in Latin letters. Undefined for English, in which main names are where not local.
 */
export function nameOrLocal(language: string, country: string, find: (tag: string) => string | undefined) {
  const tags = tagsOf(language);
  const name = nameOfTags(tags, find);
  const [base] = tags.at(-1)!.split('-');
  if (name !== undefined || base === 'en' || country === '' || !/^[a-z]{2,3}$/.test(base)) return name;
  const { script } = likely(`und-${country}`);
  const isRead = script === 'Latn' || (script === likely(base).script && !latinSerbian.test(tags[0]));
  return isRead ? find(mainLanguage(country)) : undefined;
}

/** Opens the names that places have in languages. Throws when the file is absent or not a pack. */
export function openPlaceLanguages(directory: string) {
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
    /**
     * A place's name in a language (BCP 47, any case), or in the base language (`de` for `de-AT`), else the local name if `country`
     * is where it is; undefined when unknown.
     */
    nameIn: (index: number, language: string, country = '') =>
      nameOrLocal(language, country, (tag) => find(index, tag)),
    /** The names that a place has in languages, by language in lower case; empty when none is known. */
    namesOf(index: number) {
      const names: Record<string, string> = {};
      for (let at = index === 0 ? 0 : ends[index - 1]; at < ends[index]; at++)
        names[languages[languageOf[at]]] = strings.at(text[at]);
      return names;
    },
  };
}
