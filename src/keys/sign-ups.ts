/**
 * Sign-ups, with as little data as limits need: keyed hashes of e-mail addresses, networks and used links, deleted after
 * two days. No address is stored, and nothing links one to a key.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { clientNetworks } from '../core/ip/address.ts';
import { countedMs, type KeyEngine } from './engine.ts';

const defaultSignUpLimits = {
  /** Sign-ups from one network (see `clientNetworks`) within 24 hours; from the /56 and /48 of IPv6 twice and four times as many. */
  perNetwork: 10,
  /** Sign-ups with one e-mail address within 24 hours. */
  perEmail: 3,
  /** How long a link sent by mail is valid, ms; less than a try counts, as one that was used is noted as a try. */
  linkMs: 3_600_000,
};

export type SignUpLimits = typeof defaultSignUpLimits;

/** Limits and links over an engine. All of it rejects with `unavailable` while that is unreachable. */
export function createSignUps(
  engine: Pick<KeyEngine, 'signUpSecret' | 'admit'>,
  now: () => number,
  limits: SignUpLimits = defaultSignUpLimits,
) {
  let secret: Buffer | undefined;
  async function digest(...texts: string[]): Promise<string[]> {
    const key = (secret ??= Buffer.from(await engine.signUpSecret(randomBytes(32).toString('hex')), 'hex'));
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
    /** Makes the secret part of a link: its end and some chance, signed. Nothing of it is kept. */
    async makeLink(): Promise<string> {
      const link = `${now() + limits.linkMs}-${randomBytes(8).toString('hex')}`;
      const [signature] = await digest(`link ${link}`);
      return `${link}-${signature}`;
    },
    /** Whether a link is valid; this uses it up. */
    async useLink(token: string): Promise<boolean> {
      const [, link, until, sent] = /^((\d{1,16})-[\da-f]+)-([\da-f]{64})$/.exec(token) ?? [];
      // One that ends later than its use counts is of a clock that was ahead.
      if (link === undefined || Number(until) <= now() || Number(until) > now() + countedMs) return false;
      const [signature, used] = await digest(`link ${link}`, `used ${link}`);
      if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sent))) return false;
      return (await engine.admit([{ subject: used, maxTries: 1 }], now())) === 0;
    },
  };
}

/**
 * The mailbox behind an address: case, width, the way accents are coded, dots and what follows a plus sign make no other. Where
 * they do, mailboxes share a limit.
 */
function mailboxOf(written: string): string {
  const [, local, host] = /^(.*)@(.*)$/s.exec(written.normalize('NFKC').toLowerCase())!;
  return `${local.replace(/\+.*$/s, '').replaceAll('.', '')}@${host.replace(/^googlemail\.com$/, 'gmail.com')}`;
}
