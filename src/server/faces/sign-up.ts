/** Signing up: a free key at once, a free key by way of a link sent by mail, or not at all. */
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { invalidParameter, WhereaboutsError } from '../../errors.ts';
import { fallbackPlan } from '../../keys/key-record.ts';
import { addressOf, callerOf } from '../call.ts';
import type { Call, Service } from '../service.ts';

export type SignUpOptions =
  | { mode: 'closed' }
  | {
      mode: 'open';
      /**
       * Set where the mode was not requested, only assumed on a machine of one's own: refuses requests that a proxy
       * passed on, and those to other hosts than loopback names, addresses and these (a page may have its own name lead
       * here).
       */
      localHosts?: readonly string[];
    }
  | ({
      mode: 'verified';
      /** Public URL of the portal, for the link in the mail. */
      publicUrl: string;
    } & Mailer);

/** The sign-up mode for a visitor. */
export function signUpModeOf(options: SignUpOptions, call: Call): SignUpOptions['mode'] {
  if (options.mode !== 'open' || options.localHosts === undefined) return options.mode;
  return isForwarded(call) || !isLocal(call.request.headers.host, options.localHosts) ? 'closed' : 'open';
}

/** Throws 403 where a visitor may not sign up, whatever it sends. */
export function checkVisitor(options: SignUpOptions, call: Call): void {
  checkSite(call, options);
  if (signUpModeOf(options, call) !== 'closed') return;
  throw new WhereaboutsError('sign_up_closed', 'this service does not accept sign-ups; ask its operator for a key');
}

/** Signs up a visitor who may: returns a new key, or undefined when a mail was sent. Throws 400, 429 or 503. */
export async function signUp(
  service: Service,
  options: SignUpOptions,
  call: Call,
  fields: { email?: string },
): Promise<string | undefined> {
  if (options.mode === 'closed') return undefined;
  const written = fields.email?.trim() || undefined;
  if (written === undefined && options.mode === 'verified') {
    throw invalidParameter(
      'email',
      'email is missing; this service sends the link to the key there',
      'missing_parameter',
    );
  }
  const email = written === undefined ? undefined : addressIn(written);
  if (email === null) {
    throw invalidParameter('email', `email is ${JSON.stringify(written!.slice(0, 80))}, expected one e-mail address`);
  }
  const { signUps } = service.keys;
  const wait = await counted(service, call, () => signUps.admit(addressOf(service, call), email));
  if (wait > 0) {
    throw new WhereaboutsError(
      'rate_limited',
      `too many sign-ups from this network or with this e-mail address; try again in ${Math.ceil(wait / 60)} minutes`,
      { retryAfterSeconds: wait },
    );
  }
  if (options.mode === 'open') return makeKey(service, call);
  const token = await counted(service, call, () => signUps.makeLink());
  const link = `${options.publicUrl.replace(/\/$/, '')}/sign-up#token=${token}`;
  try {
    await sendMail(options, { to: email!, subject: 'Your Whereabouts key', text: mailText(link) });
  } catch (error) {
    // What the mail server answers repeats the address.
    const { message, code, command, response, responseCode } = error as Error & Partial<Record<string, unknown>>;
    const reason = command === 'CONN' && response === undefined ? message : undefined;
    const logged = { code, command, reason, response_code: responseCode, request_id: call.requestId };
    service.log.error(logged, 'a sign-up mail could not be sent');
    throw new WhereaboutsError('unavailable', 'the mail could not be sent; try again later, or ask the operator', {
      retryAfterSeconds: 60,
    });
  }
  return undefined;
}

/** Returns the key that a link stands for. Throws 403 when the link is unknown, used or over. */
export async function confirmSignUp(
  service: Service,
  options: SignUpOptions,
  call: Call,
  token: string,
): Promise<string> {
  if (options.mode === 'verified' && (await counted(service, call, () => service.keys.signUps.useLink(token))))
    return makeKey(service, call);
  throw new WhereaboutsError(
    'link_not_valid',
    'the link is unknown, was used before, or is more than an hour old; sign up again',
  );
}

