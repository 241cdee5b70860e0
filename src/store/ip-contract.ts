/** The read contract of IP ranges. See store.ts. */

export type IpRecord = {
  country: string | null;
  city: string | null;
  admin1: string | null;
  lat: number | null;
  lng: number | null;
  timezone: string | null;
  postalCode: string | null;
  isp: string | null;
  /** With prefix, e.g. `AS15169`. */
  asn: string | null;
};

export type IpRanges = {
  /** The record of an address of 4 or 16 bytes (IPv4-mapped IPv6 as 4); undefined when no database has it. */
  find(address: Uint8Array): IpRecord | undefined;
};
