/** The Icelandic register of addresses (Staðfangaskrá): `HNITNUM|SVFNR|…`, with decimal commas. */
import type { ReadOptions, StreetBatch } from '../core/street-records.ts';
import { positionOf, readTable, type TableLayout, valueAt } from './delimited.ts';

const layout: TableLayout = {
  title: 'the Icelandic Staðfangaskrá',
  delimiter: '|',
  required: [['HEITI_NF'], ['HUSNR'], ['LAT_WGS84'], ['LONG_WGS84']],
  isWanted: (name) => /\.(dsv|csv)$/i.test(name),
};

/** Addresses of the register. It names no towns: the postal code tells them. Streets have a dative as other name. */
export function readStadfang(path: string, options: ReadOptions = {}): AsyncGenerator<StreetBatch> {
  const { dropped = () => {} } = options;
  return readTable(path, layout, options, (_, column) => {
    const at = {
      id: column('HNITNUM'),
      street: column('HEITI_NF'),
      dative: column('HEITI_TGF'),
      number: column('HUSNR'),
      letter: column('BOKST'),
      postcode: column('POSTNR'),
      lat: column('LAT_WGS84'),
      lng: column('LONG_WGS84'),
    };
    return (row, batch) => {
      const position = positionOf(valueAt(row, at.lat)?.replace(',', '.'), valueAt(row, at.lng)?.replace(',', '.'));
      const number = valueAt(row, at.number);
      const street = valueAt(row, at.street);
      const dative = valueAt(row, at.dative);
      if (!position) return dropped('address without a position on Earth', 1);
      if (number === undefined || number === '0') return dropped('address without a house number', 1);
      if (street === undefined) return dropped('address without a street', 1);
      batch.addresses.push({
        houseNumber: number + (valueAt(row, at.letter) ?? ''),
        street,
        ...(dative !== undefined && dative !== street && { otherStreetNames: [dative] }),
        postalCode: valueAt(row, at.postcode),
        country: 'IS',
        ...position,
        sourceId: valueAt(row, at.id),
      });
    };
  });
}
