/**
 * Checks the table of landmarks (sources/landmarks) against the lists of ../shared/data/landmarks:
 * `node scripts/node26.js scripts/check-landmarks.ts [options] [file …]`, for instance `sights parks`; all files without.
 * It says what is wrong with the rows (exit code 1), how far they lie from each list, and what of the best known things
 * of each list the table lacks. Coordinates of lists are never printed: a row that differs is thought over, not copied.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type List, readLists, readOwnList } from './landmarks/lists.ts';
import { ListIndex, type Match } from './landmarks/matching.ts';
import { faults, type Landmark, readTable, tableFiles, tableText } from './landmarks/table.ts';

const usage = `options:
  --write          fills checked_against; entries map:… and document:… stay
  --unconfirmed    prints the id and name of each row that no list confirms
  --far            prints rows whose name a list has elsewhere, with the distance
  --missing <n>    how many of the missing names of each list to print (20)
  --best <n>       how many of the best known things of each list to look for (100)
  --lists <folder> the lists (../shared/data/landmarks)
  --map <name=csv[=kind+kind]>  a further list: CSV with the columns names (| between them), lat, lng, for rows of all
                   or of these kinds; written as map:name`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean' },
    unconfirmed: { type: 'boolean' },
    far: { type: 'boolean' },
    help: { type: 'boolean' },
    missing: { type: 'string', default: '20' },
    best: { type: 'string', default: '100' },
    lists: { type: 'string', default: '../shared/data/landmarks' },
    map: { type: 'string', multiple: true, default: [] },
  },
});

const folder = join(import.meta.dirname, '../sources/landmarks');
/** Farther than this, an equal name is that of another thing. */
const namesakeKm = 30;

if (values.help) console.log(usage);
else process.exitCode = await check();

async function check(): Promise<number> {
  const unknown = positionals.find((file) => !(file in tableFiles));
  if (unknown) {
    console.error(`No file ${unknown} in the table; there are ${Object.keys(tableFiles).join(', ')}.`);
    return 2;
  }
  const kinds = new Set(Object.keys(JSON.parse(readFileSync(join(folder, 'kinds.json'), 'utf8'))));
  const rows = Object.keys(tableFiles).flatMap((file) => readTable(folder, file));
  const wrong = faults(rows, kinds);
  for (const fault of wrong) console.log(fault);
  const lists = resolve(values.lists);
  if (!existsSync(lists)) {
    console.log(`${rows.length} rows, ${wrong.length} faults. No lists at ${lists}: positions are not compared.`);
    return wrong.length > 0 ? 1 : 0;
  }
  compare(rows, [...(await readLists(lists)), ...values.map.map(ownList)]);
  return wrong.length > 0 ? 1 : 0;
}

function ownList(option: string): List {
  const [name, path, kinds] = option.split('=');
  return readOwnList(`map:${name}`, path, kinds?.split('+'));
}

function compare(rows: readonly Landmark[], lists: readonly List[]): void {
  const index = new ListIndex(lists);
  const matches = new Map(rows.map((row) => [row, index.matches(row)]));
  const chosen = (row: Landmark) => positionals.length === 0 || positionals.includes(row.file);
  for (const row of rows.filter(chosen)) {
    const found = matches.get(row)!;
    if (values.write) row.cells.checked_against = confirmation(row, found, lists);
    if (values.far) for (const match of found) printFar(row, match);
    if (values.unconfirmed && confirmation(row, found, lists) === '')
      console.log(
        `unconfirmed ${row.file} ${row.cells.id} ${row.cells.name} (${row.cells.kind}, ${row.cells.country})`,
      );
  }
  for (const file of Object.keys(tableFiles)) {
    const own = rows.filter((row) => row.file === file);
    if (own.length === 0) continue;
    const confirmed = own.filter((row) => confirmation(row, matches.get(row)!, lists) !== '');
    console.log(`${file}: ${own.length} rows, ${confirmed.length} confirmed`);
    if (values.write && own.some(chosen)) writeFileSync(join(folder, `${file}.csv`), tableText(own));
  }
  const all = [...matches.values()].flat();
  for (const list of lists)
    printList(
      list,
      all.filter((match) => match.list === list && match.isConfirmed),
    );
}

/** The lists that confirm a row, and what a person wrote that no list of these replaces. */
function confirmation({ cells }: Landmark, matches: readonly Match[], lists: readonly List[]): string {
  const known = new Set(lists.map(({ name }) => name));
  const kept = cells.checked_against
    .split('|')
    .filter((entry) => /^(?:map|document):/.test(entry) && !known.has(entry));
  const confirming = matches.filter(({ isConfirmed }) => isConfirmed).map(({ list }) => list.name);
  return [...confirming.sort(), ...kept].join('|');
}

function printFar({ file, cells }: Landmark, { list, entry, km, isSameName, isConfirmed }: Match): void {
  if (isConfirmed || !isSameName || km > namesakeKm) return;
  console.log(`far ${file} ${cells.id} ${cells.name}: ${km.toFixed(1)} km from ${entry.names[0]} of ${list.name}`);
}

function printList({ name, entries }: List, confirmed: readonly Match[]): void {
  const distances = confirmed.map(({ km }) => km).sort((a, b) => a - b);
  const found = new Set(confirmed.map(({ entry }) => entry));
  const ranked = entries.filter(({ fame }) => fame !== undefined).sort((a, b) => b.fame! - a.fame!);
  const best = ranked.length > 0 ? ranked.slice(0, Number(values.best)) : entries;
  const missing = best.filter((entry) => !found.has(entry));
  const median = distances.length > 0 ? `, median ${distances[distances.length >> 1].toFixed(2)} km` : '';
  const of = ranked.length > 0 ? `${best.length} best known` : `${best.length}`;
  console.log(`${name}: ${best.length - missing.length} of ${of}; confirms ${distances.length} rows${median}`);
  const names = missing.slice(0, Number(values.missing)).map((entry) => entry.names[0]);
  if (names.length > 0) console.log(`  missing: ${names.join(' · ')}`);
}
