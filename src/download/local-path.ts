import { join } from 'node:path';
import { UsageError } from '../errors.ts';

/** Of the 255 bytes of most file systems; the rest is for endings such as `.part.json`. */
const maxNameBytes = 240;

/** A name with what file systems may not have in names replaced. */
export const safeName = (name: string): string => name.replace(/[^\p{L}\p{N}._-]/gu, '_');

/**
 * The path below a directory for a file that a publisher names, folders separated by `/`. Throws UsageError for a name
 * that leads elsewhere (`li/../../x`), begins at the root, has an empty part or one that is too long: what comes from
 * the network decides nothing outside the directory.
 */
export function localPath(directory: string, name: string): string {
  const parts = name.split('/');
  if (parts.some((part) => /^\.*$/.test(part))) {
    throw new UsageError(
      `${JSON.stringify(name)} is not a valid name for a download: it leads out of its folder; check the mirror's address in the configuration`,
    );
  }
  const long = parts.find((part) => Buffer.byteLength(part) > maxNameBytes);
  if (long !== undefined) {
    throw new UsageError(
      `${JSON.stringify(long.slice(0, 40))}… is not a valid name for a download: it has ${Buffer.byteLength(long)} bytes, expected at most ${maxNameBytes}; check the mirror's address in the configuration`,
    );
  }
  return join(directory, ...parts.map(safeName));
}
