import { isWithin, type LatLng, roundCoordinate } from '../core/geo.ts';
import { osmReference } from '../core/osm-object.ts';
import { isConfirmed } from '../geocoding/address/components.ts';
import { countryOfAddress } from '../geocoding/geocode.ts';
import { Nullable, oneOf, Type } from '../schema.ts';
import {
  type Address,
  type AddressComponent,
  type AddressExplanation,
  type AddressFields,
  type AddressQuery,
  addressComponent,
  addressExplanation,
} from '../store/address-contract.ts';
import type { Store } from '../store/store.ts';
import { coverageField, coverageForText } from './coverage.ts';
import { defineEndpoint, type Profile } from './endpoint.ts';
import { osmFields } from './extent.ts';
import { localityOf } from './geocoded-record.ts';
import { bboxOf, country, explainParameter, limit, listOf, listParameters, optional, text } from './parameters.ts';
import { recordsOf } from './postal.ts';
import { positionIn } from './reverse.ts';
import { matchOf } from './validate.ts';

/** Kinds of matches of an answer: those of the street-level data, and `place` for a town alone. */
const matchTypes = ['exact', 'partial', 'interpolated', 'intersection', 'street', 'place'] as const;

const q = text('House number and street in the usual order of the country; city and postal code may follow.', {
  examples: ['10 Downing Street', 'Avenida 18 de Julio 1200'],
});
const city = optional(
  text('City name; only addresses of this city. Without `q`, one of the fields of the address.', {
    examples: ['Montevideo'],
  }),
);
const limitParameter = limit({ maximum: 50, default: 10 });
const code = optional(
  text('Postal code; only addresses with this code. Without `q`, one of the fields of the address.', {
    examples: ['10115'],
  }),
);
const fields = {
  street: optional(text('Street name, instead of `q`.', { examples: ['Avenida 18 de Julio'] })),
  house_number: optional(text('House number, with `street` or `postal_code`.', { examples: ['1200'] })),
  unit: optional(text('Flat, floor or door; returned as it is.', { examples: ['Apto 302'] })),
  admin1: optional(text('State or province, instead of `q`.', { examples: ['Montevideo'] })),
};

const place = {
  street: Type.String(),
  city: Nullable.String(),
  admin1: Nullable.String('State or province.'),
  postal_code: Nullable.String(),
  country: Type.String('ISO 3166-1 alpha-2 code.'),
  lat: Type.Number('Latitude in degrees, WGS84.'),
  lng: Type.Number('Longitude in degrees, WGS84.'),
};
const number = Nullable.String('House number; null where only the street was found.');
const integerId = Type.Integer('Identifier of the address in this dataset.');

const verdicts = ['exact', 'partial', 'none'] as const;

/** Maximum distance of a house from a position. */
const positionReachKm = 0.5;
/** Maximum number of houses around it that country and bounding box choose from: the greatest limit and offset. */
const maxNearPosition = 1_050;

/** Fields that only an address in fields has; a text excludes them. */
export const fieldsWithoutText = ['street', 'house_number', 'unit', 'admin1'] as const;

