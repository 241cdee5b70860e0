/**
 * A month of changes of a made-up extract: how much processor time reading the older extract with them takes, as a share of
 * importing the newer one, in one run, and whether both lead to the same. Mappers work on a neighbourhood at a time: the edits lie in spots of a hundred neighbours, with `--file-order`
 * of a hundred that follow each other in the file, which are on all streets of a town, or evenly everywhere (`--even`).
 *
 *     node scripts/node26.js bench/osm-changes.ts [--towns 400] [--edits 5000] [--file-order] [--even]
 *
 * Needs osmium-tool and a dataset. An edit is a new number, a new street or city, another position, a new house, a new
 * point of interest, or an end, in the shares that these have of a month of Liechtenstein.
 */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { userStreetSources } from '../src/build/layers/streets/sources.ts';
import { buildStreetLevel } from '../src/build/layers/streets.ts';
import { currentVersion } from '../src/store/manifest.ts';
import { randomNumbers } from '../test/support/random-numbers.ts';
import { dumpPart } from '../test/support/street-level-dump.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: 'data' },
    towns: { type: 'string', default: '400' },
    edits: { type: 'string', default: '5000' },
    even: { type: 'boolean', default: false },
    'file-order': { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
  },
});
const perSpot = 100;
const random = randomNumbers(11);
const directory = mkdtempSync(join(options.data, 'bench-changes-'));
const file = (name: string) => join(directory, name);

/** One line of an OPL file after an edit; undefined where the object was deleted. */
function editedLine(line: string): string | undefined {
  const kind = random();
  const isNode = line.startsWith('n');
  if (kind < 0.05 && isNode && !line.includes('place=')) return undefined;
  if (kind < 0.3 && isNode)
    return line.replace(/ y(\S+)/, (_, lat) => ` y${(Number(lat) + (random() - 0.5) * 2e-4).toFixed(7)}`);
  if (kind < 0.5) return line.replace(/addr:housenumber=[^, ]+/, `addr:housenumber=${Math.ceil(random() * 200)}`);
  if (kind < 0.6) return line.replace(/addr:street=[^, ]+/, 'addr:street=New%20%Lane');
  if (kind < 0.63) return line.replace(/addr:city=[^, ]+/, 'addr:city=Newtown');
  if (kind < 0.66) return line.replace(/(highway=\w+,name=)[^, ]+/, '$1New%20%Lane');
  return line.replace(/ T/, ' Tcheck_date=2026,');
}

/** Puts lines in the order of neighbourhoods of 0.01 degrees; a way is where its first node is. */
function inNeighbourhoods(mapped: number[], lines: readonly string[]): void {
  const places = new Map<string, number>();
  for (const line of lines) {
    const [, id, lng, lat] = /^(n\d+) .* x(\S+) y(\S+)$/.exec(line) ?? [];
    if (id) places.set(id, Math.floor(Number(lat) * 100) * 36_000 + Math.floor(Number(lng) * 100));
  }
  const placeOf = (at: number) =>
    places.get(/^n\d+/.exec(lines[at])?.[0] ?? / N(n\d+)/.exec(lines[at])?.[1] ?? '') ?? 0;
  const placed = new Map(mapped.map((at) => [at, placeOf(at)]));
  mapped.sort((a, b) => placed.get(a)! - placed.get(b)! || a - b);
}

function* editedMap(lines: readonly string[]): Generator<string> {
  const mapped = [...lines.keys()].filter((at) => /addr:|amenity|highway/.test(lines[at]));
  if (!options['file-order']) inNeighbourhoods(mapped, lines);
  const edited = new Set<number>();
  const count = Number(options.edits);
  while (edited.size < count) {
    const first = Math.floor(random() * mapped.length);
    for (let at = 0; at < (options.even ? 1 : perSpot); at++) {
      const chosen = mapped[first + at];
      if (chosen !== undefined) edited.add(chosen);
    }
  }
  let lastNode = Number(/\d+/.exec(lines.findLast((line) => line.startsWith('n'))!)![0]);
  const added: string[] = [];
  for (const at of edited) {
    const [, position] = /( x\S+ y\S+)$/.exec(lines[at]) ?? [];
    if (!position || random() > 0.25) continue;
    const tags = lines[at].includes('addr:street') ? lines[at].split(' T')[1].split(' ')[0] : 'amenity=cafe,name=New';
    added.push(`n${++lastNode} v1 T${tags.replace(/addr:housenumber=[^, ]+/, 'addr:housenumber=77')}${position}`);
  }
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('w') && added.length > 0) yield* added.splice(0);
    const after = edited.has(at) ? editedLine(line) : line;
    if (after !== undefined) yield after === line ? line : after.replace(' v1 ', ' v2 ');
  }
}

const seconds = async (run: () => Promise<unknown>) => {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};
const min = (values: number[]) => Math.min(...values);

try {
  const dataset = join(options.data, currentVersion(options.data)!);
  for (const name of readdirSync(dataset).filter((one) => one.endsWith('.pack')))
    linkSync(join(dataset, name), file(name));
  const synthetic = [join(import.meta.dirname, 'osm-synthetic.ts'), options.towns];
  const opl = execFileSync(process.execPath, synthetic, { maxBuffer: 1 << 30, encoding: 'utf8' });
  const lines = opl.trimEnd().split('\n');
  writeFileSync(file('older.opl'), opl);
  writeFileSync(file('newer.opl'), `${[...editedMap(lines)].join('\n')}\n`);
  const osmium = (...args: string[]) => execFileSync('osmium', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const header = ['osmosis_replication_base_url=http://changes.example/', 'osmosis_replication_sequence_number=1'];
  for (const name of ['older', 'newer'])
    osmium(
      'cat',
      file(`${name}.opl`),
      '-o',
      file(`${name}.osm.pbf`),
      ...header.flatMap((each) => ['--output-header', each]),
    );
  osmium('derive-changes', file('older.opl'), file('newer.opl'), '-o', file('change.osc.gz'));
  const changedObjects = readFileSync(file('newer.opl'), 'utf8').split(' v2 ').length - 1;

  const extract = file('older.osm.pbf');
  const change = { extract, version: 'older', files: [file('change.osc.gz')], sequence: 2, timestamp: undefined };
  const build = async (part: string, path: string, changes?: typeof change) =>
    buildStreetLevel(
      { directory, part, progress() {} },
      await userStreetSources((kind) => (kind === 'osm-pbf' ? [path] : []), changes),
    );
  const imports: number[] = [];
  const changes: number[] = [];
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const name of readdirSync(directory)) if (/fresh|changed/.test(name)) rmSync(file(name));
    imports.push(await seconds(() => build('fresh', file('newer.osm.pbf'))));
    changes.push(await seconds(() => build('changed', extract, change)));
  }
  const [got, expected] = ['changed', 'fresh'].map((part) => JSON.stringify(dumpPart(directory, part, ['AA', 'DE'])));
  console.log({
    objects: lines.length,
    changed: changedObjects,
    'import, s': min(imports),
    'changes, s': min(changes),
    share: min(changes) / min(imports),
    'same as the import': got === expected,
  });
} finally {
  rmSync(directory, { recursive: true, force: true });
}
