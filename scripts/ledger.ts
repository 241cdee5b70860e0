/**
 * Prints what each room of the code holds: lines, files, exports, files that belong in another, circles of imports and
 * arrows that run upward. `node scripts/node26.js scripts/ledger.ts [--list]`; with `--list`, which ones.
 * Its output of each round stands in docs/internal/ledger.md.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The rooms from the ground up: a file imports from its own room and those before it. */
const rooms = [
  'errors',
  'extensions',
  'text',
  'core',
  'schema',
  'store',
  'tiles',
  'geocoding',
  'endpoints',
  'api',
  'keys',
  'config',
  'sources',
  'download',
  'build',
  'publish',
  'geocode',
  'server',
  'index',
  'commands',
  'main',
];
const root = join(import.meta.dirname, '..');
const files = globSync(['src/**/*.ts', 'packages/*/src/**/*.ts'], { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .sort();
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const linesOf = (text: string) => text.split('\n').length - 1;
const roomOf = (file: string) =>
  file.startsWith('packages/') ? file.split('/').slice(0, 2).join('/') : file.split('/')[1].replace(/\.ts$/, '');

type Use = { from: string; to: string; names: readonly string[] };

/** Each import of a file of ours; a whole module (`* as`, `import()`) has the name `*`. */
function usesOf(from: string): Use[] {
  const pattern =
    /(?:^|\n)(?:import|export)\s+(?:type\s+)?(\*[^;'"]*?|\{[^}]*\}|[\w$]+)\s+from\s+'(\.[^']+\.ts)'|import\('(\.[^']+\.ts)'\)/g;
  return [...(texts.get(from) ?? '').matchAll(pattern)].map(([, what = '*', path, late]) => ({
    from,
    to: join(dirname(from), path ?? late).replaceAll('\\', '/'),
    names: what.startsWith('{')
      ? [...what.slice(1, -1).matchAll(/(?:type\s+)?([\w$]+)(?:\s+as\s+[\w$]+)?\s*(?:,|$)/g)].map((match) => match[1])
      : ['*'],
  }));
}

/** The names that a file declares and exports. */
const exportsOf = (file: string) =>
  [
    ...(texts.get(file) ?? '').matchAll(
      /^export (?:declare |abstract |async )*(?:function\*?|class|const|let|type|interface) ([\w$]+)/gm,
    ),
  ].map((match) => match[1]);

const uses = files.flatMap(usesOf).filter(({ to }) => texts.has(to));
const importers = Map.groupBy(uses, ({ to }) => to);
const importersOf = (file: string) => new Set((importers.get(file) ?? []).map(({ from }) => from));
const usersOf = (file: string, name: string) =>
  new Set(
    (importers.get(file) ?? [])
      .filter(({ names }) => names.includes(name) || names.includes('*'))
      .map(({ from }) => from),
  );

/** Groups of files each of which reaches every other by its imports (Tarjan). */
function circles(): string[][] {
  const next = Map.groupBy(uses, ({ from }) => from);
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.get(file) ?? 0);
    stack.push(file);
    for (const { to } of next.get(file) ?? []) {
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) low.set(file, Math.min(low.get(file) ?? 0, low.get(to) ?? 0));
    }
    if (low.get(file) !== index.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) found.push(group);
  };
  for (const file of files) if (!index.has(file)) visit(file);
  return found;
}

const all = files.map((file) => {
  const names = exportsOf(file);
  return {
    file,
    room: roomOf(file),
    lines: linesOf(texts.get(file) ?? ''),
    exports: names.length,
    ofOneFile: names.filter((name) => usersOf(file, name).size === 1),
    ofNone: names.filter((name) => usersOf(file, name).size === 0),
    importers: importersOf(file).size,
  };
});
const script = globSync(['src/**/*.js', 'packages/*/src/**/*.js'], { cwd: root }).map((file) => ({
  room: roomOf(file.replaceAll('\\', '/')),
  lines: linesOf(readFileSync(join(root, file), 'utf8')),
}));
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
const isSmall = (one: (typeof all)[number]) => one.lines < 40 && one.importers === 1;
const floor = (file: string) => rooms.indexOf(roomOf(file));
const upward = uses.filter(({ from, to }) => floor(from) >= 0 && floor(to) > floor(from));

const row = (room: string, its: typeof all, js: number) =>
  `| ${[
    room,
    sum(its.map(({ lines }) => lines)),
    js,
    its.length,
    sum(its.map((one) => one.exports)),
    sum(its.map(({ ofOneFile }) => ofOneFile.length)),
    sum(its.map(({ ofNone }) => ofNone.length)),
    its.filter(isSmall).length,
  ].join(' | ')} |`;

console.log(
  '| room | TypeScript lines | JavaScript lines | files | exports | of one file | of none | small, one importer |',
);
console.log('|---|---|---|---|---|---|---|---|');
const byRoom = Map.groupBy(all, ({ room }) => room);
for (const room of [...new Set([...byRoom.keys(), ...script.map((one) => one.room)])].sort())
  console.log(
    row(room, byRoom.get(room) ?? [], sum(script.filter((one) => one.room === room).map(({ lines }) => lines))),
  );
console.log(row('all', all, sum(script.map(({ lines }) => lines))));
const tests = globSync('{test,acceptance}/**/*.ts', { cwd: root, exclude: ['**/node_modules/**'] });
const entered = new Set(
  tests.flatMap((test) =>
    [...readFileSync(join(root, test), 'utf8').matchAll(/'((?:\.\.\/)+src\/[^']+\.ts)'/g)].map((match) =>
      join(dirname(test), match[1]),
    ),
  ),
);
console.log(
  `\n${circles().length} circles, ${upward.length} imports that run upward, ${entered.size} of ${files.length} files imported by tests`,
);
if (process.argv.includes('--list')) {
  for (const group of circles()) console.log('circle', group.join(' '));
  for (const { from, to } of upward) console.log('up', from, to);
  for (const one of all.filter(isSmall)) console.log('small', one.lines, one.file, '→', ...importersOf(one.file));
  for (const one of all) for (const name of one.ofNone) console.log('unused outside', one.file, name);
}
