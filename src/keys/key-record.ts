import type { Profile } from '../endpoints/endpoint.ts';

/** A key as it is stored; its text is not among it. Times are epoch milliseconds, hashes are SHA-256 in hex. */
export type KeyRecord = {
  id: number;
  /** The first 12 characters of the key. */
  display: string;
  /** Name set by its owner. */
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
  /** Whether it is for the admin API, and for nothing else. */
  isAdmin: boolean;
  /** Hash of the key. */
  hash: string;
  /** Hash of the owner's code, which changes of a public key need; null where they need none. */
  ownerHash: string | null;
  /** Texts that it had before and that are still valid, the one that ends first, first. */
  former: FormerText[];
  /** When it was rotated within the last day. */
  rotatedAt: number[];
  /** Grows by one with each change, so that of two changes at once none is lost. */
  revision: number;
};

/** A text that a key had before; `expiresAt` is when it ends, epoch ms. */
export type FormerText = { hash: string; display: string; expiresAt: number };

/** The properties that can be set on a key. */
export type KeyOptions = Partial<
  Pick<KeyRecord, 'name' | 'plan' | 'profile' | 'expiresAt' | 'origins' | 'networks' | 'endpoints' | 'isAdmin'>
>;

/** A line of the log of changes: who did what to which key, when (epoch ms). */
export type AuditEntry = {
  at: number;
  /** `operator <user>` at the command line, `admin <key>` over HTTP, `owner`, or `sign-up`. */
  by: string;
  action: 'create' | 'change' | 'revoke' | 'rotate';
  keyId: number;
  /** What was changed, without secrets; null where there is nothing to add. */
  detail: Record<string, unknown> | null;
};

/** A time as answers have it. */
export const timeOf = (time: number | null) => (time === null ? null : new Date(time).toISOString());

/** What operators see of a key, by the command line and the admin API; times in ISO 8601. */
export const keyFacts = (key: KeyRecord) => ({
  name: key.name,
  plan: key.plan,
  profile: key.profile,
  created: timeOf(key.createdAt),
  expires: timeOf(key.expiresAt),
  revoked: timeOf(key.revokedAt),
  origins: key.origins,
  networks: key.networks,
  endpoints: key.endpoints,
});
