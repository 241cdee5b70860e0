import { formatIp, type IpAddress, ipv4BehindTransition, parseIp, specialKind } from '../core/ip/address.ts';
import { formatClock } from '../core/zone-clock.ts';
import { invalidParameter, WhereaboutsError } from '../errors.ts';
import { Nullable, Type } from '../schema.ts';
import type { IpRecord, Store } from '../store/store.ts';
import { type Context, defineEndpoint } from './endpoint.ts';
import { languageParameter, optional, queryMs, text } from './parameters.ts';
import { regionName } from './place-fields.ts';
import { clockOf } from './timezone.ts';

const parameters = Type.Object({
  ip: optional(
    text("IPv4 or IPv6 address in any valid notation. Without it, the caller's own address is looked up.", {
      examples: ['8.8.8.8', '2001:4860:4860::8888'],
      format: 'ip',
    }),
  ),
});

const fields = {
  ip: Type.String('The address in its canonical form (RFC 5952); an IPv4-mapped address as IPv4.'),
  country: Nullable.String('ISO 3166-1 alpha-2 code.'),
  country_name: Nullable.String('English name of the country.'),
  city: Nullable.String('Null if no source names a city, or none that agrees on the country.'),
  admin1: Nullable.String('First-level administrative region.'),
  lat: Nullable.Number('Latitude of the city or area, degrees.'),
  lng: Nullable.Number('Longitude of the city or area, degrees.'),
  timezone: Nullable.String('IANA time zone.'),
  current_time: Nullable.String('Local time there, YYYY-MM-DD HH:MM:SS.'),
  currency: Nullable.String('ISO 4217 code.'),
  currency_symbol: Nullable.String(),
  phone_code: Nullable.String('Dialling code with leading plus.'),
  languages: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
    description: 'English names of the official languages; null when the country is unknown.',
  }),
  isp: Nullable.String('Operator of the network.'),
  asn: Nullable.String('Autonomous system, such as AS15169.'),
  is_eu: Nullable.Boolean('Whether the country is a member of the European Union.'),
};
const { ip, country, country_name, city, admin1, lat, lng, timezone, current_time, currency, isp, asn } = fields;
const { currency_symbol, phone_code, languages, is_eu } = fields;

/** GET /ip: where an address is and who runs its network. */
export const ipLookup = defineEndpoint({
  path: '/ip',
  summary: 'Location of an IP address',
  description:
    'Country, city, time zone and network operator of an IPv4 or IPv6 address, with facts about the country. Addresses that are not public (private, loopback, reserved, …) answer 404 `ip_not_found` with their kind. 6to4, Teredo and NAT64 addresses are looked up by the IPv4 address that they embed.',
  parameters: {
    default: Type.Object({ ...parameters.properties, lang: languageParameter }),
    a: parameters,
    b: parameters,
  },
  response: {
    default: Type.Object({ ...fields, ...queryMs }),
    a: Type.Object({
      ...{ ip, country, country_name, city, timezone, current_time, currency, currency_symbol, phone_code },
      ...{ languages, isp, asn, is_eu },
      ...queryMs,
    }),
    b: Type.Object({ ip, country, city, admin1, lat, lng, timezone, currency, isp, ...queryMs }),
  },
  layers: ['ip'],
  // `current_time` makes an answer old after a second; only variant b is without it.
  isCacheable: ({ ip }, profile) => ip !== undefined && profile === 'b',
  handle({ ip, lang }, context) {
    const { store, now } = context;
    // The caller's address is only examined when it is requested: working it out was a quarter of the look-up.
    const address = readAddress(ip, ip === undefined ? context.clientAddress : undefined);
    const written = formatIp(address);
    const record = findRecord(store, address, written);
    const country = record.country === null ? undefined : store.countries.get(record.country);
    const timezone = knownZone(record.timezone, store) ?? zoneAt(store, record) ?? country?.timezone ?? null;
    return {
      ip: written,
      country: record.country,
      country_name: country ? store.countries.nameIn(country.iso2, lang) : null,
      ...(lang === undefined ? { city: record.city, admin1: record.admin1 } : namesIn(store, record, lang)),
      lat: record.lat,
      lng: record.lng,
      timezone,
      current_time: timezone === null ? null : localTime(timezone, now, store),
      currency: country?.currency ?? null,
      currency_symbol: country?.currencySymbol ?? null,
      phone_code: country?.phoneCode ?? null,
      languages: country?.languages ?? null,
      isp: record.isp,
      asn: record.asn,
      is_eu: country?.isEu ?? null,
    };
  },
});

/** City and region in a language, where the gazetteer has the city. */
function namesIn(store: Store, { country, city, admin1 }: IpRecord, lang: string) {
  const found = city !== null && country !== null ? store.cities.resolve(city, country) : undefined;
  if (!found) return { city, admin1 };
  const place = store.places.get(found.index);
  return { city: store.places.nameIn(found.index, lang), admin1: regionName(store, place.admin1, lang) ?? admin1 };
}

function readAddress(ip: string | undefined, clientAddress: Context['clientAddress']): IpAddress {
  const text = ip ?? clientAddress;
  if (text === undefined) {
    const detail = 'ip is required here: the request did not come over a network, so it has no client address';
    throw invalidParameter('ip', detail, 'missing_parameter');
  }
  // A socket reports the zone of a link-local peer (fe80::1%eth0); it is not part of the address.
  const address = parseIp(ip ?? text.replace(/%.*$/s, ''));
  if (address) return address;
  throw invalidParameter(
    'ip',
    `ip is ${JSON.stringify(text)}, expected an IPv4 address of four decimal parts such as 203.0.113.7, or an IPv6 address such as 2001:db8::7, without port, prefix length, brackets or zone`,
  );
}

function findRecord(store: Store, address: IpAddress, written: string): IpRecord {
  const embedded = ipv4BehindTransition(address);
  const kind = specialKind(address) ?? (embedded && specialKind(embedded));
  if (kind) {
    const embeddedNote = embedded ? `, which embeds ${formatIp(embedded)},` : '';
    throw new WhereaboutsError('ip_not_found', `${written}${embeddedNote} has no location: it is ${kind}`);
  }
  const record = store.ip?.find(embedded ?? address);
  if (record) return record;
  throw new WhereaboutsError(
    'ip_not_found',
    `${written} is a public address, but none of the dataset's databases has it`,
  );
}

function zoneAt(store: Store, { lat, lng }: IpRecord): string | undefined {
  return lat === null || lng === null ? undefined : store.zones?.at({ lat, lng });
}

/** A database's own zone, unless it is a name that nobody else knows. */
const knownZone = (timezone: string | null, store: Store) =>
  timezone !== null && clockOf(timezone, store) ? timezone : undefined;

/** `YYYY-MM-DD HH:MM:SS` at a zone; null where the tz database lacks it. */
function localTime(timezone: string, now: number, store: Store): string | null {
  const clock = clockOf(timezone, store);
  return clock ? formatClock(clock.localAt(now), ' ') : null;
}
