/**
 * IP ranges in memory: four range tables (location and network, IPv4 and IPv6 each) whose values are rows of two small
 * tables of distinct answers.
 */
import { join } from 'node:path';
import { StringTable } from '../../core/columns.ts';
import type { IpAddress } from '../../core/ip/address.ts';
import { type RangeList, rangeTree, valueAt } from '../../core/ip/ranges.ts';
import type { IpRanges } from '../store.ts';
import { type Column, openIds, type Pack, packedIds, readPack, writePack } from './pack-file.ts';

/** Name of the IP ranges' file inside a dataset. */
export const ipFile = 'ip.pack';

/** An unknown coordinate; outside the range of microdegrees. */
export const unknownCoordinate = -0x8000_0000;

/** Country code, first-level region and IANA zone. There are a few thousand, so they stay in memory as strings. */
export type Area = readonly [country: string | null, admin1: string | null, timezone: string | null];

/** Locations by number; 0 is unknown. */
export type LocationColumns = {
  /** Distinct areas; the first is unknown throughout. */
  areas: readonly Area[];
  /**
   * Four numbers each: area, city (position in the table of texts, 0 being null), lat and lng in millionths of a
   * degree. Stored together, because a look-up reads all four and each cache miss counts.
   */
  rows: Int32Array;
};

/** Networks by number; 0 is unknown. */
export type NetworkColumns = { asn: Uint32Array; isp: Uint32Array };

type IpData = {
  texts: StringTable;
  locations: LocationColumns;
  networks: NetworkColumns;
  locationRanges: { ipv4: RangeList; ipv6: RangeList };
  networkRanges: { ipv4: RangeList; ipv6: RangeList };
};

/** Writes the file that `openIp` reads. */
export function writeIp(path: string, data: IpData): void {
  const { texts, locations, networks } = data;
  writePack(
    path,
    { areas: locations.areas },
    {
      'texts.bytes': texts.bytes,
      'texts.ends': texts.ends,
      locations: locations.rows,
      asn: networks.asn,
      ...packedIds('isp', networks.isp),
      ...rangeColumns('location', data.locationRanges, locations.rows.length / 4),
      ...rangeColumns('network', data.networkRanges, networks.asn.length),
    },
  );
}

function rangeColumns(name: string, families: IpData['locationRanges'], values: number): Record<string, Column> {
  const columns = Object.entries(families).map(([family, list]) => {
    const { pieces, ids, nodeEnds } = rangeTree(list, values);
    const prefix = `${name}.${family}`;
    return { [`${prefix}.pieces`]: pieces, ...packedIds(`${prefix}.ids`, ids), [`${prefix}.nodeEnds`]: nodeEnds };
  });
  return Object.assign({}, ...columns);
}

/** Opens the IP ranges of a dataset. Throws when the file is absent or not a pack. */
export function openIp(directory: string): IpRanges {
  const pack = readPack(join(directory, ipFile));
  const { areas } = pack.meta as Pick<LocationColumns, 'areas'>;
  const textBytes = pack.column('texts.bytes', 'u8');
  const texts = new StringTable(textBytes, pack.ends('texts.ends', textBytes.length));
  const textOf = (number: number) => (number === 0 ? null : texts.at(number));
  const rows = pack.column('locations', 'i32');
  const asn = pack.column('asn', 'u32');
  const isp = openIds(pack, 'isp');
  const locations = openRanges(pack, 'location', rows.length / 4);
  const networks = openRanges(pack, 'network', asn.length);
  return {
    find(address) {
      const location = locations(address);
      const network = networks(address);
      if (location === 0 && network === 0) return undefined;
      const at = location * 4;
      const [country, admin1, timezone] = areas[rows[at]];
      const lat = rows[at + 2];
      const number = asn[network];
      return {
        country,
        city: textOf(rows[at + 1]),
        admin1,
        lat: lat === unknownCoordinate ? null : lat / 1e6,
        lng: lat === unknownCoordinate ? null : rows[at + 3] / 1e6,
        timezone,
        isp: textOf(isp.at(network)),
        asn: number === 0 ? null : `AS${number}`,
      };
    },
  };
}

function openRanges(pack: Pack, name: string, values: number): (address: IpAddress) => number {
  const [ipv4, ipv6] = ['ipv4', 'ipv6'].map((family) => {
    const pieces = pack.column(`${name}.${family}.pieces`, 'u16');
    const nodeEnds = pack.ends(`${name}.${family}.nodeEnds`, pieces.length);
    return { pieces, ids: openIds(pack, `${name}.${family}.ids`), nodeEnds };
  });
  return (address) => valueAt(address.length === 4 ? ipv4 : ipv6, values, address);
}
