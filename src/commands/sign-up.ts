import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import { isInside, parseAddress, parseNetwork } from '../keys/networks.ts';
import { createSignUps, type SignUps } from '../keys/sign-ups.ts';
import { openSignUps } from '../keys/sqlite/sign-ups.ts';
import { createMailer, type SignUpOptions } from '../server/faces/sign-up.ts';
import { loadKeysExtension, openWritable } from '../server/processes/open-keys.ts';

const loopback = ['127.0.0.0/8', '::1'].map(parseNetwork);

/**
 * How people may sign up by a configuration. `auto` is `open` where only this machine can reach the service (a loopback
 * address, no proxies), as on the computer of someone who tries it, and `closed` elsewhere.
 */
export async function signUpFor(config: Config): Promise<SignUpOptions> {
  const { signUp, smtpUrl, mailFrom, publicUrl } = config;
  switch (signUp) {
    case 'closed':
      return { mode: 'closed' };
    case 'open':
      return { mode: 'open', signUps: await signUpsOf(config) };
    case 'verified':
      return {
        mode: 'verified',
        signUps: await signUpsOf(config),
        sendMail: await createMailer(smtpUrl, mailFrom),
        publicUrl,
      };
    case 'auto':
      return isLocal(config)
        ? {
            mode: 'open',
            signUps: await signUpsOf(config),
            localHosts: publicUrl === '' ? [] : [new URL(publicUrl).hostname],
          }
        : { mode: 'closed' };
  }
}

/** Sign-ups are counted where the keys are: on the server that machines share, else in a database of this machine. */
async function signUpsOf({ keys, keyReplicas: replicas, signUpsPath }: Config): Promise<SignUps> {
  if (keys === '') return openWritable('the sign-ups', signUpsPath, () => openSignUps(signUpsPath));
  const { openSignUpEngine } = await loadKeysExtension();
  return createSignUps(openSignUpEngine(keys, { replicas }));
}

/** Whether only this machine can reach the service, as far as the configuration shows. */
export function isLocal({ host, trustedProxies }: Config): boolean {
  if (trustedProxies.length > 0) return false;
  if (host === 'localhost') return true;
  const address = isIP(host) ? parseAddress(host) : undefined;
  return address !== undefined && isInside(address, loopback);
}
