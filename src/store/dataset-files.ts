/** Checks whether the files of a dataset are those that its build wrote. */
import { createHash } from 'node:crypto';
import { createReadStream, type Stats, statSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DatasetError } from './dataset-error.ts';
import { filesOf, type LayerInfo, type Manifest } from './manifest-format.ts';

type DatasetFile = LayerInfo['files'][number];

/** Records which files were verified, by name; kept next to them, as it belongs to the version. */
const verifiedFile = '.verified.json';
/** Reads of this size keep hashing from blocking requests for more than half a millisecond. */
const chunkBytes = 1 << 20;
const remedy = 'build the dataset again, or run "whereabouts rollback"';

/**
 * Throws DatasetError naming the files that are missing, are not regular files, or have another size than the manifest
 * states. Reads none of them, so that it is fast however large they are.
 */
export function checkFiles(directory: string, manifest: Manifest): void {
  refuse(
    directory,
    distinctFiles(manifest)
      .map((file) => sizeFault(directory, file))
      .filter((fault) => fault !== undefined),
  );
}

/**
 * Compares files with the hashes of the manifest. A file is read once: the result is kept by size, modification time
 * and inode, unless the directory cannot be written. `packsOnly` leaves out databases, which may be too large to wait
 * for; `isFresh` reads every file again. Throws DatasetError naming those that differ.
 */
export async function verifyFiles(
  directory: string,
  manifest: Manifest,
  { packsOnly = false, isFresh = false }: { packsOnly?: boolean; isFresh?: boolean } = {},
): Promise<void> {
  const stored = await readVerified(directory);
  const verified: Record<string, string> = {};
  const damaged: string[] = [];
  for (const file of distinctFiles(manifest)) {
    const { name, sha256 } = file;
    const fault = sizeFault(directory, file);
    if (fault !== undefined) {
      damaged.push(fault);
      continue;
    }
    const path = join(directory, name);
    const fingerprint = fingerprintOf(statSync(path), sha256);
    const isKnown = !isFresh && stored[name] === fingerprint;
    if (!isKnown && packsOnly && !name.endsWith('.pack')) continue;
    if (isKnown || (await fileHash(path)) === sha256) verified[name] = fingerprint;
    else damaged.push(name);
  }
  // Also without those that have rotted, so that the next start reads and refuses them.
  const isSame = Object.keys(stored).length === Object.keys(verified).length;
  if (!isSame || Object.entries(verified).some(([name, fingerprint]) => stored[name] !== fingerprint))
    await saveVerified(directory, verified);
  refuse(directory, damaged);
}

/** What is wrong with a file, judged by its metadata; undefined when nothing is. */
function sizeFault(directory: string, { name, bytes }: DatasetFile): string | undefined {
  const found = statSync(join(directory, name), { throwIfNoEntry: false });
  if (!found?.isFile()) return `${name} (missing)`;
  return found.size === bytes ? undefined : `${name} (${found.size} bytes, expected ${bytes})`;
}

function refuse(directory: string, damaged: readonly string[]): void {
  if (damaged.length > 0) throw new DatasetError(`${directory} is damaged: ${damaged.join(', ')}; ${remedy}`);
}

/** Each file once, as layers that are built together may share files. */
const distinctFiles = (manifest: Manifest): DatasetFile[] => [
  ...new Map(filesOf(manifest).map((file) => [file.name, file])).values(),
];

const fingerprintOf = ({ size, mtimeMs, ino }: Stats, sha256: string) => `${size} ${mtimeMs} ${ino} ${sha256}`;

/** SHA-256 of a file's bytes, in hex. */
export async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: chunkBytes }), hash);
  return hash.digest('hex');
}

async function readVerified(directory: string): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(join(directory, verifiedFile), 'utf8'));
  } catch {
    return {};
  }
}

/** If the directory cannot be written, the next start just reads the files again. */
async function saveVerified(directory: string, verified: Record<string, string>): Promise<void> {
  const part = join(directory, `${verifiedFile}.${process.pid}.part`);
  try {
    await writeFile(part, JSON.stringify(verified));
    await rename(part, join(directory, verifiedFile));
  } catch {}
}
