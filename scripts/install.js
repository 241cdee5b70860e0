// Installs from package-lock.json what a command needs and does not have: to serve, the dependencies; for all else the
// optional ones and those of development too. Plain JavaScript for Node 20, like node26.js.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** No installation takes longer: the process that has the id of the one that began is another. */
const maxInstallMs = 1_800_000;

/** The Node that the lock file pins, for machines with an older one. */
export const pinnedNode = (root) =>
  join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Installs what is missing; ends the process with the remedy where npm cannot. */
export async function install(root, need) {
  const modules = join(root, 'node_modules');
  // A linked one belongs to another checkout, which an installation here would empty.
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink() || stateOf(root, need).isComplete) return;
  const unlock = await lock(join(root, '.installing'));
  const kinds = need.isForDevelopment ? ['--include=dev', '--include=optional'] : ['--omit=dev', '--omit=optional'];
  // No package has a script to run but `node`, which fetches its program.
  const options = [...kinds, ...(need.needsNode ? [] : ['--ignore-scripts'])];
  if (!stateOf(root, need).isSound) {
    const isAside = need.needsNode && !need.isForDevelopment;
    await npm([root, ['ci', ...options]], ...(isAside ? [[nodeAside(root), ['ci']]] : []));
    if (isAside) moveNode(root);
    rmSync(aside(root), { recursive: true, force: true });
  }
  const { isComplete, node } = stateOf(root, need);
  if (!isComplete) {
    // What is there stays, as a service may be running from it. npm takes a package that is there in part for a whole one.
    const mark = join(modules, '.adding');
    writeFileSync(mark, '');
    const more = need.isForDevelopment ? [] : ['--save-prod', `node@${node}`];
    await npm([root, ['install', '--no-save', ...options, ...more]]);
    rmSync(mark);
  }
  if (!need.isForDevelopment) removeMaps(modules);
  unlock();
}

const aside = (root) => join(root, '.installing-node');

/** A project of the pinned Node alone, which is installed at the same time as the dependencies: npm uses one core, and waits for the network. */
function nodeAside(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const names = ['node', ...Object.keys(packages['node_modules/node'].dependencies)].map(
    (name) => `node_modules/${name}`,
  );
  const project = { name: 'node-aside', dependencies: { node: packages['node_modules/node'].version } };
  const locked = names.map((name) => [name, { ...packages[name], dev: false }]);
  const lock = { lockfileVersion: 3, requires: true, packages: { '': project, ...Object.fromEntries(locked) } };
  rmSync(aside(root), { recursive: true, force: true });
  mkdirSync(aside(root));
  writeFileSync(join(aside(root), 'package.json'), JSON.stringify(project));
  writeFileSync(join(aside(root), 'package-lock.json'), JSON.stringify(lock));
  return aside(root);
}

/** Moves that Node to the dependencies, in npm's list too. */
function moveNode(root) {
  const [list, added] = [root, aside(root)].map((folder) => join(folder, 'node_modules', '.package-lock.json'));
  const installed = JSON.parse(readFileSync(list, 'utf8'));
  const { packages } = JSON.parse(readFileSync(added, 'utf8'));
  const bin = join('node_modules', '.bin');
  mkdirSync(join(root, bin), { recursive: true });
  const programs = readdirSync(join(aside(root), bin)).map((name) => join(bin, name));
  for (const path of [...Object.keys(packages), ...programs]) renameSync(join(aside(root), path), join(root, path));
  Object.assign(installed.packages, packages);
  writeFileSync(list, JSON.stringify(installed, undefined, 2));
}

/** Removes source maps, and the map library's own sources and builds for its developers: two fifths of what serving needs. */
function removeMaps(modules) {
  for (const name of readdirSync(modules, { recursive: true })) {
    if (/\.map$|^maplibre-gl[\\/](src$|dist[\\/].*-dev\.mjs$)/.test(name))
      rmSync(join(modules, name), { recursive: true, force: true });
  }
}

/** Waits until no other command installs here; returns how to let the next one. */
async function lock(path) {
  for (let waits = 0; ; waits++) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (!isHeld(path)) rmSync(path, { force: true });
    else if (waits === 0) console.error('Another command is installing dependencies; waiting for it …');
    await wait(200);
  }
  const unlock = () => rmSync(path, { force: true });
  process.once('exit', unlock);
  return () => {
    process.off('exit', unlock);
    unlock();
  };
}

function isHeld(path) {
  const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
  return Date.now() - made < maxInstallMs;
}

/**
 * Compares what npm lists as installed, which it writes last, with the lock file. It is sound if an installation can add
 * to it: no package has another version, none is there in part.
 */
function stateOf(root, { isForDevelopment, needsNode }) {
  const modules = join(root, 'node_modules');
  const packagesOf = (path) => JSON.parse(readFileSync(path, 'utf8')).packages;
  const locked = packagesOf(join(root, 'package-lock.json'));
  const list = join(modules, '.package-lock.json');
  const installed = existsSync(list) ? packagesOf(list) : {};
  const isWanted = ([name, { dev, optional, devOptional, os, cpu }]) =>
    isForDevelopment ? name !== '' && !os && !cpu : name !== '' && !dev && !optional && !devOptional;
  const wanted = Object.entries(locked).filter(isWanted);
  const isThere = ([name, { version }]) => installed[name]?.version === version;
  const hasNode = !needsNode || existsSync(pinnedNode(root));
  return {
    isComplete: wanted.every(isThere) && hasNode,
    isSound:
      existsSync(list) &&
      !existsSync(join(modules, '.adding')) &&
      Object.entries(installed).every(([name, { version }]) => locked[name]?.version === version) &&
      (hasNode || !installed['node_modules/node']),
    node: locked['node_modules/node'].version,
  };
}

/** Runs npm with words in folders, all at once; ends the process with the remedy where one fails. */
async function npm(...runs) {
  const path = process.env.npm_execpath;
  const [command, first] = path?.endsWith('.js') ? [process.execPath, [path]] : ['npm', []];
  const statuses = runs.map(async ([cwd, args]) => {
    console.error(`Installing ${cwd === runs[0][0] ? 'dependencies' : 'Node'} (npm ${args.join(' ')}) …`);
    const child = spawn(command, [...first, ...args, '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd,
      // Standard output belongs to the command, which may print JSON.
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    });
    const [status] = await once(child, 'close').catch(() => [1]);
    return status;
  });
  const failed = (await Promise.all(statuses)).findIndex((status) => status !== 0);
  if (failed < 0) return;
  console.error(
    `npm ${runs[failed][1][0]} failed. Check the network and the npm registry settings, then run the same command again.`,
  );
  process.exit(1);
}
