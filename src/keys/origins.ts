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
