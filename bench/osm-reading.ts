/**
 * How fast OpenStreetMap files are read, next to osmium-tool on the same file in the same run:
 *   node bench/osm-reading.ts FILE.osm.pbf [rounds]
 * `blocks`: every object decoded to columns; `records`: addresses, streets and points of interest made of them
 * (the file is read twice); `osmium fileinfo -e`: every object decoded by libosmium, on all cores. Best of the rounds.
 * A larger file of a small one: `osmium renumber -s <n>000001` some copies, then `osmium merge` them.
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
    objects += nodes.count + ways.count + relations.count;
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

const osmium = () => spawnSync('osmium', ['fileinfo', '-e', '--no-progress', path]).status === 0;

type Measured = { seconds: number; cpuSeconds: number };
async function best(run: () => unknown): Promise<Measured> {
  let result: Measured = { seconds: Number.POSITIVE_INFINITY, cpuSeconds: Number.POSITIVE_INFINITY };
  for (let round = 0; round < Number(rounds); round++) {
    const cpu = process.cpuUsage();
    const start = performance.now();
    await run();
    const seconds = (performance.now() - start) / 1e3;
    const { user, system } = process.cpuUsage(cpu);
    if (seconds < result.seconds) result = { seconds, cpuSeconds: (user + system) / 1e6 };
  }
  return result;
}

const objects = await countObjects();
const print = (what: string, { seconds }: Measured, more: string) =>
  console.log(
    `${what.padEnd(20)} ${seconds.toFixed(2).padStart(7)} s ${(megabytes / seconds).toFixed(1).padStart(7)} MB/s ` +
      `${Math.round(objects / seconds)
        .toLocaleString('en')
        .padStart(12)} objects/s  ${more}`,
  );
console.log(`${path}: ${megabytes.toFixed(1)} MB, ${objects.toLocaleString('en')} objects, best of ${rounds}`);
const blocks = await best(countObjects);
print('blocks', blocks, `${blocks.cpuSeconds.toFixed(2)} s CPU`);
let records = 0;
const all = await best(async () => {
  records = await countRecords();
});
print('records', all, `${all.cpuSeconds.toFixed(2)} s CPU, ${records.toLocaleString('en')} records`);
if (osmium()) print('osmium fileinfo -e', await best(osmium), '');
else console.log('osmium-tool is not installed, or cannot read the file');
console.log(`peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);
