/**
 * The French national address base, adresse.data.gouv.fr: CSV files of a department or of France, in the layout of
 * today and in that of 2015 (`BAN_licence_…`).
 */
import type { ReadOptions, StreetBatch } from '../core/street-records.ts';
import { positionOf, readTable, type TableLayout, valueAt } from './delimited.ts';

const layout: TableLayout = {
  title: 'the French BAN CSV',
  delimiter: ';',
  required: [['nom_voie'], ['numero'], ['lon'], ['lat'], ['nom_commune']],
  isWanted: (name) => /\.csv$/i.test(name),
};

/** Addresses of a BAN file. Houses without a street lie in their hamlet (`nom_ld`). */
export function readBan(path: string, options: ReadOptions = {}): AsyncGenerator<StreetBatch> {
  const { dropped = () => {} } = options;
  return readTable(path, layout, options, (_, column) => {
    const at = {
      id: column('id'),
      street: column('nom_voie'),
      hamlet: column('nom_ld'),
      number: column('numero'),
      suffix: column('rep'),
      postcode: column('code_postal', 'code_post'),
      city: column('nom_commune'),
      lng: column('lon'),
      lat: column('lat'),
    };
    return (row, batch) => {
      const position = positionOf(valueAt(row, at.lat), valueAt(row, at.lng));
      const number = valueAt(row, at.number);
      const street = valueAt(row, at.street);
      const hamlet = valueAt(row, at.hamlet);
      if (!position) return dropped('address without a position on Earth', 1);
      // Numbers from 5000 on are the tax office's, not the house's; 0 is a street without numbers.
      if (number === undefined || Number(number) === 0 || Number(number) >= 5000) {
        return dropped('address without a house number', 1);
      }
      if (street === undefined && hamlet === undefined) return dropped('address without a street', 1);
      batch.addresses.push({
        houseNumber: number + suffixed(valueAt(row, at.suffix)),
        ...(street === undefined ? { street: hamlet!, isPlace: true } : { street }),
        city: withoutDistrict(valueAt(row, at.city)),
        postalCode: valueAt(row, at.postcode),
        country: 'FR',
        ...position,
        sourceId: valueAt(row, at.id),
      });
    };
  });
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
