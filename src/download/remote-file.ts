/** What a server says of a file, as far as it does. */
export type RemoteFile = { bytes?: number; etag?: string /** ISO 8601. */; lastModified?: string };

/**
 * Asks a server about a file without fetching it. Returns `missing` if it says that there is none, `unreachable` if it does
 * not answer, nothing of what it does not say.
 */
export async function remoteFile(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RemoteFile | 'missing' | 'unreachable'> {
  const asked = fetch(url, {
    method: 'HEAD',
    headers: { ...headers, 'Accept-Encoding': 'identity' },
    signal: AbortSignal.timeout(20_000),
  });
  const response = await asked.catch(() => undefined);
  if (!response) return 'unreachable';
  if (response.status === 404 || response.status === 410) return 'missing';
  if (!response.ok) return {};
  const bytes = response.headers.get('content-length');
  const etag = response.headers.get('etag');
  const modified = Date.parse(response.headers.get('last-modified') ?? '');
  return {
    ...(bytes && { bytes: Number(bytes) }),
    ...(etag && { etag }),
    ...(!Number.isNaN(modified) && { lastModified: new Date(modified).toISOString() }),
  };
}
