// Emits dist/ of a package that extends the product, in whose folder npm runs it before packing. In the repository such a
// package imports files of the product by their paths; published, it imports them from the installed `whereabouts`.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const folder = process.cwd();
const [emitted, dist] = [join(folder, 'emitted'), join(folder, 'dist')];
for (const each of [emitted, dist]) rmSync(each, { recursive: true, force: true });
const compiler = join(root, 'node_modules/typescript/bin/tsc');
const options = ['-p', 'tsconfig.build.json', '--outDir', emitted];
const { status } = spawnSync(process.execPath, [compiler, ...options], { cwd: folder, stdio: 'inherit' });
if (status !== 0) process.exit(1);
cpSync(join(emitted, relative(root, folder), 'src'), dist, { recursive: true });
rmSync(emitted, { recursive: true });
for (const file of globSync('**/*.js', { cwd: dist }).map((name) => join(dist, name))) {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/(from '|import\(')(?:\.\.\/)+src\//g, '$1whereabouts/internal/'));
}
