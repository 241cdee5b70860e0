/** The Dutch register of addresses (BAG) as a CSV extract: `openbareruimte;huisnummer;huisletter;…;lon;lat`. */
import type { AddressRecord, ReadOptions, StreetBatch } from '../core/street-records.ts';
import { numberedHouse, readAddressTable, type Values } from './delimited.ts';

const columns = {
  street: 'openbareruimte',
  number: 'huisnummer',
  letter: 'huisletter',
  addition: 'huisnummertoevoeging',
  postcode: 'postcode',
  city: 'woonplaats',
  province: 'provincie',
  lng: 'lon',
  lat: 'lat',
};
type Column = keyof typeof columns;

/** Addresses of a BAG extract. */
export function readBag(path: string, options: ReadOptions = {}): AsyncGenerator<StreetBatch> {
  const layout = {
    title: 'the Dutch BAG CSV',
    delimiter: ';',
    columns,
    required: ['street', 'number', 'city', 'lng', 'lat'] as const,
    isWanted: (name: string) => /\.csv$/i.test(name),
  };
  return readAddressTable<Column>(path, layout, options, addressOf);
}

function addressOf(value: Values<Column>): AddressRecord | string {
  const house = numberedHouse(value('lat'), value('lng'), value('number'), value('street'));
  if (typeof house === 'string') return house;
  const addition = value('addition');
  return {
    ...house,
    // As the Dutch post writes it: number and letter together, the addition behind a hyphen.
    houseNumber: house.houseNumber + (value('letter') ?? '') + (addition === undefined ? '' : `-${addition}`),
    city: value('city'),
    admin1: value('province'),
    postalCode: value('postcode'),
    country: 'NL',
  };
}
