/**
 * What we need of a record, by where the publishers' layouts keep it (layouts.json): the first path that leads to a usable
 * value is taken. To read another layout, add its path there.
 *
 * | layout | recognised by |
 * |---|---|
 * | GeoIP2, GeoLite2, DB-IP's own: City, Country, Enterprise, ASN, ISP | nested maps, `names.en` |
 * | ip-location-db | flat: country_code, state1, city, latitude |
 * | IPinfo | flat strings: country or country_code, region, lat, lng, as_name |
 */
import type { IpRecord } from '../../core/ip/address.ts';
import { countryCode } from '../../core/source-records.ts';
import type { MmdbMap, MmdbValue } from './file.ts';
import layouts from './layouts.json' with { type: 'json' };

const split = Object.fromEntries(
  Object.entries(layouts).map(([field, list]) => [field, list.map((path) => path.split('.'))]),
) as Record<keyof IpRecord, string[][]>;

/** Reads a record by the table above. Everything null when the record has none of its fields. */
export function factsOf(record: MmdbValue): IpRecord {
  const lat = number(record, 'lat', 90);
  const lng = number(record, 'lng', 180);
  // Half a position is none.
  const isPlaced = lat !== null && lng !== null;
  return {
    country: first(record, 'country', countryOf),
    admin1: first(record, 'admin1', text),
    city: first(record, 'city', text),
    lat: isPlaced ? lat : null,
    lng: isPlaced ? lng : null,
    timezone: first(record, 'timezone', text),
    asn: first(record, 'asn', asNumber),
    isp: first(record, 'isp', text),
  };
}

function first<T>(record: MmdbValue, field: keyof IpRecord, read: (value: MmdbValue) => T | null): T | null {
  for (const path of split[field]) {
    let value: MmdbValue | undefined = record;
    for (const key of path) value = isContainer(value) ? (value as MmdbMap)[key] : undefined;
    const usable = value === undefined ? null : read(value);
    if (usable !== null) return usable;
  }
  return null;
}

const isContainer = (value: MmdbValue | undefined) => typeof value === 'object' && !(value instanceof Uint8Array);

function number(record: MmdbValue, field: 'lat' | 'lng', limit: number): number | null {
  return first(record, field, (value) => {
    const degrees = typeof value === 'string' && value !== '' ? Number(value) : value;
    return typeof degrees === 'number' && Math.abs(degrees) <= limit ? asPublished(degrees) : null;
  });
}

/**
 * The decimal that a 32-bit float was made from: 37.422 where the file holds 37.42200088500977. It is the one with the
 * fewest digits that yields the same float. Numbers that are no 32-bit floats stay as they are.
 */
function asPublished(degrees: number): number {
  if (Math.fround(degrees) !== degrees) return degrees;
  for (let digits = 3; digits < 9; digits++) {
    const shorter = Number(degrees.toPrecision(digits));
    if (Math.fround(shorter) === degrees) return shorter;
  }
  return degrees;
}

function text(value: MmdbValue): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function countryOf(value: MmdbValue): string | null {
  return (typeof value === 'string' && countryCode(value)) || null;
}

function asNumber(value: MmdbValue): string | null {
  const digits = typeof value === 'string' ? value.replace(/^AS/i, '') : typeof value === 'number' ? String(value) : '';
  return /^\d{1,10}$/.test(digits) && Number(digits) > 0 ? `AS${Number(digits)}` : null;
}
