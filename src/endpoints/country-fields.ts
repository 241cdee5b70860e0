/** Fields of country records, shared by three endpoints. */
import { Type } from '../schema.ts';
import { nullable } from './parameters.ts';

export const countryFields = {
  name: Type.String({ description: 'English name.' }),
  iso2: Type.String({ description: 'ISO 3166-1 alpha-2 code.' }),
  iso3: Type.String({ description: 'ISO 3166-1 alpha-3 code.' }),
  capital: nullable(Type.String({ description: 'Null where there is none.' })),
  currency: nullable(Type.String({ description: 'ISO 4217 code; null where there is none.' })),
  currency_symbol: nullable(Type.String({ description: 'Symbol as written in the country, or else the code.' })),
  phone_code: nullable(Type.String({ description: 'Calling code with leading plus, `+49`, `+1-268`.' })),
  languages: Type.Array(Type.String(), { description: 'English names of the official languages.' }),
  continent: nullable(Type.String()),
  flag: Type.String({ description: 'Flag emoji.' }),
  timezone: nullable(Type.String({ description: 'IANA time zone of the capital; null for uninhabited countries.' })),
  region: nullable(Type.String({ description: 'Geographic region by UN M49, such as `Western Europe`.' })),
  is_eu: Type.Boolean({ description: 'Member of the European Union.' }),
  population: nullable(Type.Integer()),
};
