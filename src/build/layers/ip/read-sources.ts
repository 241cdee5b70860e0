/** Reads one source's ranges into the tables of locations and networks. */

import { readFileSync } from 'node:fs';
import type { StringTableBuilder } from '../../../core/columns.ts';
import { isNear } from '../../../core/geo.ts';
import { type IpAddress, parseIp, wordOf } from '../../../core/ip/address.ts';
import { type RangeList, RangeListBuilder } from '../../../core/ip/ranges.ts';
import type { Drop } from '../../../core/source-records.ts';
import { factsOf } from '../../../sources/mmdb/fields.ts';
import { MmdbError, type MmdbFile, mmdbDecoder, openMmdb, walkMmdb } from '../../../sources/mmdb/file.ts';
import {
  type Area,
  type LocationColumns,
  type NetworkColumns,
  unknownCoordinate as unknown,
} from '../../../store/packed/ip.ts';
import type { IpRecord, Place, Places, Regions } from '../../../store/store.ts';
import { namesakeFinder } from '../namesakes.ts';

export type Families = { ipv4: RangeList; ipv6: RangeList };

export type Tables = {
  locations: ReturnType<typeof locationTable>;
  networks: ReturnType<typeof networkTable>;
  /** The gazetteer's names for the places of the files. */
  named: ReturnType<typeof gazetteerNames>;
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
 * record of it has a field of src/sources/mmdb/layouts.json.
 */
export function readMmdbContent(path: string, { locations, networks, named }: Tables): MmdbContent {
  const file = openMmdb(path);
  const decoder = mmdbDecoder(file.data, 'data');
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
      if (decoder.values() > 2 * file.data.length)
        throw new MmdbError(`${path} has records that overlap: they have more values than the file has bytes`);
      row = { location: locations.add(named(facts)), network: networks.add(facts) };
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

function decode(decoder: ReturnType<typeof mmdbDecoder>, offset: number, path: string): IpRecord {
  try {
    return factsOf(decoder.valueAt(offset));
  } catch (error) {
    if (!(error instanceof MmdbError)) throw error;
    throw new MmdbError(`${path} has a record that cannot be read: ${error.message}`);
  }
}

/** Reads autonomous-system tables (IPv4 and IPv6 apart); lines that are not ranges are reported to `drop`. */
export function readAsnTables(paths: { ipv4: string; ipv6: string }, { networks }: Tables, drop: Drop): Families {
  const read = (path: string): RangeList => {
    const list = new RangeListBuilder();
    list.add(0, 0, 0, 0, 0);
    for (const { start, end, asn, isp } of readAsnCsv(path, drop)) {
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
function* readAsnCsv(path: string, drop: Drop): Generator<AsnRange> {
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

// The distinct answers that ranges point to: locations, and networks (who runs them). Number 0 is "nothing known".

type Location = Omit<IpRecord, 'asn' | 'isp'>;
type Network = Pick<IpRecord, 'asn' | 'isp'>;

const microdegrees = (degrees: number | null) => (degrees === null ? unknown : Math.round(degrees * 1e6));

/** Rows of whole numbers, each kept once: a row's number is from 1, row 0 is nothing but zeros. */
function rowTable(width: number) {
  const numbers = new Map<string, number>();
  const cells: number[] = new Array(width).fill(0);
  return {
    /** One row after the other, row 0 first. */
    cells,
    size: () => numbers.size,
    add: (row: readonly number[]): number =>
      numbers.getOrInsertComputed(row.join(), () => {
        for (const cell of row) cells.push(cell);
        return numbers.size + 1;
      }),
  };
}

export function locationTable(texts: StringTableBuilder) {
  /** Area, city, lat, lng. */
  const { cells, size, add } = rowTable(4);
  const areas: Area[] = [[null, null, null]];
  const areaNumbers = new Map<string, number>();
  const areaNumber = (area: Area): number =>
    area.every((part) => part === null)
      ? 0
      : areaNumbers.getOrInsertComputed(area.join('\0'), () => areas.push(area) - 1);
  /** Code of a location's country; null when unknown. */
  const countryOf = (location: number): string | null => areas[cells[4 * location]][0];
  return {
    size,
    countryOf,
    /** Number of a location; 0 when all of it is unknown. */
    add({ country, admin1, timezone, city, lat, lng }: Location): number {
      const area = areaNumber([country, admin1, timezone]);
      if (area === 0 && city === null && lat === null) return 0;
      return add([area, texts.add(city ?? ''), microdegrees(lat), microdegrees(lng)]);
    },
    /** The location that is nothing but the country of another. */
    countryOnly: (location: number): number =>
      add([areaNumber([countryOf(location), null, null]), 0, unknown, unknown]),
    /** A location with the country of another. */
    withCountryOf(location: number, other: number): number {
      const [area, ...rest] = cells.slice(4 * location, 4 * location + 4);
      const [, admin1, timezone] = areas[area];
      return add([areaNumber([countryOf(other), admin1, timezone]), ...rest]);
    },
    finish(): LocationColumns {
      const rows = Int32Array.from(cells);
      rows.set([0, 0, unknown, unknown]);
      return { areas, rows };
    },
  };
}

export function networkTable(texts: StringTableBuilder) {
  const { cells, size, add } = rowTable(2);
  const column = (of: number) => Uint32Array.from(cells.filter((_, at) => at % 2 === of));
  return {
    size,
    /** Number of a network; 0 when all of it is unknown. */
    add: ({ asn, isp }: Network): number =>
      asn === null && isp === null ? 0 : add([asn === null ? 0 : Number(asn.slice(2)), texts.add(isp ?? '')]),
    finish: (): NetworkColumns => ({ asn: column(0), isp: column(1) }),
  };
}

/** A place farther than this from the database's position is another place of the same name. */
const sameCityKm = 30;

type Located = Pick<IpRecord, 'country' | 'admin1' | 'city' | 'lat' | 'lng'>;
type World = { places: Pick<Places, 'named' | 'get'>; regions: Pick<Regions, 'matching' | 'get'> };

/**
 * Cities and regions of IP databases by the names that the gazetteer has for them, so that they mean the same in every
 * endpoint: `Sao Paulo` is `São Paulo`, `Cambridge (Area 2/MIT)` is `Cambridge`. Returns facts with city and region as the gazetteer
 * names them. A city is known by its name near its position, a region by its name, else by its city. Names that the gazetteer lacks
 * are kept, without a district in brackets.
 */
export function gazetteerNames(world: World): <Facts extends Located>(facts: Facts) => Facts {
  const regions = new Map<string, number>();
  const named = namesakeFinder(world.places);
  /** Position of the one level-1 region of a name; -1 when there is none or several. */
  const regionNamed = (country: string, name: string) =>
    regions.getOrInsertComputed(`${country}\0${name}`, () => {
      const matching = world.regions.matching(country, name);
      return matching.length === 1 ? matching[0] : -1;
    });
  const placeNamed = (country: string, city: string, region: number, { lat, lng }: Located): Place | undefined => {
    if (lat === null || lng === null) return undefined;
    const near = (name: string): Place | undefined => {
      const namesakes = named(name, country).filter((place) => isNear(place, { lat, lng }, sameCityKm));
      // Of nearby namesakes, the most prominent one in the database's region.
      return namesakes.find(({ admin1 }) => admin1 === region) ?? namesakes[0];
    };
    return near(city) ?? near(withoutDistrict(city));
  };
  return (facts) => {
    const { country, admin1, city } = facts;
    if (country === null || (admin1 === null && city === null)) return facts;
    const region = admin1 === null ? -1 : regionNamed(country, admin1);
    const place = city === null ? undefined : placeNamed(country, city, region, facts);
    const known = region >= 0 ? region : (place?.admin1 ?? -1);
    return {
      ...facts,
      city: place?.name ?? (city && withoutDistrict(city)),
      admin1: known >= 0 ? world.regions.get(known).name : admin1,
    };
  };
}

/** `Berlin (Mitte)` is `Berlin`; a name that is nothing but brackets stays. */
const withoutDistrict = (city: string) => city.replace(/(?<=\S) *\([^()]*\)$/, '');
