/** Names of what is kept on the server. Those of one key share a hash tag, so that a cluster keeps them together. */
const prefix = 'whereabouts';

export const names = {
  /** Id of the key whose text has this hash (SHA-256 in hex), or had until it ends. */
  text: (hash: string) => `${prefix}:text:${hash}`,
  /** The last id. */
  lastId: `${prefix}:last-id`,
  /** Counts changes of keys, so that every process notices them. */
  generation: `${prefix}:generation`,
  /** List: the log of changes as JSON, newest first. */
  audit: `${prefix}:audit`,
  /** A KeyRecord as JSON. */
  key: (id: number) => `${prefix}:{${id}}:key`,
  /** Hash: day → calls. */
  use: (id: number) => `${prefix}:{${id}}:use`,
  /** Hash: endpoint → calls of a day. */
  endpoints: (id: number, day: number) => `${prefix}:{${id}}:endpoints:${day}`,
  /** Hash: leases of a day; see scripts.ts. */
  day: (id: number, day: number) => `${prefix}:{${id}}:day:${day}`,
  /** The secret of the hashes of sign-ups. */
  signUpSecret: `${prefix}:{sign-ups}:secret`,
  /** Sorted set: tries to sign up, by time. */
  tries: (subject: string) => `${prefix}:{sign-ups}:tries:${subject}`,
  /** A link sent by mail. */
  link: (subject: string) => `${prefix}:{sign-ups}:link:${subject}`,
};
