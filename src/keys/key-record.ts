import type { Profile } from '../endpoints/endpoint.ts';

/** A key as it is stored; the key's text is not among it. Times are epoch milliseconds. */
export type KeyRecord = {
  id: number;
  /** The first 12 characters of the key. */
  display: string;
  /** What its owner calls it. */
  name: string | null;
  plan: string;
  /** The profile of its answers where a request names none. */
  profile: Profile | null;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  /** Values of the `Origin` header it may come from; null for any, then requests without the header are fine too. */
  origins: string[] | null;
  /** CIDR networks it may come from; null for any. */
  networks: string[] | null;
  /** Names of the endpoints it may call; null for all. */
  endpoints: string[] | null;
};

/** What a new key may be given. */
export type KeyOptions = Partial<
  Pick<KeyRecord, 'name' | 'plan' | 'profile' | 'expiresAt' | 'origins' | 'networks' | 'endpoints'>
>;
