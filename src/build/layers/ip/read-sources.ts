/** Reads one source's ranges into the tables of locations and networks. */

import { readFileSync } from 'node:fs';
import { type IpAddress, parseIp, wordOf } from '../../../core/ip/address.ts';
import { type RangeList, RangeListBuilder } from '../../../core/ip/ranges.ts';
import { type DroppedRows, drop } from '../../../core/source-records.ts';
import { MmdbDecoder, MmdbError } from '../../../sources/mmdb/decoder.ts';
import { factsOf, type IpFacts } from '../../../sources/mmdb/fields.ts';
import { type MmdbFile, openMmdb, walkMmdb } from '../../../sources/mmdb/file.ts';
import type { GazetteerNames, LocationTable, NetworkTable } from './record-tables.ts';

export type Families = { ipv4: RangeList; ipv6: RangeList };

export type Tables = {
  locations: LocationTable;
  networks: NetworkTable;
  /** The gazetteer's names for the places of the files. */
  names: Pick<GazetteerNames, 'applied'>;
};

/** The content of an MMDB file. */
export type MmdbContent = {
  file: Pick<MmdbFile, 'path' | 'databaseType' | 'buildDate' | 'metadata'>;
  /** Whether any record has more than a country. */
  hasCities: boolean;
  /** Ranges of location numbers; undefined when no record has a country or a place. */
  locations: Families | undefined;
  /** Ranges of network numbers; undefined when no record has an operator. */
  networks: Families | undefined;
};

/**
 * Reads an MMDB file whole. Throws MmdbError naming the file and the network's record when it is corrupt, or when no
 * record of it has a field of the table in src/sources/mmdb/fields.ts.
 */
export function readMmdbContent(path: string, { locations, networks, names }: Tables): MmdbContent {
  const file = openMmdb(path);
  const decoder = new MmdbDecoder(file.data, 'data');
  /** Row numbers of the records that were read, by their offset. */
  const rows = new Map<number, { location: number; network: number }>();
  let hasCities = false;
  let hasLocations = false;
  let hasNetworks = false;
  const rowsAt = (offset: number) => {
    let row = rows.get(offset);
    if (!row) {
      const facts = decode(decoder, offset, path);
      // A value has a byte of its own, and a record may be the target of pointers too.
      if (decoder.values > 2 * file.data.length)
        throw new MmdbError(`${path} has records that overlap: they have more values than the file has bytes`);
      row = { location: locations.add(names.applied(facts)), network: networks.add(facts) };
      rows.set(offset, row);
      hasCities ||= facts.city !== null || facts.lat !== null;
      hasLocations ||= row.location !== 0;
      hasNetworks ||= row.network !== 0;
    }
    return row;
  };
  // Few files know both; one walk per kind keeps only one list of ranges in memory at a time.
  const locationRanges = walkMmdb(file, (offset) => rowsAt(offset).location);
  const networkRanges = hasNetworks ? walkMmdb(file, (offset) => rowsAt(offset).network) : undefined;
  const { databaseType, buildDate, metadata } = file;
  return {
    file: { path, databaseType, buildDate, metadata },
    hasCities,
    locations: hasLocations ? locationRanges : undefined,
    networks: networkRanges,
  };
}

function decode(decoder: MmdbDecoder, offset: number, path: string): IpFacts {
  try {
    return factsOf(decoder.valueAt(offset));
  } catch (error) {
    if (!(error instanceof MmdbError)) throw error;
    throw new MmdbError(`${path} has a record that cannot be read: ${error.message}`);
  }
}

/** Reads autonomous-system tables (IPv4 and IPv6 apart); lines that are not ranges are counted in `dropped`. */
export function readAsnTables(
  paths: { ipv4: string; ipv6: string },
  { networks }: Tables,
  dropped: DroppedRows,
): Families {
  const read = (path: string): RangeList => {
    const list = new RangeListBuilder();
    list.add(0, 0, 0, 0, 0);
    for (const { start, end, asn, isp } of readAsnCsv(path, (reason) => drop(dropped, reason))) {
      addRange(list, start, end, networks.add({ asn, isp }));
    }
    return list.finish();
  };
  return { ipv4: read(paths.ipv4), ipv6: read(paths.ipv6) };
}

/** Adds a range, end inclusive, followed by an unknown one. */
function addRange(list: RangeListBuilder, start: Uint8Array, end: Uint8Array, value: number): void {
  const isIpv6 = start.length === 16;
  const word = (address: Uint8Array, index: number) => (index === 0 || isIpv6 ? wordOf(address, index) : 0);
  list.add(word(start, 0), word(start, 1), word(start, 2), word(start, 3), value);
  // The address after the end: carry from the last word on.
  const after = [word(end, 0), word(end, 1), word(end, 2), word(end, 3)];
  let index = isIpv6 ? 3 : 0;
  while (index >= 0 && after[index] === 0xffffffff) after[index--] = 0;
  if (index < 0) return;
  after[index]++;
  list.add(after[0], after[1], after[2], after[3], 0);
}

// The autonomous-system tables of ip-location-db: one range of addresses a line, first and last address inclusive,
// number, name; sorted, without overlaps. The name is quoted where it holds commas or quotes.

type AsnRange = { start: IpAddress; end: IpAddress; asn: string; isp: string | null };

const { compare } = Buffer;
const line = /^([^,]+),([^,]+),(\d+),(?:"((?:[^"]|"")*)"|([^\r\n]*))\r?$/;

/**
 * The ranges of a file, in its order. A line that is not a range, or begins before the one above has ended, is left out
 * and reported to `drop` with the reason.
 */
function* readAsnCsv(path: string, drop: (reason: string) => void): Generator<AsnRange> {
  let last: IpAddress | undefined;
  for (const text of readFileSync(path, 'utf8').split('\n')) {
    if (text === '') continue;
    const cells = line.exec(text);
    const start = cells && parseIp(cells[1]);
    const end = cells && parseIp(cells[2]);
    if (!cells || !start || !end || start.length !== end.length || compare(start, end) > 0) {
      drop('not a range of addresses');
    } else if (last && compare(start, last) <= 0) {
      drop('overlaps the previous range');
    } else {
      last = end;
      const name = (cells[4]?.replaceAll('""', '"') ?? cells[5]).trim();
      if (Number(cells[3]) > 0) yield { start, end, asn: `AS${Number(cells[3])}`, isp: name === '' ? null : name };
    }
  }
}
