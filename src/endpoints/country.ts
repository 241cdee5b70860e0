import { invalidParameter, WhereaboutsError } from '../errors.ts';
import { Type } from '../schema.ts';
import type { Country, Store } from '../store/store.ts';
import { countryFields } from './countries.ts';
import { always, type Context, defineEndpoint } from './endpoint.ts';
import { keptRecord } from './kept-record.ts';
import { countryInPath, queryMs } from './parameters.ts';
import { codeRemedy } from './read-parameters.ts';

const parameters = Type.Object({ code: countryInPath });
const { continent, timezone, region, is_eu, population, ...shared } = countryFields;

export const country = defineEndpoint({
  path: '/country/{code}',
  summary: 'One country',
  description:
    'The record of one country. A two-letter code that ISO 3166-1 does not assign answers 404 ' +
    '`country_not_found`; anything but two letters answers 400.',
  parameters: { default: parameters, a: parameters, b: parameters },
  response: {
    default: Type.Object({ ...countryFields, ...queryMs }),
    a: Type.Object({ ...shared, continent, timezone, region, ...queryMs }),
    b: Type.Object({ ...shared, is_eu, population, ...queryMs }),
  },
  layers: ['world'],
  isCacheable: always,
  handle({ code }, { store }) {
    const { iso2 } = assignedCountry(code, store.countries);
    return keptRecord(store, Number.parseInt(iso2, 36), {}, countryRecord);
  },
});

function countryRecord({ countries }: Store, number: number) {
  const country = countries.get(number.toString(36).toUpperCase())!;
  return {
    name: country.name,
    iso2: country.iso2,
    iso3: country.iso3,
    capital: country.capital,
    currency: country.currency,
    currency_symbol: country.currencySymbol,
    phone_code: country.phoneCode,
    languages: country.languages,
    continent: country.continent,
    flag: country.flag,
    timezone: country.timezone,
    region: country.region,
    is_eu: country.isEu,
    population: country.population,
  };
}

function assignedCountry(code: string, countries: Context['store']['countries']): Country {
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
  if (country?.isAssigned) return country;
  throw new WhereaboutsError(
    'country_not_found',
    `${iso2} is not one of the 249 codes that ISO 3166-1 assigns; ${codeRemedy(iso2)}`,
  );
}
