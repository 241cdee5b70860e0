import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Static } from 'typebox';
import { parseNetwork } from '../core/ip/address.ts';
import type { Profile } from '../endpoints/endpoint.ts';
import { UsageError, WhereaboutsError } from '../errors.ts';
import { exactly, Type } from '../schema.ts';

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
  /** The same of changes by its owner; missing before the first. */
  changedAt?: number[];
  /** Grows by one with each change, so that of two changes at once none is lost. */
  revision: number;
};

/** A text that a key had before; `expiresAt` is when it ends, epoch ms. */
type FormerText = { hash: string; display: string; expiresAt: number };

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

// The form of a key: `wab_`, 30 random base62 characters, and 6 base62 characters of the CRC32 of what precedes. The prefix and
// the checksum let secret scanners find a leaked key, and catch a typo without a look-up.
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'wab_';
const bodyLength = prefix.length + 30;
const form = /^wab_[0-9A-Za-z]{36}$/;

/** Length of the start of a key that is kept for display. */
export const displayLength = 12;

/** A new random key, or another secret of its form: 30 characters of 62, that is 178 bits. */
export function generateKey(start: 'wab_' | 'own_' = prefix): string {
  let body: string = start;
  while (body.length < bodyLength) {
    // 248 is the largest multiple of 62 in a byte: what is above would favour the first letters.
    for (const byte of randomBytes(40)) if (byte < 248 && body.length < bodyLength) body += alphabet[byte % 62];
  }
  return body + checksum(body);
}

/** Whether a text has the form of a key and its checksum is right; says nothing about whether the key exists. */
export function isWellFormedKey(text: string): boolean {
  return form.test(text) && text.endsWith(checksum(text.slice(0, bodyLength)));
}

/** CRC32 as 6 base62 digits; 62^6 holds every 32-bit number. */
function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let i = 0; i < 6; i++) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** What a key may use. */
export const planSchema = exactly({
  /** Calls a UTC day; each entry of a batch is one. */
  callsPerDay: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  /** Requests a second; a batch is one request. */
  callsPerSecond: Type.Integer({ minimum: 1 }),
  /** Requests that may come at once after a pause. */
  burst: Type.Integer({ minimum: 1 }),
  /** Maximum number of entries of one batch. */
  batchSize: Type.Integer({ minimum: 1, maximum: 100 }),
});
export type Plan = Static<typeof planSchema>;

export type Plans = Readonly<Record<string, Plan>>;

/** The plans of the contract; configuration may change them and add others. */
export const defaultPlans = {
  free: { callsPerDay: 1_000, callsPerSecond: 20, burst: 100, batchSize: 100 },
  pro: { callsPerDay: 100_000, callsPerSecond: 100, burst: 500, batchSize: 100 },
  scale: { callsPerDay: 10_000_000, callsPerSecond: 2_000, burst: 10_000, batchSize: 100 },
} as const satisfies Plans;

/** The plan of a key whose own plan is no longer configured. */
export const fallbackPlan = 'free';

// The rules of keys: valid properties, creation, and rotation; independent of the database.

const dayMs = 86_400_000;
/** Maximum number of former texts that stay valid; of more, those that end first end at once. */
export const maxFormer = 4;
/** Rotations of a key within 24 hours. */
export const maxRotations = 10;
/** Changes of a key by its owner within 24 hours: each is on the disk before it is answered, and in the log. */
export const maxChanges = 50;
/** How long a former text is remembered after its end, so that the refusal can state the reason, ms. */
export const formerKnownMs = 7 * dayMs;
const maxNameLength = 80;

/** What is wrong with a property of a key. */
export class KeyOptionError extends UsageError {
  readonly option: keyof KeyOptions;

  constructor(option: keyof KeyOptions, message: string) {
    super(message);
    this.option = option;
  }
}

