/**
 * IP ranges in memory: four range tables (location and network, IPv4 and IPv6 each) whose values are rows of two small
 * tables of distinct answers.
 */
import { join } from 'node:path';
import { StringTable } from '../../core/columns.ts';
import { wordOf } from '../../core/ip/address.ts';
import { Ipv4Index, Ipv6Index, RangeBlocks } from '../../core/ip/ranges.ts';
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
  /** Positions in the table of texts, 0 being null. */
  postalCodes: Uint32Array;
};

/** Networks by number; 0 is unknown. */
export type NetworkColumns = { asn: Uint32Array; isp: Uint32Array };

type IpData = {
  texts: StringTable;
  locations: LocationColumns;
  networks: NetworkColumns;
  locationRanges: { ipv4: Ipv4Index; ipv6: Ipv6Index };
  networkRanges: { ipv4: Ipv4Index; ipv6: Ipv6Index };
};

type Columns = Record<string, Column>;
/** What an IPv6 index has beside its columns. */
type Ipv6Meta = { divided: number; size: number; valueBytes: number };
type Meta = { areas: readonly Area[]; location6: Ipv6Meta; network6: Ipv6Meta };

/** Writes the file that `openIp` reads. */
export function writeIp(path: string, data: IpData): void {
  const { texts, locations, networks } = data;
  const meta: Meta = {
    areas: locations.areas,
    location6: ipv6Meta(data.locationRanges.ipv6),
    network6: ipv6Meta(data.networkRanges.ipv6),
  };
  writePack(path, meta, {
    'texts.bytes': texts.bytes,
    'texts.ends': texts.ends,
    locations: locations.rows,
    ...packedIds('postalCodes', locations.postalCodes),
    asn: networks.asn,
    ...packedIds('isp', networks.isp),
    ...rangeColumns('location', data.locationRanges),
    ...rangeColumns('network', data.networkRanges),
  });
}

function ipv6Meta({ columns: { divided, blocks } }: Ipv6Index): Ipv6Meta {
  const { size, valueBytes } = blocks.columns;
  return { divided, size, valueBytes };
}

function rangeColumns(name: string, { ipv4, ipv6 }: IpData['locationRanges']): Columns {
  const { blocks, partStarts, partIds } = ipv6.columns;
  return {
    [`${name}4.firstOfBlock`]: ipv4.firstOfBlock,
    [`${name}4.starts`]: ipv4.starts,
    ...packedIds(`${name}4.ids`, ipv4.ids),
    [`${name}6.heads`]: blocks.columns.heads,
    [`${name}6.offsets`]: blocks.columns.offsets,
    [`${name}6.bytes`]: blocks.columns.bytes,
    [`${name}6.partStarts`]: partStarts,
    [`${name}6.partIds`]: partIds,
  };
}

/** Opens the IP ranges of a dataset. Throws when the file is absent or not a pack. */
export function openIp(directory: string): IpRanges {
  const pack = readPack(join(directory, ipFile));
  const { areas, location6, network6 } = pack.meta as Meta;
  const textBytes = pack.column('texts.bytes', 'u8');
  const texts = new StringTable(textBytes, pack.ends('texts.ends', textBytes.length));
  const textOf = (number: number) => (number === 0 ? null : texts.at(number));
  const rows = pack.column('locations', 'i32');
  const postalCodes = openIds(pack, 'postalCodes');
  const asn = pack.column('asn', 'u32');
  const isp = openIds(pack, 'isp');
  const locations = openRanges(pack, 'location', location6);
  const networks = openRanges(pack, 'network', network6);
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
        postalCode: textOf(postalCodes.at(location)),
        isp: textOf(isp.at(network)),
        asn: number === 0 ? null : `AS${number}`,
      };
    },
  };
}

function openRanges(pack: Pack, name: string, { divided, ...sizes }: Ipv6Meta): (address: Uint8Array) => number {
  const ipv4 = new Ipv4Index(
    pack.column(`${name}4.firstOfBlock`, 'u32'),
    pack.column(`${name}4.starts`, 'u16'),
    openIds(pack, `${name}4.ids`),
  );
  const bytes = pack.column(`${name}6.bytes`, 'u8');
  const ipv6 = new Ipv6Index({
    blocks: new RangeBlocks({
      ...sizes,
      heads: pack.column(`${name}6.heads`, 'u32'),
      offsets: pack.ends(`${name}6.offsets`, bytes.length),
      bytes,
    }),
    divided,
    partStarts: pack.column(`${name}6.partStarts`, 'u32'),
    partIds: pack.column(`${name}6.partIds`, 'u32'),
  });
  return (address) =>
    address.length === 4
      ? ipv4.find(wordOf(address, 0))
      : ipv6.find(wordOf(address, 0), wordOf(address, 1), wordOf(address, 2), wordOf(address, 3));
}
