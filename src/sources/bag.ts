/** The Dutch register of addresses (BAG) as a CSV extract: `openbareruimte;huisnummer;huisletter;…;lon;lat`. */
import type { ReadOptions, StreetBatch } from '../core/street-records.ts';
import { positionOf, readTable, type TableLayout, valueAt } from './delimited.ts';

const layout: TableLayout = {
  title: 'the Dutch BAG CSV',
  delimiter: ';',
  required: [['openbareruimte'], ['huisnummer'], ['woonplaats'], ['lon'], ['lat']],
  isWanted: (name) => /\.csv$/i.test(name),
};

/** Addresses of a BAG extract. */
export function readBag(path: string, options: ReadOptions = {}): AsyncGenerator<StreetBatch> {
  const { dropped = () => {} } = options;
  return readTable(path, layout, options, (_, column) => {
    const at = {
      street: column('openbareruimte'),
      number: column('huisnummer'),
      letter: column('huisletter'),
      addition: column('huisnummertoevoeging'),
      postcode: column('postcode'),
      city: column('woonplaats'),
      province: column('provincie'),
      lng: column('lon'),
      lat: column('lat'),
    };
    return (row, batch) => {
      const position = positionOf(valueAt(row, at.lat), valueAt(row, at.lng));
      const number = valueAt(row, at.number);
      const street = valueAt(row, at.street);
      if (!position) return dropped('address without a position on Earth', 1);
      if (number === undefined) return dropped('address without a house number', 1);
      if (street === undefined) return dropped('address without a street', 1);
      const addition = valueAt(row, at.addition);
      batch.addresses.push({
        // As the Dutch post writes it: number and letter together, the addition behind a hyphen.
        houseNumber: number + (valueAt(row, at.letter) ?? '') + (addition === undefined ? '' : `-${addition}`),
        street,
        city: valueAt(row, at.city),
        admin1: valueAt(row, at.province),
        postalCode: valueAt(row, at.postcode),
        country: 'NL',
        ...position,
      });
    };
  });
}
