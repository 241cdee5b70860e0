/**
 * The Icelandic register of addresses (Staðfangaskrá), in the layout of today (`FID,HNITNUM,…,N_HNIT_WGS84,E_HNIT_WGS84`,
 * commas) and in the one before (`HNITNUM|SVFNR|…|LAT_WGS84|LONG_WGS84`, with decimal commas).
 */
import type { AddressRecord, ReadOptions, StreetBatch } from '../core/street-records.ts';
import { numberedHouse, readAddressTable, type Values } from './delimited.ts';

const columns = {
  id: 'HNITNUM',
  street: 'HEITI_NF',
  dative: 'HEITI_TGF',
  number: 'HUSNR',
  letter: 'BOKST',
  postcode: 'POSTNR',
  lat: ['N_HNIT_WGS84', 'LAT_WGS84'],
  lng: ['E_HNIT_WGS84', 'LONG_WGS84'],
};
type Column = keyof typeof columns;

/** Addresses of the register. It names no towns: the postal code determines them. Streets have a dative as other name. */
export function readStadfang(path: string, options: ReadOptions = {}): AsyncGenerator<StreetBatch> {
  const layout = {
    title: 'the Icelandic Staðfangaskrá',
    delimiter: [',', '|', ';'],
    columns,
    required: ['street', 'number', 'lat', 'lng'] as const,
    isWanted: (name: string) => /\.(dsv|csv)$/i.test(name),
  };
  return readAddressTable<Column>(path, layout, options, addressOf);
}

function addressOf(value: Values<Column>): AddressRecord | string {
  const [lat, lng] = [value('lat')?.replace(',', '.'), value('lng')?.replace(',', '.')];
  const house = numberedHouse(lat, lng, value('number'), value('street'));
  if (typeof house === 'string') return house;
  const dative = value('dative');
  return {
    ...house,
    houseNumber: house.houseNumber + (value('letter') ?? ''),
    ...(dative !== undefined && dative !== house.street && { otherStreetNames: [dative] }),
    postalCode: value('postcode'),
    country: 'IS',
    sourceId: value('id'),
  };
}
