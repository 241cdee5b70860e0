/** Codes that people use for a country, which ISO 3166-1 has another one for. */
const meant: Readonly<Record<string, string>> = { UK: 'the United Kingdom is GB', EL: 'Greece is GR' };

/** What an unassigned alpha-2 code (upper case) is answered with: the one that is meant, or where all are listed. */
export const codeRemedy = (code: string): string => meant[code] ?? '/v1/countries/all lists them';
