/**
 * The French national address base, adresse.data.gouv.fr: CSV files of a department or of France, in the layout of
 * today and in that of 2015 (`BAN_licence_…`).
 */
import type { AddressRecord, ReadOptions, StreetBatch } from '../core/street-records.ts';
import { numberedHouse, readAddressTable, type Values } from './delimited.ts';

const columns = {
  id: 'id',
  street: 'nom_voie',
  hamlet: 'nom_ld',
  number: 'numero',
  suffix: 'rep',
  postcode: ['code_postal', 'code_post'],
  city: 'nom_commune',
  lng: 'lon',
  lat: 'lat',
};
type Column = keyof typeof columns;

/** Addresses of a BAN file. Houses without a street lie in their hamlet (`nom_ld`). */
export function readBan(path: string, options: ReadOptions = {}): AsyncGenerator<StreetBatch> {
  const layout = {
    title: 'the French BAN CSV',
    delimiter: ';',
    columns,
    required: ['street', 'number', 'lng', 'lat', 'city'] as const,
    isWanted: (name: string) => /\.csv$/i.test(name),
  };
  return readAddressTable<Column>(path, layout, options, addressOf);
}

function addressOf(value: Values<Column>): AddressRecord | string {
  const street = value('street');
  const number = value('number');
  // Numbers from 5000 on are the tax office's, not the house's.
  const ofHouse = Number(number) >= 5000 ? undefined : number;
  const house = numberedHouse(value('lat'), value('lng'), ofHouse, street ?? value('hamlet'));
  if (typeof house === 'string') return house;
  return {
    ...house,
    houseNumber: house.houseNumber + suffixed(value('suffix')),
    ...(street === undefined && { isPlace: true }),
    city: withoutDistrict(value('city')),
    postalCode: value('postcode'),
    country: 'FR',
    sourceId: value('id'),
  };
}

/** `bis`, `ter` stand apart, letters do not: `5 bis`, `12a`. */
function suffixed(suffix: string | undefined): string {
  if (suffix === undefined) return '';
  return suffix.length === 1 ? suffix : ` ${suffix}`;
}

/** Paris, Lyon and Marseille are one city each; their districts are in the postal code. */
function withoutDistrict(city: string | undefined): string | undefined {
  return city?.replace(/^(Paris|Lyon|Marseille) \d+er? Arrondissement$/i, '$1');
}
