/** Addresses of files that nothing was tuned on, read by plain splitting. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStreetLevel } from '../../src/api/open.ts';
import { cityNames } from '../../src/geocoding/resolve-city.ts';
import type { Addresses } from '../../src/store/address-contract.ts';
import { readManifest } from '../../src/store/manifest.ts';
import { openWorld } from '../../src/store/packed/world.ts';
import { unpackHouses } from '../../src/store/sqlite/house-block.ts';
import type { Sample } from './samples.ts';

const unzipped = (path: string, pattern: string) =>
  execFileSync('unzip', ['-p', path, pattern], { maxBuffer: 1 << 28 });

/** Rows of a text of lines, by the names in its first line. */
function rows(text: string, separator: string): Record<string, string>[] {
  const [head, ...lines] = text.split(/\r?\n/).filter((line) => line !== '');
  const names = head.split(separator);
  return lines.map((line) => {
    const fields = line.split(separator).map((field) => field.replace(/^"|"$/g, ''));
    return Object.fromEntries(names.map((name, at) => [name, fields[at] ?? '']));
  });
}

/** The French national register, as Paris had it in 2015. */
export function banSamples(path: string): Sample[] {
  return rows(unzipped(path, '*.csv').toString(), ';').map((row) => ({
    street: row.nom_voie,
    number: `${row.numero}${row.rep ? ` ${row.rep}` : ''}`,
    city: row.nom_commune,
    postcode: row.code_post,
    lat: Number(row.lat),
    lng: Number(row.lon),
  }));
}

/** San Francisco's own register: a dBASE table of fixed-width fields. */
export function sanFranciscoSamples(path: string): Sample[] {
  const table = unzipped(path, '*.dbf');
  const headLength = table.readUInt16LE(8);
  const rowLength = table.readUInt16LE(10);
  const fields: { name: string; from: number; length: number }[] = [];
  for (let at = 32, from = 1; table[at] !== 0x0d; at += 32) {
    const name = table.toString('latin1', at, at + 11).replace(/\0.*$/s, '');
    fields.push({ name, from, length: table[at + 16] });
    from += table[at + 16];
  }
  return Array.from({ length: table.readUInt32LE(4) }, (_, row) => {
    const start = headLength + row * rowLength;
    const text = (wanted: string) => {
      const { from, length } = fields.find(({ name }) => name === wanted)!;
      return table.toString('latin1', start + from, start + from + length).trim();
    };
    return {
      street: [text('ST_NAME'), text('ST_TYPE')].filter((part) => part !== '').join(' '),
      number: `${Number(text('ADDR_NUM'))}${text('ADDR_N_SFX')}`,
      city: 'San Francisco',
      postcode: text('ZIPCODE') || undefined,
      lat: Number(text('LATITUDE')),
      lng: Number(text('LONGITUDE')),
    };
  });
}

/** The default data, read from the file that the build wrote: what is in a box. */
const boxes: readonly (readonly [
  title: string,
  country: string,
  file: string,
  south: number,
  west: number,
  north: number,
  east: number,
])[] = [
  ['Montevideo (default data)', 'Uruguay', 'streets-odbl-samples.sqlite', -34.95, -56.3, -34.7, -56],
  ['Astana (default data)', 'Kazakhstan', 'streets-odbl-samples.sqlite', 51, 71.2, 51.3, 71.7],
  ['16 states of the USA (default data)', 'USA', 'streets-open-samples.sqlite', 24, -170, 72, -66],
];

/** Sections about the default data of a dataset; `section` makes one of samples. */
export function defaultSections(
  dataset: string,
  section: (title: string, all: readonly Sample[], addresses: Addresses, country: string) => string,
): string[] {
  const level = openStreetLevel(dataset, cityNames(openWorld(dataset)), readManifest(dataset).parts);
  try {
    return boxes.map(([title, country, file, south, west, north, east]) => {
      const isInBox = ({ lat, lng }: Sample) => lat >= south && lat <= north && lng >= west && lng <= east;
      return section(title, builtSamples(join(dataset, file)).filter(isInBox), level.addresses, country);
    });
  } finally {
    level.close();
  }
}

function builtSamples(path: string): Sample[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const blocks = database
    .prepare(
      `SELECT h.block, s.names, s.postcodes, a.city FROM houses h
       JOIN streets s ON s.id = h.street JOIN areas a ON a.id = s.area`,
    )
    .all() as { block: Uint8Array; names: string; postcodes: string; city: string | null }[];
  database.close();
  return blocks.flatMap(({ block, names, postcodes, city }) =>
    unpackHouses(block).map(({ text, postcode, lat, lng }) => ({
      street: names.split('\n')[0],
      number: text,
      city: city ?? undefined,
      postcode: postcode < 0 ? undefined : postcodes.split('\n')[postcode],
      lat,
      lng,
    })),
  );
}

/** Samples as OpenAddresses CSV, for registers that no reader of ours takes as they are. */
export function asOpenAddresses(samples: readonly Sample[]): string {
  const line = ({ lng, lat, number, street, city, postcode }: Sample) =>
    [lng, lat, number, `"${street}"`, '', city ?? '', '', 'CA', postcode ?? '', '', ''].join(',');
  return ['LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH', ...samples.map(line), ''].join('\n');
}