/** Properties as they are kept, origins as browsers send them. Throws KeyOptionError for a wrong one. */
export function readOptions(options: KeyOptions, plans: Plans): KeyOptions {
  const { plan, name, origins, networks } = options;
  const read = <T>(
    option: keyof KeyOptions,
    texts: readonly string[] | null | undefined,
    parse: (text: string) => T,
  ) => {
    try {
      return texts?.map(parse);
    } catch (error) {
      throw new KeyOptionError(option, (error as Error).message);
    }
  };
  read('networks', networks, parseNetwork);
  if (plan !== undefined && !Object.hasOwn(plans, plan)) {
    const message = `there is no plan ${JSON.stringify(plan)}; expected one of ${Object.keys(plans).join(', ')}`;
    throw new KeyOptionError('plan', message);
  }
  // Embeddings and overrides of the direction reach beyond the name where it is shown.
  if (name && (name.length > maxNameLength || /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(name))) {
    throw new KeyOptionError(
      'name',
      `the name has control characters, changes of direction, unpaired surrogates, or more than ${maxNameLength} characters; change it`,
    );
  }
  return origins ? { ...options, origins: read('origins', origins, parseOrigin)! } : options;
}

/** A new key and its stored record. Throws UsageError for invalid properties. */
export function newKey(options: KeyOptions, plans: Plans, now: number): { key: string; record: Omit<KeyRecord, 'id'> } {
  const checked = readOptions(options, plans);
  const key = generateKey();
  const record = {
    display: key.slice(0, displayLength),
    name: null,
    plan: fallbackPlan,
    profile: null,
    createdAt: now,
    expiresAt: null,
    revokedAt: null,
    origins: null,
    networks: null,
    endpoints: null,
    isAdmin: false,
    ...checked,
    hash: hashText(key),
    ownerHash: null,
    former: [],
    rotatedAt: [],
    revision: 0,
  };
  return { key, record };
}

/** SHA-256 in hex, the only form in which keys and codes are stored. A random key of 178 bits needs no salt and no slow hash. */
export const hashText = (text: string): string => hash('sha256', text);

/** Former texts of a key that are still valid, the one that ends first, first. */
export const formerTexts = ({ former }: KeyRecord, now: number): FormerText[] =>
  former.filter(({ expiresAt }) => expiresAt > now);

/** These times of the last 24 hours, and now. Throws `rate_limited` where there are `most` already. */
export function withNow(times: readonly number[], now: number, most: number, what: string): number[] {
  const recent = times.filter((at) => Math.abs(now - at) < dayMs);
  if (recent.length < most) return [...recent, now];
  const wait = Math.max(1, Math.ceil((recent[0] + dayMs - now) / 1000));
  throw new WhereaboutsError(
    'rate_limited',
    `the key was ${what} ${most} times within 24 hours; try again in ${Math.ceil(wait / 60)} minutes`,
    { retryAfterSeconds: wait },
  );
}

/** A key with a new text; the one before stays valid for `graceMs`. Throws `rate_limited` for too many in a day. */
export function rotated(key: KeyRecord, graceMs: number, now: number): { text: string; key: KeyRecord } {
  const rotatedAt = withNow(key.rotatedAt, now, maxRotations, 'rotated');
  const text = generateKey();
  const former = [...formerTexts(key, now), { hash: key.hash, display: key.display, expiresAt: now + graceMs }]
    .filter(({ expiresAt }) => expiresAt > now)
    .sort((a, b) => a.expiresAt - b.expiresAt)
    .slice(-maxFormer);
  const display = text.slice(0, displayLength);
  return { text, key: { ...key, hash: hashText(text), display, former, rotatedAt } };
}

/** The end of validity of a key's text, by its hash: infinite for the current one; 0 when it has ended. */
export function validUntil({ hash, former }: KeyRecord, textHash: string): number {
  return hash === textHash ? Infinity : (former.find((text) => text.hash === textHash)?.expiresAt ?? 0);
}

/** Whether a text is the owner's code of a key. */
export const isOwner = ({ ownerHash }: KeyRecord, code: string): boolean =>
  ownerHash !== null && timingSafeEqual(Buffer.from(ownerHash), Buffer.from(hashText(code)));

/**
 * A web page's origin as browsers send it, for the pages that a key is restricted to. Throws an Error that says what is
 * wrong with the text: a wildcard, a path, a scheme other than http and https.
 */
function parseOrigin(text: string): string {
  const written = text.trim();
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url && written.includes('*')) {
    throw new Error(`${JSON.stringify(text)} has a wildcard, which browsers never send; list each origin`);
  }
  if (url && /^https?:$/.test(url.protocol) && url.origin === written.replace(/\/$/, '').toLowerCase())
    return url.origin;
  throw new Error(`${JSON.stringify(text)} is not an origin, expected one such as https://example.org`);
}
