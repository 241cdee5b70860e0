/** Notices that a key has spent 80 or 100% of its day's calls: a POST to an address, a mail to the operator, or both. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import type { KeyStoreOptions } from '../../keys/key-store.ts';
import { createMailer, type SendMail } from '../faces/sign-up.ts';

const tries = 3;
const timeoutMs = 5000;
const pauseMs = 1000;

type OnReached = NonNullable<KeyStoreOptions['onReached']>;

/**
 * Creates the sender of the configured notices. Each is attempted three times while the process lives; `onError` is
 * called when all of them failed.
 */
export async function quotaNotices(
  { quotaWebhook, quotaMail, smtpUrl, mailFrom }: Config,
  onError: (error: unknown, what: string) => void,
): Promise<OnReached> {
  const sendMail = quotaMail === '' ? undefined : await createMailer(smtpUrl, mailFrom);
  return (key, limit, percent) => {
    const { id, display, name, plan } = key;
    if (quotaWebhook !== '') {
      const at = new Date().toISOString();
      const body = JSON.stringify({ key_id: id, key: display, name, plan, limit, percent, at });
      threeTimes(() => post(quotaWebhook, body)).catch((error) => onError(error, 'the quota webhook failed'));
    }
    if (sendMail) {
      const mail = mailOf(quotaMail, key, limit, percent);
      threeTimes(() => sendMail(mail)).catch((error) => onError(error, 'the quota mail failed'));
    }
  };
}

function mailOf(to: string, key: Parameters<OnReached>[0], limit: number, percent: number): Parameters<SendMail>[0] {
  const { id, display, name, plan } = key;
  const calls = limit.toLocaleString('en');
  const outcome =
    percent < 100
      ? 'Once all calls are used, further calls are refused with 429.'
      : 'Further calls are refused with 429.';
  const text = `Key ${id} (${display}…${name === null ? '' : `, ${name}`}) of plan ${plan} has used ${percent}% of today's ${calls} calls.
${outcome} The quota resets at midnight UTC.

To raise the quota: whereabouts keys change ${id} --plan <plan>
`;
  return { to, subject: `Key ${id} has used ${percent}% of its quota`, text };
}

async function post(url: string, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(timeoutMs);
  const { ok, status, body: answer } = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
  await answer?.cancel();
  if (!ok) throw new Error(`the quota webhook answered ${status}`);
}

async function threeTimes(send: () => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await send();
      return;
    } catch (error) {
      if (tried === tries) throw error;
      await wait(pauseMs * tried, undefined, { ref: false });
    }
  }
}
