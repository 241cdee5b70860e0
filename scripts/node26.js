// Runs the project's own Node 26 on the given arguments, installing the dependencies first when that is needed:
// `npm start` and `npm test` are the only command a fresh clone needs. Plain JavaScript, because it starts on whatever
// Node (20 or newer) the machine has.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, statSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

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

if (Number.parseInt(process.versions.node, 10) >= wantedMajor && script.endsWith('.ts')) {
  // Already on the right Node: no second process. The cache spares stripping types and compiling at every start.
  const { directory } = module.enableCompileCache(join(root, 'node_modules', '.cache', 'whereabouts'));
  // Threads have the cache only by this.
  if (directory) process.env.NODE_COMPILE_CACHE ??= directory;
  process.argv = [process.execPath, join(root, script), ...rest];
  await import(pathToFileURL(process.argv[1]).href);
  // Written now and not only at the end, so that the next start is fast also after a kill.
  setTimeout(() => module.flushCompileCache(), 2000).unref();
} else {
  const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  // Where the system has glibc: large pages for the columns on request (a search takes a sixth less); one arena and a
  // mapping of its own for whatever is large, so that some 25 MB do not stay in the process unused.
  const settings = ['hugetlb=1', 'arena_max=1', 'mmap_threshold=131072'].map((setting) => `glibc.malloc.${setting}`);
  const env = { GLIBC_TUNABLES: settings.join(':'), ...process.env };
  const child = spawn(node, [...process.execArgv, script, ...rest], { cwd: root, stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}