/** Addresses that a text names, or the fields of an address. */
export const address = defineEndpoint({
  path: '/address',
  summary: 'Addresses by house number and street',
  description:
    'Finds addresses as people write them in their country: the number before or after the street, abbreviated or not, ' +
    'with or without city and postal code. A country, region or town in the query holds; a house that another part of ' +
    'it contradicts, such as the postal code, is `partial`. If the data lack the number, the answer is its position between the ' +
    'neighbours (`match_type` `interpolated`), or else the street (`street`). Typos are tolerated if nothing matches ' +
    'exactly. A query that is a position returns the nearest houses within 500 m. Instead of `q`, the address may be given in ' +
    'fields: `street`, `house_number`, `unit`, `postal_code`, `city`, `admin1`, `country`; if only its town is found, the answer is that (`place`). ' +
    '`components` says what became of each part of the query.',
  parameters: {
    default: Type.Object({
      q: optional(q),
      country: optional(country('Only addresses of this country.')),
      city,
      postal_code: code,
      ...fields,
      limit: limitParameter,
      ...listParameters,
      explain: explainParameter,
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
        street: Nullable.String('Null where only the town was found.'),
        unit: Nullable.String('Flat, floor or door, as typed; no dataset has it.'),
        match_type: oneOf(
          matchTypes,
          '`exact`: the house itself; `partial`: a house that a number, postal code, region or settlement of the query contradicts; `interpolated`: its position between neighbours; `intersection`: the crossing of two streets; `street`: the street only; `place`: the town only, for an address in fields.',
        ),
        verdict: oneOf(
          ['exact', 'partial'],
          '`exact`: everything that was typed is confirmed or corrected, except the unit; `partial`: something is not, see `components`.',
        ),
        components: Type.Array(addressComponent, {
          description: 'What became of each part of the query, in its order, then what the record adds.',
        }),
        source: Type.String('Identifier of the data source; /status has the details.'),
        ...osmFields,
      },
      {
        verdict: oneOf(verdicts, 'That of the first result; `none` where there is no result.'),
        ...coverageField('addresses'),
        explain: optional(addressExplanation),
      },
    ),
    a: listOf({ id: integerId, house_number: number, ...place }, {}),
    b: listOf({ id: Type.String('Identifier of the address in this dataset.'), number, ...place }, {}),
  },
  dependencies: [
    'Or(q, street, postal_code, city, admin1);',
    ...fieldsWithoutText.map((name) => `ZeroOrOne(q, ${name});`),
  ],
  layers: ['world', 'addresses'],
  handle(parameters, { store, profile }) {
    const { q, country, city, lang, bbox, limit, offset = 0, explain } = parameters;
    const given = q === undefined ? fieldsOf(parameters) : undefined;
    let explained: AddressExplanation | undefined;
    const query = {
      text: q ?? '',
      country,
      ...(given ? { fields: given } : { city, postalCode: parameters.postal_code }),
      bbox: bboxOf(bbox),
      limit: limit + offset,
      hasComponents: profile === 'default',
      admitsContradiction: profile === 'default',
    };
    const position = profile === 'default' && q !== undefined ? positionIn(store, q) : undefined;
    const found = position
      ? housesAt(store, position, query)
      : store.addresses!.search(query, explain ? (each) => (explained = each) : undefined);
    const town = given && found.length === 0 ? townOf(store, given, country) : undefined;
    const results = (town ? [town] : found.slice(offset)).map((address) => {
      const record = { ...addressRecord(address, profile), ...localityOf(store, address, lang) };
      return town ? { ...record, street: null, match_type: 'place' as const } : record;
    });
    const where = country ?? (position && store.boundaries?.countryAt(position));
    const text = q ?? [given?.street, given?.admin1].filter(Boolean).join(', ');
    const coverage = coverageOfAnswer(found, city === undefined ? text : `${text}, ${city}`, where, store);
    return {
      results,
      count: results.length,
      verdict: results[0]?.verdict ?? 'none',
      coverage,
      ...(explained && { explain: explained }),
    };
  },
});

/** The houses nearest to a position, the nearest first. */
function housesAt(store: Store, position: LatLng, { country, bbox, limit }: AddressQuery): Address[] {
  return store
    .addresses!.nearest(position, { maxKm: positionReachKm, limit: maxNearPosition })
    .filter(
      (house) =>
        (country === undefined || house.country === country) && (!bbox || isWithin(house.lat, house.lng, bbox)),
    )
    .slice(0, limit);
}