const makeKey = async (service: Service, call: Call) =>
  (await counted(service, call, async () => service.keys.create({ plan: fallbackPlan, name: 'sign-up' }, 'sign-up')))
    .key;

/** Has the time that the database takes, which waits for the disk, count as the visitor's: else who signs up often uses none. */
async function counted<T>(service: Service, call: Call, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    service.lanes.count(callerOf(service, call), performance.now() - startedAt);
  }
}

/**
 * One mailbox with a domain, and nothing that could become another header or recipient. Control and format characters
 * are refused: mail servers drop them, and one mailbox would have as many addresses as one likes. So are encoded words
 * (RFC 2047), which the mailer decodes, addresses of machines, and what relays read as a route (`user%host@relay`,
 * `host!user`).
 */
const isEmail = (text: string): boolean =>
  text.length <= 254 &&
  !text.includes('=?') &&
  !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text) &&
  /^[^\s@"<>()[\],;:\\%!]{1,64}@[^\s@"<>()[\],;:\\.]+(\.[^\s@"<>()[\],;:\\.]+)+$/.test(text) &&
  !/\.\d+$/.test(text);

/** A text as the address that a mail goes to and that is counted, its domain in ASCII: it may be written in many ways. Null for none. */
function addressIn(text: string): string | null {
  const at = text.lastIndexOf('@') + 1;
  const address = text.slice(0, at) + domainToASCII(text.slice(at));
  return isEmail(text) && isEmail(address) ? address : null;
}

/** Other sites shall not spend a visitor's sign-ups. Browsers say where a request comes from; programs need not. */
export function checkSite({ request: { headers } }: Call, options: SignUpOptions): void {
  const { 'sec-fetch-site': site, origin, host } = headers;
  // Browsers from before 2023 only send their page's origin.
  const own = options.mode === 'verified' ? [host, hostOf(options.publicUrl)] : [host];
  const isOwn =
    site === undefined
      ? origin === undefined || own.includes(hostOf(origin))
      : site === 'same-origin' || site === 'none';
  if (isOwn) return;
  throw new WhereaboutsError(
    'sign_up_closed',
    "sign-ups are accepted only from this service's own pages, not from other sites",
  );
}

/** Maximum number of characters of an origin: a host's name has 255. */
const maxOrigin = 300;

/** Host and port of an address; undefined for `null` and anything else that is none. */
const hostOf = (address: string) =>
  address.length <= maxOrigin && URL.canParse(address) ? new URL(address).host : undefined;

/** Whether a Host header names this machine: no page of another site can have an address or a loopback name lead elsewhere. */
function isLocal(host: string | undefined, others: readonly string[]): boolean {
  const address = `http://${host ?? ''}`;
  const name = URL.canParse(address) ? new URL(address).hostname.replace(/^\[(.*)\]$/, '$1') : '';
  return /(^|\.)localhost$/.test(name) || isIP(name) !== 0 || others.includes(name);
}

const isForwarded = ({ request: { headers } }: Call) =>
  ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some((name) => headers[name] !== undefined);

const mailText = (link: string) => `Hello,

someone, probably you, used this address to request a free key for a Whereabouts service. To get the key, open

${link}

and press the button on that page. The link works once and expires after an hour. If you did not request a key, ignore
this e-mail: no key has been created, and your address is not stored.
`;

/** The server that sends mails, such as `smtps://user:password@mail.example.org`, and their sender. */
export type Mailer = { smtpUrl: string; mailFrom: string };
export type Mail = { to: string; subject: string; text: string };

/** Timeout of each step of a mail server, ms; someone is waiting in front of a form. */
const timeoutMs = 15_000;

/** Sends one mail, by a connection of its own; rejects when the server does not take it. */
export async function sendMail({ smtpUrl, mailFrom }: Mailer, { to, ...mail }: Mail): Promise<void> {
  // Loaded here, as most services send no mail.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // As an object, so that its parts are not taken for a list of addresses, or decoded.
  await transport.sendMail({ from: mailFrom, to: { name: '', address: to }, ...mail });
}
