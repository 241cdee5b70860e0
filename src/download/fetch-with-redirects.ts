import { UsageError } from '../errors.ts';

const maxRedirects = 10;

/**
 * Fetches a URL and follows redirects. Throws UsageError for redirects without end, to anything but http(s), and from
 * https to http, where an attacker in between could change the data.
 */
export async function fetchWithRedirects(address: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  let url = new URL(address);
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    const location = response.headers.get('location');
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response;
    await response.body?.cancel();
    const next = redirected(url, location);
    if (next.origin !== url.origin) headers.delete('authorization');
    url = next;
  }
  throw new UsageError(`${address} redirects more than ${maxRedirects} times; check the address`);
}

/** The target of a redirect. Throws UsageError if it must not be followed. */
export function redirected(from: URL, location: string): URL {
  const to = URL.parse(location, from);
  if (to?.protocol === 'https:' || (to?.protocol === 'http:' && from.protocol === 'http:')) return to;
  throw new UsageError(
    `${from.href} redirects to ${JSON.stringify(location.slice(0, 200))}, expected ${from.protocol === 'http:' ? 'http(s)' : 'https'}://…; check the address`,
  );
}

/** The message of an error with its causes: `fetch` itself only says that it failed. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error
    ? `${message} (${cause.message || ((cause as NodeJS.ErrnoException).code ?? cause.name)})`
    : message;
}
