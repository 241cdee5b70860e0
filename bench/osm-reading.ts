/**
 * How fast OpenStreetMap files are read, next to osmium-tool on the same file in the same run:
 *   node bench/osm-reading.ts FILE.osm.pbf [rounds]
 * `blocks`: every object decoded; `records`: addresses, streets and points of interest made of them
 * (the file is read twice); `osmium fileinfo -e`: every object decoded by libosmium, on all cores. Best of the rounds.
 * A large file: bench/osm-synthetic.ts.
 */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { openOsm, readOsm } from '../src/sources/osm/read-osm.ts';

const [path, rounds = '3'] = process.argv.slice(2);
if (!path) {
  console.error('usage: node bench/osm-reading.ts FILE.osm.pbf [rounds]');
  process.exit(2);
}
const megabytes = statSync(path).size / 1e6;

async function countObjects(): Promise<number> {
  let objects = 0;
  for await (const { nodes, ways, relations } of (await openOsm(path)).blocks({
    nodes: true,
    ways: true,
    relations: true,
  })) {
    objects += nodes.count + ways.length + relations.length;
  }
  return objects;
}

async function countRecords(): Promise<number> {
  let records = 0;
  for await (const batch of readOsm(path)) {
    records += batch.addresses.length + batch.streets.length + batch.pois.length + batch.interpolations.length;
  }
  return records;
}

/** Runs osmium; returns its processor seconds, or `undefined` when it is not installed or cannot read the file. */
function osmium(): number | undefined {
  const script = 'TIMEFORMAT="%U %S"; time osmium fileinfo -e --no-progress "$0" > /dev/null';
  const { status, stderr } = spawnSync('bash', ['-c', script, path], { encoding: 'utf8' });
  if (status !== 0) return undefined;
  const [user, system] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number);
  return user + system;
}

type Measured = { seconds: number; cpuSeconds: number };
async function best(run: () => unknown): Promise<Measured> {
  let result: Measured = { seconds: Number.POSITIVE_INFINITY, cpuSeconds: Number.POSITIVE_INFINITY };
  for (let round = 0; round < Number(rounds); round++) {
    const cpu = process.cpuUsage();
    const start = performance.now();
    // A separate program reports its own processor time.
    const other = await run();
    const seconds = Math.min(result.seconds, (performance.now() - start) / 1e3);
    const { user, system } = process.cpuUsage(cpu);
    const cpuSeconds = Math.min(result.cpuSeconds, typeof other === 'number' ? other : (user + system) / 1e6);
    result = { seconds, cpuSeconds };
  }
  return result;
}

const objects = await countObjects();
const print = (what: string, { seconds, cpuSeconds }: Measured, more = '') =>
  console.log(
    `${what.padEnd(20)} ${seconds.toFixed(2).padStart(7)} s ${(megabytes / seconds).toFixed(1).padStart(7)} MB/s ` +
      `${Math.round(objects / seconds)
        .toLocaleString('en')
        .padStart(12)} objects/s  ${cpuSeconds.toFixed(2)} s of processor${more}`,
  );
console.log(`${path}: ${megabytes.toFixed(1)} MB, ${objects.toLocaleString('en')} objects, best of ${rounds}`);
const blocks = await best(async () => {
  await countObjects();
});
print('blocks', blocks);
let records = 0;
const all = await best(async () => {
  records = await countRecords();
});
print('records', all, `, ${records.toLocaleString('en')} records`);
if (osmium() !== undefined) print('osmium fileinfo -e', await best(osmium));
else console.log('osmium-tool is not installed, or cannot read the file');
console.log(`peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);
