/** Languages that can be recognised by a name's letters: those that have a script to themselves. */
const scripts: readonly (readonly [language: string, script: RegExp])[] = [
  ['el', /^[\p{Script=Greek}\p{P}\p{Zs}]+$/u],
  ['he', /^[\p{Script=Hebrew}\p{P}\p{Zs}]+$/u],
  ['ka', /^[\p{Script=Georgian}\p{P}\p{Zs}]+$/u],
  ['hy', /^[\p{Script=Armenian}\p{P}\p{Zs}]+$/u],
  ['th', /^[\p{Script=Thai}\p{P}\p{Zs}]+$/u],
  ['lo', /^[\p{Script=Lao}\p{P}\p{Zs}]+$/u],
  ['km', /^[\p{Script=Khmer}\p{P}\p{Zs}]+$/u],
  ['my', /^[\p{Script=Myanmar}\p{P}\p{Zs}]+$/u],
  ['ko', /^[\p{Script=Hangul}\p{P}\p{Zs}]+$/u],
  [
    'ja',
    /^[\p{Script=Katakana}\p{Script=Hiragana}\p{Script=Han}ー・＝\p{P}\p{Zs}]*[\p{Script=Katakana}\p{Script=Hiragana}][\p{Script=Katakana}\p{Script=Hiragana}\p{Script=Han}ー・＝\p{P}\p{Zs}]*$/u,
  ],
  ['am', /^[\p{Script=Ethiopic}\p{P}\p{Zs}]+$/u],
  ['ta', /^[\p{Script=Tamil}\p{P}\p{Zs}]+$/u],
  ['te', /^[\p{Script=Telugu}\p{P}\p{Zs}]+$/u],
  ['kn', /^[\p{Script=Kannada}\p{P}\p{Zs}]+$/u],
  ['ml', /^[\p{Script=Malayalam}\p{P}\p{Zs}]+$/u],
  ['gu', /^[\p{Script=Gujarati}\p{P}\p{Zs}]+$/u],
  ['pa', /^[\p{Script=Gurmukhi}\p{P}\p{Zs}]+$/u],
  ['si', /^[\p{Script=Sinhala}\p{P}\p{Zs}]+$/u],
];
const han = /^\p{Script=Han}+$/u;
const latin = /\p{Script=Latin}/u;

/** Letters that stand for vowels in Yiddish only; in Hebrew Ayin is a letter of Semitic names. */
const yiddish = /[עװױײ]|[אפ][\u05b7\u05b8\u05bf]/;
const semitic = new Set(['he', 'ar', 'fa']);
/** Whether names of a country may have Ayin in Hebrew too, by the language that most of its people speak. */
const isSpokenBeside = (country: string) => semitic.has(new Intl.Locale(`und-${country || 'ZZ'}`).maximize().language);

/** Returns the language of a name of a place in a country (BCP 47); undefined when several languages share its letters. */
export type LanguageByScript = (name: string, country: string) => string | undefined;

/**
 * Makes the look-up. Chinese characters are Japanese for a place in Japan when the Japanese character set (JIS X 0208)
 * has them all, and Chinese for one in mainland China when the simplified one (GB 2312) has; elsewhere they are
 * ambiguous.
 */
export function scriptLanguages(): LanguageByScript {
  const ofHan: Record<string, { language: string; characters: Set<string> }> = {
    JP: { language: 'ja', characters: characterSet('euc-jp') },
    CN: { language: 'zh', characters: characterSet('gbk') },
  };
  return (name, country) => {
    if (latin.test(name)) return undefined;
    if (!han.test(name)) {
      const language = scripts.find(([, script]) => script.test(name))?.[0];
      return language === 'he' && yiddish.test(name) && !isSpokenBeside(country) ? 'yi' : language;
    }
    const set = ofHan[country];
    return set && [...name].every((character) => set.characters.has(character)) ? set.language : undefined;
  };
}

/** The characters of the 94 by 94 table that both encodings put at the bytes A1 to FE. */
function characterSet(encoding: 'euc-jp' | 'gbk'): Set<string> {
  const decoder = new TextDecoder(encoding);
  const characters = new Set<string>();
  // Rows past F7 are user-defined in GB 2312; JIS X 0208 ends at F4.
  for (let row = 0xb0; row <= 0xf7; row++) {
    for (let cell = 0xa1; cell <= 0xfe; cell++) characters.add(decoder.decode(Uint8Array.of(row, cell)));
  }
  return characters;
}
