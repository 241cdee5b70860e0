/** An address in fields instead of a text, and the records that /address answers with. */
import { roundCoordinate } from '../core/geo.ts';
import { osmReference } from '../core/osm-object.ts';
import { invalidParameter, WhereaboutsError } from '../errors.ts';
import { isConfirmed } from '../geocoding/address/components.ts';
import type { Address, AddressComponent, AddressFields } from '../store/address-contract.ts';
import type { Store } from '../store/store.ts';
import type { Profile } from './endpoint.ts';

/** Kinds of matches of an answer: those of the street-level data, and `place` for a town alone. */
export const matchTypes = ['exact', 'partial', 'interpolated', 'intersection', 'street', 'place'] as const;

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

/** An address in fields. Throws where neither they nor `q` say what is wanted. */
export function fieldsOf(parameters: Parameters): AddressFields {
  const given: AddressFields = {};
  for (const name of names) if (parameters[name] !== undefined) given[fieldNames[name]] = parameters[name];
  if (given.street ?? given.postalCode ?? given.city ?? given.admin1) return given;
  const detail =
    'q is missing, and so are street, postal_code, city and admin1; expected the address as a text in q, or in these fields';
  throw new WhereaboutsError('missing_parameter', detail, { errors: [{ parameter: 'q', detail }] });
}

/** Fields that only an address in fields has; a text excludes them. */
export const fieldsWithoutText = ['street', 'house_number', 'unit', 'admin1'] as const;

/** Throws where a query in one text also has fields that only an address in fields has. */
export function refuseFields(parameters: Parameters): void {
  for (const name of fieldsWithoutText) {
    if (parameters[name] === undefined) continue;
    throw invalidParameter(name, `${name} is a field of an address, but q is given too; expected one or the other`);
  }
}

/** An address as /address returns it, with the fields of every profile. */
export function addressRecord(address: Address, profile: Profile) {
  const { id, houseNumber, street, city, admin1, postalCode, country, lat, lng, matchType, source, object } = address;
  const { components = [] } = address;
  const isExact = matchType !== 'partial' && components.every(isConfirmed);
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
export function townRecord(
  store: Store,
  given: AddressFields,
  country: string | undefined,
): ReturnType<typeof addressRecord> | undefined {
  const { street, houseNumber, unit, postalCode, city, admin1 } = given;
  const town =
    city === undefined
      ? undefined
      : ((admin1 === undefined ? undefined : store.cities.resolve(`${city}, ${admin1}`, country)) ??
        store.cities.resolve(city, country));
  if (!town) return undefined;
  const region = town.admin1 < 0 ? null : store.regions.get(town.admin1).name;
  const isInRegion = admin1 !== undefined && store.cities.resolve(`${city}, ${admin1}`, country)?.id === town.id;
  const component = (
    component: AddressComponent['component'],
    input: string | undefined,
    value: string | null,
    status: AddressComponent['status'],
  ): AddressComponent[] =>
    input === undefined && value === null
      ? []
      : [{ component, input: input ?? null, value, status: input === undefined ? 'inferred' : status }];
  return {
    ...addressRecord(
      {
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
        components: [
          ...component('street', street, null, 'missing'),
          ...component('house_number', houseNumber, null, 'missing'),
          ...component('unit', unit, null, 'missing'),
          ...component('postal_code', postalCode, null, 'missing'),
          ...component('city', city, town.name, 'confirmed'),
          ...component('admin1', admin1, region, isInRegion ? 'confirmed' : 'contradicted'),
          ...component('country', undefined, town.country, 'inferred'),
        ],
      },
      'default',
    ),
    street: null,
    match_type: 'place',
  };
}
