import { invalidParameter, WhereaboutsError } from '../errors.ts';
import { Nullable, Type } from '../schema.ts';
import type { Country, Store } from '../store/store.ts';
import { orderOf } from '../text/language-tags.ts';
import { type Context, defineEndpoint } from './endpoint.ts';
import { countryInPath, languageParameter, limit, listOf, offsetParameter, queryMs } from './parameters.ts';
import { codeRemedy } from './read-parameters.ts';

/** Fields of country records. */
const countryFields = {
  name: Type.String('English name, or that in `lang`.'),
  iso2: Type.String('ISO 3166-1 alpha-2 code.'),
  iso3: Type.String('ISO 3166-1 alpha-3 code.'),
  capital: Nullable.String('Null where there is none.'),
  currency: Nullable.String('ISO 4217 code; null where there is none.'),
  currency_symbol: Nullable.String('Symbol as written in the country, or else the code.'),
  phone_code: Nullable.String('Calling code with leading plus, `+49`, `+1-268`.'),
  languages: Type.Array(Type.String(), { description: 'English names of the official languages.' }),
  continent: Nullable.String(),
  flag: Type.String('Flag emoji.'),
  timezone: Nullable.String('IANA time zone of the capital; null for uninhabited countries.'),
  region: Nullable.String('Geographic region by UN M49, such as `Western Europe`.'),
  is_eu: Type.Boolean('Member of the European Union.'),
  population: Nullable.Integer(),
};

const variant = Type.Object({ limit: limit({ maximum: 249, default: 50 }) });
const parameters = Type.Object({ ...variant.properties, lang: languageParameter, offset: offsetParameter });
const { iso2, iso3, name, capital, currency, phone_code, is_eu } = countryFields;
const response = listOf({ iso2, iso3, name }, {});

export const countries = defineEndpoint({
  path: '/countries',
  summary: 'Countries by name',
  description: 'The first `limit` of the 249 countries with an ISO 3166-1 code, ordered by name.',
  parameters: { default: parameters, a: variant, b: variant },
  response: { default: response, a: response, b: response },
  layers: ['world'],
  handle({ limit, lang, offset = 0 }, { store }) {
    const found = assignedIn(store, lang).slice(offset, offset + limit);
    const results = found.map(({ iso2, iso3, name }) => ({ iso2, iso3, name }));
    return { results, count: results.length };
  },
});

const nothing = Type.Object({});
const all = listOf({ iso2, iso3, name, capital, currency, phone_code, is_eu }, {});

export const countriesAll = defineEndpoint({
  path: '/countries/all',
  summary: 'All countries',
  description: 'All 249 countries with an ISO 3166-1 code, ordered by name.',
  parameters: { default: Type.Object({ lang: languageParameter }), a: nothing, b: nothing },
  response: { default: all, a: all, b: all },
  layers: ['world'],
  handle({ lang }, { store }) {
    const results = assignedIn(store, lang).map((country) => ({
      ...country,
      phone_code: country.phoneCode,
      is_eu: country.isEu,
    }));
    return { results, count: results.length };
  },
});

const codeInPath = Type.Object({ code: countryInPath });
const { continent, timezone, region, is_eu: _is_eu, population, ...shared } = countryFields;

export const country = defineEndpoint({
  path: '/country/{code}',
  summary: 'One country',
  description:
    'The record of one country. A two-letter code that ISO 3166-1 does not assign answers 404 ' +
    '`country_not_found`; anything but two letters answers 400.',
  parameters: {
    default: Type.Object({ ...codeInPath.properties, lang: languageParameter }),
    a: codeInPath,
    b: codeInPath,
  },
  response: {
    default: Type.Object({ ...countryFields, ...queryMs }),
    a: Type.Object({ ...shared, continent, timezone, region, ...queryMs }),
    b: Type.Object({ ...shared, is_eu, population, ...queryMs }),
  },
  layers: ['world'],
  handle({ code, lang }, { store }) {
    const {
      currencySymbol: currency_symbol,
      phoneCode: phone_code,
      isEu: is_eu,
      ...record
    } = inLanguage(store, countryOf(code, store.countries), lang);
    return { ...record, currency_symbol, phone_code, is_eu };
  },
});

/** A country with its own name and its capital's in a language. */
function inLanguage({ countries, places }: Store, country: Country, lang: string | undefined): Country {
  if (lang === undefined) return country;
  const { iso2, capital } = country;
  const [index] = capital === null ? [] : places.named(capital, iso2);
  return {
    ...country,
    name: countries.nameIn(iso2, lang),
    capital: index === undefined ? capital : places.nameIn(index, lang),
  };
}

/** The countries of the list, ordered by their names in a language. */
function assignedIn(store: Store, lang: string | undefined): readonly Country[] {
  const { assigned } = store.countries;
  if (lang === undefined) return assigned;
  const compare = orderOf(lang);
  return assigned.map((country) => inLanguage(store, country, lang)).sort((a, b) => compare(a.name, b.name));
}

/** The country of a path's code. Throws `invalid_parameter` with what is meant, or `country_not_found`. */
export function countryOf(code: string, countries: Context['store']['countries'], isAny = false): Country {
  const iso2 = code.toUpperCase();
  // The code as given: upper case makes SS of ß.
  if (!/^[A-Za-z]{2}$/.test(code)) {
    const matched = countries.assigned.find(({ iso3 }) => iso3 === iso2);
    const remedy = matched ? `; the alpha-2 code of ${matched.name} is ${matched.iso2}` : '';
    throw invalidParameter(
      'code',
      `code is ${JSON.stringify(code.slice(0, 60))}, expected the two letters of an ISO 3166-1 alpha-2 code such as DE${remedy}`,
    );
  }
  const country = countries.get(iso2);
  if (country && (country.isAssigned || isAny)) return country;
  throw new WhereaboutsError(
    'country_not_found',
    `${iso2} is not one of the 249 codes that ISO 3166-1 assigns; ${codeRemedy(iso2)}`,
  );
}
