// Runs the project's own Node 26 on the given arguments, installing the dependencies first when that is needed:
// `npm start` and `npm test` are the only command a fresh clone needs. Plain JavaScript, because it starts on whatever
// Node (20 or newer) the machine has.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, statSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { become, environment } from '../bin/launch.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const wantedMajor = 26;

/**
 * npm writes this file last, so a broken-off install has none, and a newer lock file makes it out of date. A linked
 * node_modules belongs to another checkout, which an install here would empty.
 */
function isInstalled() {
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) return true;
  const installed = join(root, 'node_modules', '.package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

function install() {
  console.error('Installing dependencies (npm ci) …');
  const npm = process.env.npm_execpath;
  const [command, args] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const { status } = spawnSync(command, [...args, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    // Standard output belongs to the command, which may print JSON.
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error('npm ci failed. Check the network and the npm registry settings, then run the same command again.');
    process.exit(1);
  }
}

const [script, ...rest] = process.argv.slice(2);
if (!isInstalled()) install();

if (Number.parseInt(process.versions.node, 10) >= wantedMajor && /\.[jt]s$/.test(script)) {
  // Already on the right Node: no second process. The cache spares stripping types and compiling at every start.
  module.enableCompileCache(join(root, 'node_modules', '.cache', 'whereabouts'));
  process.argv = [process.execPath, join(root, script), ...rest];
  await import(pathToFileURL(process.argv[1]).href);
} else {
  const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  process.chdir(root);
  become(node, [...process.execArgv, script, ...rest], environment);
}
