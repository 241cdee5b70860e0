/**
 * What `whereabouts update` takes as a whole when one of several files has changed, as a share of building all of them
 * with `whereabouts build`: processor time and wall-clock time of the commands, each in a process of its own.
 *
 *     node scripts/node26.js bench/update.ts <dataset directory> [--parts 10] [--addresses 300000] [--rounds 3]
 *
 * The made-up files are in the format of OpenAddresses; the world's layers are those of the dataset.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, createWriteStream, linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { syntheticCountry } from './scale/synthetic-country.ts';

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    parts: { type: 'string', default: '10' },
    addresses: { type: 'string', default: '300000' },
    rounds: { type: 'string', default: '3' },
  },
});
const dataset = resolve(positionals[0]);
const parts = Number(options.parts);
const data = mkdtempSync(join(dataset, '..', 'bench-update-'));
const fileOf = (part: number) => join(data, 'files', `part-${part}.csv`);
const width = 7 / parts;

function* linesOf(part: number): Generator<string> {
  yield 'LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\n';
  const strip = { seed: part, west: 7 + part * width, east: 7 + (part + 1) * width, samples: 1 };
  const sample = { addresses: [], streets: [], pois: [] };
  for (const { addresses } of syntheticCountry(Number(options.addresses), sample, strip))
    yield addresses
      .map(({ lng, lat, houseNumber, street, city, postalCode }) =>
        [lng.toFixed(7), lat.toFixed(7), houseNumber, street, '', city, '', '', `${postalCode},,\n`].join(','),
      )
      .join('');
}

type Times = { wall: number; cpu: number };

/** Seconds that a command takes, with its threads. */
function timed(...args: string[]): Times {
  const program = join(import.meta.dirname, '../bin/whereabouts.js');
  const command = [process.execPath, program, '--data-directory', data, ...args];
  const { status, stderr } = spawnSync('bash', ['-c', 'TIMEFORMAT="%R %U %S"; time "$@"', 'bash', ...command], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0) throw new Error(stderr);
  const [wall, user, system] = stderr.trimEnd().split('\n').at(-1)!.split(' ').map(Number);
  return { wall, cpu: user + system };
}

const least = (times: Times[]): Times => ({
  wall: Math.min(...times.map(({ wall }) => wall)),
  cpu: Math.min(...times.map(({ cpu }) => cpu)),
});

try {
  mkdirSync(join(data, basename(dataset)));
  for (const name of readdirSync(dataset)) linkSync(join(dataset, name), join(data, basename(dataset), name));
  await writeFile(join(data, 'current'), `${basename(dataset)}\n`);
  mkdirSync(join(data, 'files'));
  for (let part = 0; part < parts; part++)
    await pipeline(Readable.from(linesOf(part)), createWriteStream(fileOf(part)));
  const files = Array.from({ length: parts }, (_, part) => fileOf(part));
  // Layers of default data that this program has in another version are built again by the first update.
  timed('update');
  const builds: Times[] = [];
  const updates: Times[] = [];
  for (let round = 0; round < Number(options.rounds); round++) {
    builds.push(timed('build', '--only', '--layer', 'addresses', '--source', ...files));
    appendFileSync(fileOf(round % parts), `8.5,48.5,${round + 1},Neue Straße,,Neustadt,,,10000,,\n`);
    updates.push(timed('update'));
  }
  const same = timed('update');
  const [build, update] = [least(builds), least(updates)];
  console.log({ build, update, 'update without changes': same });
  for (const kind of ['cpu', 'wall'] as const)
    console.log(
      `${kind}: an update of one part takes ${((parts * update[kind]) / build[kind]).toFixed(2)} times its share`,
    );
} finally {
  rmSync(data, { recursive: true, force: true });
}
