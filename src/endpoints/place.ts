import { WhereaboutsError } from '../errors.ts';
import { Type } from '../schema.ts';
import { poiCategories } from '../store/address-contract.ts';
import { always, defineEndpoint } from './endpoint.ts';
import { geocodedFields, population } from './geocoded-record.ts';
import { languageParameter, nullable, oneOf, queryMs } from './parameters.ts';
import { hierarchyField } from './place-fields.ts';
import { recordById } from './record-by-id.ts';

const parameters = Type.Object({
  id: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Identifier of a record of any layer, as returned by any endpoint.',
    examples: [2950159],
  }),
  lang: languageParameter,
});
const response = Type.Object({
  ...geocodedFields,
  name: nullable(Type.String({ description: 'Null for a point of interest without a name.' })),
  lat: nullable(geocodedFields.lat),
  lng: nullable(geocodedFields.lng),
  admin2: nullable(Type.String({ description: 'Second-level region; null when unknown.' })),
  timezone: nullable(Type.String({ description: 'IANA time zone; null for a region.' })),
  population,
  category: nullable(oneOf(poiCategories, 'Kind of a point of interest; null for others.')),
  cuisine: nullable(Type.String({ description: 'Kinds of food of a point of interest; null when unknown.' })),
  highway_type: nullable(
    Type.String({ description: 'Value of the OpenStreetMap tag `highway` for a street; null when unknown.' }),
  ),
  match_type: nullable(
    oneOf(
      ['exact', 'interpolated'],
      'For an address: `exact` is the house itself, `interpolated` its position between neighbours.',
    ),
  ),
  postal_codes: Type.Array(Type.String(), {
    description: 'Postal codes of the record, the main one first; at most 100.',
  }),
  names: Type.Record(Type.String(), Type.String(), {
    description: 'Names by language (BCP 47), besides the main one.',
  }),
  other_names: Type.Array(Type.String(), { description: 'Other names whose language is not known.' }),
  sources: Type.Array(Type.String(), { description: 'Identifiers of the data sources; /status has the details.' }),
  ...hierarchyField,
  ...queryMs,
});

/** One record by its identifier. */
export const place = defineEndpoint({
  path: '/place/{id}',
  summary: 'One record by its identifier',
  description:
    'Everything known about one place, region, country, postal code, street, address or point of interest: its position, ' +
    'facts, postal codes, other names and the areas that contain it. Identifiers of places come from the gazetteer and are ' +
    'the same in every dataset; all others are valid within one dataset. Identifiers are unique within a dataset.',
  parameters: { default: parameters, a: parameters, b: parameters },
  response: { default: response, a: response, b: response },
  layers: ['world'],
  isCacheable: always,
  handle({ id, lang }, { store }) {
    const found = recordById(store, id, lang);
    if (found) return found;
    throw new WhereaboutsError(
      'place_not_found',
      `no record of this dataset has the identifier ${id}; /v1/search finds those that exist`,
    );
  },
});
