/** The visitor's language, unless it is English, the language of most main names in the data. */
export const visitorLanguage = () => {
  const [first = 'en'] = navigator.languages ?? [];
  return /^en\b/i.test(first) ? undefined : first;
};

let countries;

/** Name of a country in the visitor's language, by its code. Browsers take a while to make the first. */
export function countryName(code) {
  const languages = navigator.languages?.length ? navigator.languages : ['en'];
  countries ??= new Intl.DisplayNames(languages, { type: 'region', fallback: 'code' });
  return countries.of(code);
}