/** The dataset's coverage of the requested country, or of all, if the answer is empty or only near. */
function coverageOfAnswer(found: readonly Address[], text: string, requestedCountry: string | undefined, store: Store) {
  if (found.some(({ matchType }) => matchType === 'exact')) return null;
  return coverageForText(store, requestedCountry ?? found[0]?.country ?? countryOfAddress(store, text), 'addresses');
}

type Parameters = Partial<Record<keyof typeof fieldNames | 'country', string>>;
/** The parameters that are fields of an address, and their names in a query. */
const fieldNames = {
  street: 'street',
  house_number: 'houseNumber',
  unit: 'unit',
  postal_code: 'postalCode',
  city: 'city',
  admin1: 'admin1',
} as const satisfies Record<string, keyof AddressFields>;
const names = Object.keys(fieldNames) as (keyof typeof fieldNames)[];

/** An address in fields. */
function fieldsOf(parameters: Parameters): AddressFields {
  const given: AddressFields = {};
  for (const name of names) if (parameters[name] !== undefined) given[fieldNames[name]] = parameters[name];
  return given;
}

/** An address as /address returns it, with the fields of every profile. */
function addressRecord(address: Address, profile: Profile) {
  const { id, houseNumber, street, city, admin1, postalCode, country, lat, lng, matchType, source, object } = address;
  const { components = [], isSure = true } = address;
  const isExact = matchType !== 'partial' && isSure && components.every(isConfirmed);
  return {
    id: profile === 'b' ? String(id) : id,
    house_number: houseNumber,
    number: houseNumber,
    street: street as string | null,
    city,
    admin1,
    postal_code: postalCode,
    country,
    lat: roundCoordinate(lat),
    lng: roundCoordinate(lng),
    match_type: matchType as (typeof matchTypes)[number],
    unit: components.find(({ component }) => component === 'unit')?.input ?? null,
    verdict: isExact ? ('exact' as const) : ('partial' as const),
    components,
    source,
    ...osmReference(object),
  };
}

/** The town of an address in fields, where the dataset does not have more; undefined where it has none. */
function townOf(store: Store, given: AddressFields, country: string | undefined): Address | undefined {
  const { city, admin1, postalCode } = given;
  const codesIn = (where: string) => (postalCode && store.postal ? recordsOf(store.postal, where, postalCode) : []);
  const [{ place, admin1: itsRegion } = { place: undefined, admin1: null }] = country ? codesIn(country) : [];
  const name = city ?? place;
  if (name === undefined) return undefined;
  const within = admin1 ?? (city === undefined ? itsRegion : null);
  const inRegion = within === null ? undefined : store.cities.resolve(`${name}, ${within}`, country);
  const town = inRegion ?? store.cities.resolve(name, country);
  if (!town) return undefined;
  const records = codesIn(town.country);
  const { own, match } = matchOf(store, name, [town.index], records);
  const hasCode = own !== undefined || match !== undefined;
  const region = town.admin1 < 0 ? null : store.regions.get(town.admin1).name;
  const known: Partial<Record<AddressComponent['component'], string | null>> = {
    city: town.name,
    admin1: region,
    country: town.country,
    ...(records.length > 0 && { postal_code: hasCode ? records[0].postalCode : null }),
  };
  const components = ([...names, 'country'] as const).flatMap((component): AddressComponent[] => {
    const input = component === 'country' ? undefined : given[fieldNames[component]];
    const value = known[component] ?? null;
    if (input === undefined) return value === null ? [] : [{ component, input: null, value, status: 'inferred' }];
    const isWrong = component === 'postal_code' ? !hasCode : component === 'admin1' && !inRegion;
    const has = isWrong ? 'contradicted' : 'confirmed';
    return [{ component, input, value, status: component in known ? has : 'missing' }];
  });
  return {
    id: town.id,
    houseNumber: null,
    street: '',
    city: town.name,
    admin1: region,
    postalCode: null,
    country: town.country,
    lat: town.lat,
    lng: town.lng,
    matchType: 'street',
    source: town.source,
    components,
  };
}
