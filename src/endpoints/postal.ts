import { roundCoordinate } from '../core/geo.ts';
import { withLeadingZeros } from '../core/postal/code.ts';
import { Nullable, nullable, oneOf, Type } from '../schema.ts';
import type { PostalCode, PostalCodes, Store } from '../store/store.ts';
import { coverageField, coverageRecord } from './coverage.ts';
import { defineEndpoint } from './endpoint.ts';
import { localityOf } from './geocoded-record.ts';
import { country, languageParameter, listOf, offsetParameter, text } from './parameters.ts';

const variant = Type.Object({
  code: text(
    'Postal code with any spacing, case and dashes, also without its leading zeros. If the data have only its first part, that part is returned.',
    {
      examples: ['10115', 'SW1A 1AA'],
    },
  ),
  country: country(),
});

const parameters = Type.Object({ ...variant.properties, offset: offsetParameter, lang: languageParameter });

const fields = {
  postal_code: Type.String('The code in the usual spelling of its country.'),
  place: Type.String(),
  admin1: Nullable.String('First-level region; null when unknown.'),
  admin2: Nullable.String('Second-level region; null when unknown.'),
  country: Type.String('ISO 3166-1 alpha-2 code.'),
  lat: Nullable.Number('Latitude in degrees, WGS84; null when unknown.'),
  lng: Nullable.Number('Longitude in degrees, WGS84; null when unknown.'),
};
const plain = listOf(fields, {});

/** Places that a postal code stands for. */
export const postal = defineEndpoint({
  path: '/postal',
  summary: 'Places of a postal code',
  description:
    'The places of a postal code, ordered by name. If the data have only the first part of a code (the outward part of a ' +
    "British code), that part is returned. A code that is unknown, or not in the country's format, has no results.",
  parameters: { default: parameters, a: variant, b: variant },
  response: {
    default: listOf(
      {
        ...fields,
        accuracy: nullable(
          oneOf(
            ['point', 'place', 'area'],
            '`point`: a position measured for the code; `place`: the position of its place; `area`: the centre of codes with the same beginning; null when unknown.',
          ),
        ),
        radius_km: Nullable.Number(
          'Radius around the position that contains the area of the code: estimated from the population of its place, or from the places of similar codes; null for measured and unknown positions.',
        ),
        source: Type.String('Identifier of the data source; /status has the details.'),
      },
      coverageField('postal'),
    ),
    a: plain,
    b: plain,
  },
  layers: ['world', 'postal'],
  handle({ code, country, lang, offset = 0 }, { store }) {
    const found = recordsOf(store.postal!, country, code);
    const results = found.slice(offset).map((record) => ({
      postal_code: record.postalCode,
      ...namesOf(store, record, lang),
      admin2: record.admin2,
      country: record.country,
      lat: record.lat === null ? null : roundCoordinate(record.lat),
      lng: record.lng === null ? null : roundCoordinate(record.lng),
      accuracy: record.accuracy,
      radius_km: record.radiusKm,
      source: record.source,
    }));
    const coverage = found.length === 0 ? coverageRecord(store, country, 'postal') : null;
    return { results, count: results.length, coverage };
  },
});

/** The place and region of a code in a language, as a street's; of one without a position as the source calls them. */
function namesOf(store: Store, { place, admin1, country, lat, lng }: PostalCode, lang: string | undefined) {
  if (lat === null || lng === null) return { place, admin1 };
  const { city, admin1: region } = localityOf(store, { city: place, admin1, country, lat, lng }, lang);
  return { place: city ?? place, admin1: region };
}

/** The records of a code, also where its leading zeros are missing. */
export function recordsOf(postal: PostalCodes, country: string, text: string): PostalCode[] {
  const found = postal.find(country, text);
  return found.length > 0 ? found : postal.find(country, withLeadingZeros(country, text));
}
