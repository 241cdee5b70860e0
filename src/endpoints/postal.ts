import { roundCoordinate } from '../core/geo.ts';
import { Type } from '../schema.ts';
import { coverageField, coverageRecord } from './coverage.ts';
import { always, defineEndpoint } from './endpoint.ts';
import { country, nullable, offsetParameter, oneOf, queryMs, text } from './parameters.ts';

const variant = Type.Object({
  code: text(
    'Postal code in any spacing, case and dash; a longer code than the data has answers with its shorter form.',
    {
      examples: ['10115', 'SW1A 1AA'],
    },
  ),
  country: country(),
});

const parameters = Type.Object({ ...variant.properties, offset: offsetParameter });

const fields = {
  postal_code: Type.String({ description: "The code in its country's spelling." }),
  place: Type.String(),
  admin1: nullable(Type.String({ description: 'First-level region; null when unknown.' })),
  admin2: nullable(Type.String({ description: 'Second-level region; null when unknown.' })),
  country: Type.String({ description: 'ISO 3166-1 alpha-2 code.' }),
  lat: nullable(Type.Number({ description: 'Latitude in degrees, WGS84; null when unknown.' })),
  lng: nullable(Type.Number({ description: 'Longitude in degrees, WGS84; null when unknown.' })),
};
const count = Type.Integer();
const plain = Type.Object({ results: Type.Array(Type.Object(fields)), count, ...queryMs });

/** Places that a postal code stands for. */
export const postal = defineEndpoint({
  path: '/postal',
  summary: 'Places of a postal code',
  description:
    'The places that a postal code stands for, by name. Where the data has only the first part of codes (the outward ' +
    'part of British ones), a whole code answers with it. A code that is not known, or has not the shape of the ' +
    "country's codes, has no results.",
  parameters: { default: parameters, a: variant, b: variant },
  response: {
    default: Type.Object({
      results: Type.Array(
        Type.Object({
          ...fields,
          accuracy: nullable(
            oneOf(
              ['point', 'place', 'area'],
              'What the position is: measured for the code, that of its place, or the middle of the codes that begin alike; null when unknown.',
            ),
          ),
          radius_km: nullable(
            Type.Number({
              description:
                'How far around the position what the code stands for may lie: the reach of its place by its people, or of the places of similar codes; null for measured and unknown positions.',
            }),
          ),
          source: Type.String({ description: 'Short name of the data source; /status has the details.' }),
        }),
      ),
      count,
      ...coverageField('postal'),
      ...queryMs,
    }),
    a: plain,
    b: plain,
  },
  layers: ['world', 'postal'],
  isCacheable: always,
  handle({ code, country, offset = 0 }, { store }) {
    const found = store.postal!.find(country, code);
    const results = found.slice(offset).map((record) => ({
      postal_code: record.postalCode,
      place: record.place,
      admin1: record.admin1,
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
