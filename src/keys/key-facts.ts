import type { KeyRecord } from './key-record.ts';

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
