/** What the documentation says of files, endpoints, weights and commands, against the program. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { Command } from 'commander';
import { endpoints } from '../../src/endpoints/index.ts';
import weights from '../../src/geocoding/weights.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');
const folders = '{.,deploy/**,docs/**,packages/*}';
const pages = new Map(
  globSync(`${folders}/*.md`, { cwd: root, exclude: (name) => name.includes('node_modules') }).map((page) => [
    normalize(page),
    readFileSync(join(root, page), 'utf8'),
  ]),
);

/** The fragments of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): Set<string> {
  const text = pages.get(page)!.replace(/^```[\s\S]*?^```/gm, '');
  return new Set(
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
      heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test('links lead to files, and to headings that they have', () => {
  const broken = [...pages].flatMap(([page, text]) =>
    [...text.matchAll(/\]\((?![a-z]+:|\/)([^)\s#]*)(?:#([^)\s]*))?\)/g)].flatMap(([link, path, anchor]) => {
      const target = path === '' ? page : join(dirname(page), path);
      const isThere =
        existsSync(join(root, target)) && (!anchor || !pages.has(target) || anchorsOf(target).has(anchor));
      return isThere ? [] : [`${page}: ${link}`];
    }),
  );
  assert.deepEqual(broken, []);
});

test('files and folders that are named exist', () => {
  const named = /`((?:src|test|acceptance|bench|docs|deploy|scripts|sources|client|clients|packages)\/[\w./-]+)`/g;
  // That page is about the files of other projects.
  const ours = [...pages].filter(([page]) => !page.endsWith('drop-in-tests.md'));
  const missing = ours.flatMap(([page, text]) =>
    [...text.matchAll(named)].flatMap(([, path]) => (existsSync(join(root, path)) ? [] : [`${page}: ${path}`])),
  );
  assert.deepEqual(missing, []);
  const attacks = readFileSync(join(root, 'bench/attack.ts'), 'utf8').matchAll(
    /(?<=tests\(.*|^ *)'([\w-]+\/[\w/.-]+)'/gm,
  );
  const tests = [...attacks].map(([, path]) => `${path.startsWith('packages/') ? '' : 'test/'}${path}.test.ts`);
  assert.ok(tests.length > 40);
  assert.deepEqual(
    tests.filter((path) => !existsSync(join(root, path))),
    [],
  );
});

test("the Python package is installed and imported by its own name, not by that of PyPI's other whereabouts", () => {
  const project = readFileSync(join(root, 'packages/python/pyproject.toml'), 'utf8');
  const name = /^name = "(.*)"$/m.exec(project)![1];
  const named = [...pages].flatMap(([page, text]) =>
    [...text.matchAll(/pip install ['"]?(whereabouts[\w-]*)|(?:from|import) (whereabouts\w*)(?:\.\w+)? import/g)].map(
      ([, installed, imported]) => ({ page, name: installed ?? imported.replace('_', '-') }),
    ),
  );
  assert.ok(named.length > 5);
  assert.deepEqual(
    named.filter((one) => one.name !== name),
    [],
  );
  assert.notEqual(name, 'whereabouts');
});

test('the README lists every endpoint', () => {
  const missing = Object.values(endpoints).filter(({ path }) => !pages.get('README.md')!.includes(`\`/v1${path}\``));
  assert.deepEqual(missing, []);
});

test('docs/search.md has the weights of suggestions', () => {
  const { suggestedKnownName, suggestedKnownNamePerMissingLetter, suggestedWholeName } = weights;
  const { suggestedLarge, suggestedLargePerMissingLetter, suggestedMillion } = weights;
  const { suggestedFeature, suggestedFeaturePerMissingLetter } = weights;
  for (const line of [
    `names lose ${suggestedKnownName} points, and ${suggestedKnownNamePerMissingLetter} more for each missing`,
    `gain ${suggestedLarge} points, and ${suggestedLargePerMissingLetter} more for each missing`,
    `a city of a million gains another ${suggestedMillion}.`,
    `is the whole text gains ${suggestedWholeName} points instead of the ${suggestedLarge}.`,
    `lose ${suggestedFeature} points, and ${suggestedFeaturePerMissingLetter} more for each missing`,
  ])
    assert.ok(pages.get('docs/search.md')!.includes(line), line);
});

/** The program's commands, whose options are those of the command line. */
async function commands(): Promise<Command> {
  const program = new Command('whereabouts').option('--config <file>').option('--data-directory <directory>');
  for (const file of globSync('src/commands/*.ts', { cwd: root })) {
    const exported: Record<string, unknown> = await import(join(root, file));
    for (const [name, add] of Object.entries(exported))
      if (/^add\w+Commands?$/.test(name)) (add as (program: Command) => void)(program);
  }
  return program;
}

test('options of the command lines in the documentation exist', async () => {
  const program = await commands();
  const unknown: string[] = [];
  let checked = 0;
  for (const [page, text] of pages) {
    for (const [line, words] of text.replaceAll('\\\n', ' ').matchAll(/whereabouts ([a-z][^`|;#\n]*)/g)) {
      const known = [program];
      for (const word of words.split(' ')) {
        const command = known.at(-1)!.commands.find((one) => one.name() === word);
        if (!command) break;
        known.push(command);
      }
      const used = known.length > 1 ? (words.match(/(?<= )--[a-z-]+/g) ?? []) : [];
      const options = known.flatMap((command) => command.options.map(({ long }) => long));
      unknown.push(
        ...used.filter((option) => !options.includes(option)).map((option) => `${page}: ${line}: ${option}`),
      );
      checked += used.length;
    }
  }
  assert.deepEqual(unknown, []);
  assert.ok(checked > 50);
});
