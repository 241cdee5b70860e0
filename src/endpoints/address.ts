import { isWithin } from '../core/bounding-box.ts';
import { roundCoordinate } from '../core/geo.ts';
import { countryOfText } from '../geocoding/address/country-of-text.ts';
import { Type } from '../schema.ts';
import { type Address, type AddressExplanation, addressSteps } from '../store/address-contract.ts';
import type { Store } from '../store/store.ts';
import { bboxOf } from './bbox.ts';
import { coverageField, coverageForText } from './coverage.ts';
import { always, defineEndpoint } from './endpoint.ts';
import {
  bboxParameter,
  country,
  limit,
  listOf,
  nullable,
  offsetParameter,
  oneOf,
  optional,
  text,
} from './parameters.ts';
import { positionIn } from './position-records.ts';

const q = text('House number and street in the usual order of the country; city and postal code may follow.', {
  examples: ['10 Downing Street', 'Avenida 18 de Julio 1200'],
});
const city = optional(text('City name; only addresses of this city.', { examples: ['Montevideo'] }));
const limitParameter = limit({ maximum: 50, default: 10 });
const code = optional(text('Postal code; only addresses with this code.', { examples: ['10115'] }));

const place = {
  street: Type.String(),
  city: nullable(Type.String()),
  admin1: nullable(Type.String({ description: 'State or province.' })),
  postal_code: nullable(Type.String()),
  country: Type.String({ description: 'ISO 3166-1 alpha-2 code.' }),
  lat: Type.Number({ description: 'Latitude in degrees, WGS84.' }),
  lng: Type.Number({ description: 'Longitude in degrees, WGS84.' }),
};
const number = nullable(Type.String({ description: 'House number; null where only the street was found.' }));
const integerId = Type.Integer({ description: 'Identifier of the address in this dataset.' });

const points = (description: string) => Type.Number({ description });
const explanation = Type.Object(
  {
    interpretations: Type.Array(
      Type.Object({ house_number: nullable(Type.String()), words: Type.Array(Type.String()) }),
      { description: 'The interpretations of the query, the most likely first; words are folded to Latin letters.' },
    ),
    step: nullable(
      oneOf(addressSteps, 'The step that found a result; later steps allow more differences from the query.'),
    ),
    candidates: Type.Integer({ description: 'Number of streets that were compared with the query.' }),
    answers: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The name of the street that matched.' }),
        contributions: Type.Object({
          nameMatch: points("Share of the words of the street's name that are in the query."),
          nameWorth: points('Lower if the matched name is not the main one.'),
          houseMatch: points('How the house number matches.'),
          spelling: points('Whether name and number are spelled as in the query.'),
          unexplained: points('Penalty for words without a match.'),
        }),
        score: points('Sum of the points; equal scores are ordered by the size of the settlement.'),
      }),
      { description: 'One for each result.' },
    ),
  },
  { description: 'How the results were found and ranked; only with `explain`.' },
);

/** Maximum distance of a house from a position. */
const positionReachKm = 0.5;
/** Maximum number of houses around it that country and bounding box choose from: the greatest limit and offset. */
const maxNearPosition = 1_050;

/** Addresses that a text names. */
export const address = defineEndpoint({
  path: '/address',
  summary: 'Addresses by house number and street',
  description:
    'Finds addresses as people write them in their country: the number before or after the street, abbreviated or not, ' +
    'with or without city and postal code. A country, region or town in the query holds; a house that another part of ' +
    'it contradicts, such as the postal code, is `partial`. If the data lack the number, the answer is its position between the ' +
    'neighbours (`match_type` `interpolated`), or else the street (`street`). Typos are tolerated if nothing matches ' +
    'exactly. A query that is a position returns the nearest houses within 500 m.',
  parameters: {
    default: Type.Object({
      q,
      country: optional(country('Only addresses of this country.')),
      city,
      postal_code: code,
      bbox: bboxParameter,
      limit: limitParameter,
      offset: offsetParameter,
      explain: Type.Boolean({
        default: false,
        description: 'Also explain how each result was found and ranked. Costs two calls.',
      }),
    }),
    a: Type.Object({
      q,
      country: country('Only addresses of this country.'),
      city,
      postal_code: code,
      limit: limitParameter,
    }),
    b: Type.Object({ q, country: optional(country('Only addresses of this country.')), city, limit: limitParameter }),
  },
  response: {
    default: listOf(
      {
        // An integer here; in profile b, which has texts, its digits.
        id: Type.Unsafe<number | string>(integerId),
        house_number: number,
        number,
        ...place,
        match_type: oneOf(
          ['exact', 'partial', 'interpolated', 'intersection', 'street'],
          '`exact`: the house itself; `partial`: a house that a number, postal code, region or settlement of the query contradicts; `interpolated`: its position between neighbours; `intersection`: the crossing of two streets; `street`: the street only.',
        ),
        source: Type.String({ description: 'Identifier of the data source; /status has the details.' }),
      },
      { ...coverageField('addresses'), explain: optional(explanation) },
    ),
    a: listOf({ id: integerId, house_number: number, ...place }, {}),
    b: listOf({ id: Type.String({ description: 'Identifier of the address in this dataset.' }), number, ...place }, {}),
  },
  layers: ['world', 'addresses'],
  isCacheable: always,
  handle({ q, country, city, postal_code, bbox, limit, offset = 0, explain }, { store, profile }) {
    let explained: AddressExplanation | undefined;
    const query = { text: q, country, city, postalCode: postal_code, bbox: bboxOf(bbox), limit: limit + offset };
    const position = profile === 'default' ? positionIn(store, q) : undefined;
    const found = position
      ? store
          .addresses!.nearest(position, { maxKm: positionReachKm, limit: maxNearPosition })
          .filter(
            (house) =>
              (country === undefined || house.country === country) &&
              (!query.bbox || isWithin(house.lat, house.lng, query.bbox)),
          )
          .slice(0, limit + offset)
      : store.addresses!.search(query, explain ? (each) => (explained = each) : undefined);
    const results = found.slice(offset).map((address) => ({
      id: profile === 'b' ? String(address.id) : address.id,
      house_number: address.houseNumber,
      number: address.houseNumber,
      street: address.street,
      city: address.city,
      admin1: address.admin1,
      postal_code: address.postalCode,
      country: address.country,
      lat: roundCoordinate(address.lat),
      lng: roundCoordinate(address.lng),
      match_type: address.matchType,
      source: address.source,
    }));
    const where = country ?? (position && store.boundaries?.countryAt(position));
    const coverage = coverageOfAnswer(found, city === undefined ? q : `${q}, ${city}`, where, store);
    return { results, count: results.length, coverage, ...(explained && { explain: explanationRecord(explained) }) };
  },
});

/** The dataset's coverage of the requested country, or of all, if the answer is empty or only near. */
function coverageOfAnswer(found: readonly Address[], text: string, requestedCountry: string | undefined, store: Store) {
  if (found.some(({ matchType }) => matchType === 'exact')) return null;
  return coverageForText(
    store,
    requestedCountry ?? found[0]?.country ?? countryOfText(text, store.cities),
    'addresses',
  );
}

function explanationRecord({ interpretations, step, candidates, answers }: AddressExplanation) {
  return {
    interpretations: interpretations.map(({ houseNumber, words }) => ({ house_number: houseNumber, words })),
    step,
    candidates,
    answers,
  };
}
