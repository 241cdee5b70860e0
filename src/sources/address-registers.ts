/**
 * National registers of addresses as text tables: the Dutch BAG as a CSV extract; the French base (adresse.data.gouv.fr) of
 * a department or of France, in the layout of today and in that of 2015 (`BAN_licence_…`); the Icelandic Staðfangaskrá in
 * the layout of today and in the one before, with decimal commas.
 */
import type { AddressRecord, StreetReader } from '../core/source-records.ts';
import { numberedHouse, readAddressTable, type TableLayout, type Values } from './delimited.ts';

/** The reader of a register's tables. `addressOf` makes the record of a row, or says why it is dropped. */
const reader =
  <Column extends string>(
    layout: Omit<TableLayout<Column>, 'isWanted'>,
    addressOf: (value: Values<Column>) => AddressRecord | string,
  ): StreetReader =>
  (path, options = {}) =>
    readAddressTable(path, { ...layout, isWanted: (name) => /\.(csv|dsv)$/i.test(name) }, options, addressOf);

/** Addresses of a BAG extract: `openbareruimte;huisnummer;huisletter;…;lon;lat`. */
export const readBag = reader(
  {
    title: 'the Dutch BAG CSV',
    delimiter: ';',
    columns: {
      street: 'openbareruimte',
      number: 'huisnummer',
      letter: 'huisletter',
      addition: 'huisnummertoevoeging',
      postcode: 'postcode',
      city: 'woonplaats',
      province: 'provincie',
      lng: 'lon',
      lat: 'lat',
    },
    required: ['street', 'number', 'city', 'lng', 'lat'],
  },
  (value) => {
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
  },
);

/** Addresses of a BAN file. Houses without a street lie in their hamlet (`nom_ld`). */
export const readBan = reader(
  {
    title: 'the French BAN CSV',
    delimiter: ';',
    columns: {
      id: 'id',
      street: 'nom_voie',
      hamlet: 'nom_ld',
      number: 'numero',
      suffix: 'rep',
      postcode: ['code_postal', 'code_post'],
      city: 'nom_commune',
      lng: 'lon',
      lat: 'lat',
    },
    required: ['street', 'number', 'lng', 'lat', 'city'],
  },
  (value) => {
    const street = value('street');
    const number = value('number');
    // Numbers from 5000 on are the tax office's, not the house's.
    const ofHouse = Number(number) >= 5000 ? undefined : number;
    const house = numberedHouse(value('lat'), value('lng'), ofHouse, street ?? value('hamlet'));
    if (typeof house === 'string') return house;
    const suffix = value('suffix') ?? '';
    return {
      ...house,
      // `bis`, `ter` stand apart, letters do not: `5 bis`, `12a`.
      houseNumber: house.houseNumber + (suffix.length > 1 ? ` ${suffix}` : suffix),
      ...(street === undefined && { isPlace: true }),
      // Paris, Lyon and Marseille are one city each; their districts are in the postal code.
      city: value('city')?.replace(/^(Paris|Lyon|Marseille) \d+er? Arrondissement$/i, '$1'),
      postalCode: value('postcode'),
      country: 'FR',
      sourceId: value('id'),
    };
  },
);

/** Addresses of the Staðfangaskrá. It names no towns: the postal code determines them. Streets have a dative as other name. */
export const readStadfang = reader(
  {
    title: 'the Icelandic Staðfangaskrá',
    delimiter: [',', '|', ';'],
    columns: {
      id: 'HNITNUM',
      street: 'HEITI_NF',
      dative: 'HEITI_TGF',
      number: 'HUSNR',
      letter: 'BOKST',
      postcode: 'POSTNR',
      lat: ['N_HNIT_WGS84', 'LAT_WGS84'],
      lng: ['E_HNIT_WGS84', 'LONG_WGS84'],
    },
    required: ['street', 'number', 'lat', 'lng'],
  },
  (value) => {
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
  },
);
