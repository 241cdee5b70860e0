/** The rules of keys: valid properties, creation, and rotation; independent of the database. */
import { timingSafeEqual } from 'node:crypto';
import { parseNetwork } from '../core/ip/address.ts';
import { UsageError, WhereaboutsError } from '../errors.ts';
import { displayLength, type FormerText, generateKey, hashKey, type KeyOptions, type KeyRecord } from './key-record.ts';
import { fallbackPlan, type Plans } from './plans.ts';

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

/** Throws UsageError for invalid properties. */
export function checkOptions({ plan, networks, name }: KeyOptions, plans: Plans): void {
  for (const network of networks ?? []) {
    try {
      parseNetwork(network);
    } catch (error) {
      throw new UsageError((error as Error).message);
    }
  }
  if (plan !== undefined && !Object.hasOwn(plans, plan)) {
    throw new UsageError(`there is no plan ${JSON.stringify(plan)}; expected one of ${Object.keys(plans).join(', ')}`);
  }
  if (name && (name.length > maxNameLength || /\p{Cc}|\p{Cs}/u.test(name))) {
    throw new UsageError(
      `the name has control characters, unpaired surrogates, or more than ${maxNameLength} characters; change it`,
    );
  }
}

/** A new key and its stored record. Throws UsageError for invalid properties. */
export function newKey(options: KeyOptions, plans: Plans, now: number): { key: string; record: Omit<KeyRecord, 'id'> } {
  checkOptions(options, plans);
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
    ...options,
    hash: hashText(key),
    ownerHash: null,
    former: [],
    rotatedAt: [],
    revision: 0,
  };
  return { key, record };
}

/** SHA-256 in hex, the form in which keys and codes are stored. */
export const hashText = (text: string): string => hashKey(text).toString('hex');

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
  ownerHash !== null && timingSafeEqual(Buffer.from(ownerHash, 'hex'), hashKey(code));

/**
 * A web page's origin as browsers send it, for the pages that a key is restricted to. Throws an Error that says what is
 * wrong with the text: a wildcard, a path, a scheme other than http and https.
 */
export function parseOrigin(text: string): string {
  const written = text.trim();
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url && written.includes('*')) {
    throw new Error(`${JSON.stringify(text)} has a wildcard, which browsers never send; list each origin`);
  }
  if (url && /^https?:$/.test(url.protocol) && url.origin === written.replace(/\/$/, '').toLowerCase())
    return url.origin;
  throw new Error(`${JSON.stringify(text)} is not an origin, expected one such as https://example.org`);
}
