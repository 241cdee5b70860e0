import { readDocument } from './small-document.ts';

/** A file's hash as published. */
export type Checksum = { algorithm: 'md5' | 'sha256'; hex: string };

/** Suffixes of published hash files: `<hex>  <name>`. */
const checksumSuffixes = [
  ['.sha256', 'sha256', 64],
  ['.md5', 'md5', 32],
] as const;

/**
 * The published hash of a file (Geofabrik: `<file>.md5`); undefined when there is none. A hash can also be part of the
 * URL: `https://…/file.zip#sha256=<hex>`.
 */
export async function publishedChecksum(url: string, signal?: AbortSignal): Promise<Checksum | undefined> {
  const address = new URL(url);
  const [, algorithm, hex] = /^#(md5|sha256)=([0-9a-f]+)$/i.exec(address.hash) ?? [];
  if (algorithm) return { algorithm: algorithm.toLowerCase() as Checksum['algorithm'], hex: hex.toLowerCase() };
  address.hash = '';
  for (const [suffix, kind, length] of checksumSuffixes) {
    const checksumUrl = new URL(address);
    checksumUrl.pathname += suffix;
    const text = await readDocument(checksumUrl.href, { maxBytes: 2 ** 16, timeoutMs: 20_000, signal }).catch(
      () => undefined,
    );
    const found = new RegExp(`^\\s*([0-9a-f]{${length}})(\\s|$)`, 'i').exec(text?.toString('latin1', 0, 200) ?? '');
    if (found) return { algorithm: kind, hex: found[1].toLowerCase() };
  }
  return undefined;
}
