/**
 * Sign-ups, with as little data as limits need: keyed hashes of e-mail addresses and networks, deleted after a day, and
 * of links sent by mail, deleted when used or expired. No address is stored, and nothing links one to a key.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { clientNetworks } from '../core/ip/address.ts';
import type { Soon } from './meter.ts';

/** How long an attempt counts, ms. */
export const countedMs = 86_400_000;

export const defaultSignUpLimits = {
  /** Sign-ups from one network (see `clientNetworks`) within 24 hours; from the /56 and /48 of IPv6 twice and four times as many. */
  perNetwork: 10,
  /** Sign-ups with one e-mail address within 24 hours. */
  perEmail: 3,
  /** How long a link sent by mail is valid, ms. */
  linkMs: 3_600_000,
};

export type SignUps = ReturnType<typeof createSignUps>;

/** The database of sign-ups. All but `close` throw or reject `unavailable` while it is unreachable. */
export type SignUpEngine = {
  /** The secret that hashes are made with, hex: the one that was offered first. */
  secret(offered: string): Soon<string>;
  /**
   * Counts an attempt for each subject, or for none if one has reached its maximum within `countedMs`. Returns 0, or
   * the seconds until the next attempt.
   */
  admit(subjects: readonly { subject: string; maxTries: number }[], now: number): Soon<number>;
  keepLink(link: string, now: number, lifeMs: number): Soon<unknown>;
  /** Whether there was such a link; it is gone then. */
  takeLink(link: string, now: number): Soon<boolean>;
  close(): Soon<void>;
};

export type SignUpOptions = { now?: () => number; limits?: typeof defaultSignUpLimits };

/** Limits and links over an engine. */
export function createSignUps(
  engine: SignUpEngine,
  { now = Date.now, limits = defaultSignUpLimits }: SignUpOptions = {},
) {
  let secret: Buffer | undefined;
  async function digest(...texts: string[]): Promise<string[]> {
    const key = (secret ??= Buffer.from(await engine.secret(randomBytes(32).toString('hex')), 'hex'));
    return texts.map((text) => createHmac('sha256', key).update(text).digest('hex'));
  }
  return {
    /** Counts one attempt; returns 0, or the seconds to wait when the network or the e-mail has reached its daily limit. */
    async admit(network: string | undefined, email: string | undefined): Promise<number> {
      const counted = clientNetworks(network).map((name, wider): [string, number] => [
        `network ${name}`,
        limits.perNetwork * 2 ** wider,
      ]);
      if (email !== undefined) counted.push([`email ${mailboxOf(email)}`, limits.perEmail]);
      const digests = await digest(...counted.map(([text]) => text));
      return engine.admit(
        counted.map(([, maxTries], at) => ({ subject: digests[at], maxTries })),
        now(),
      );
    },
    /** Makes the secret part of a link; only its hash is kept. */
    async makeLink(): Promise<string> {
      const token = randomBytes(24).toString('base64url');
      const [link] = await digest(`link ${token}`);
      await engine.keepLink(link, now(), limits.linkMs);
      return token;
    },
    /** Whether a link is valid; this uses it up. */
    async useLink(token: string): Promise<boolean> {
      const [link] = await digest(`link ${token}`);
      return engine.takeLink(link, now());
    },
    close: () => engine.close(),
  };
}

/** The mailbox behind an address: case, width, the way accents are coded and what follows a plus sign make no other. */
function mailboxOf(written: string): string {
  const email = written.normalize('NFKC');
  const at = email.lastIndexOf('@');
  return email.slice(0, at).replace(/\+.*$/, '').toLowerCase() + email.slice(at).toLowerCase();
}
