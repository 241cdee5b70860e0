// Runs what it is given on Node 26, after installing what that needs: `npm start` and `npm test` are each the only command
// that a fresh clone needs. Plain JavaScript, because it starts on whatever Node (20 or newer) the machine has.
import module from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { become, environment } from '../bin/launch.js';
import { install, pinnedNode } from './install.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [script, ...rest] = process.argv.slice(2);
const isProgram = script.startsWith('bin/');
const isRightNode = Number.parseInt(process.versions.node, 10) >= 26;
await install(root, { isForDevelopment: !isProgram, needsNode: !isRightNode });

// The cache spares stripping types and compiling at every start. By a variable where processes are started from here.
const cache = join(root, 'node_modules', '.cache', 'whereabouts');
if (isRightNode && /\.[jt]s$/.test(script)) {
  module.enableCompileCache(cache);
  process.argv = [process.execPath, join(root, script), ...rest];
  await import(pathToFileURL(process.argv[1]).href);
} else {
  process.chdir(root);
  const variables = { ...environment, NODE_COMPILE_CACHE: cache };
  // Node's own number of files that are tested at once leaves a core free, and so is one where there are two.
  const flags = script === '--test' ? [`--test-concurrency=${availableParallelism()}`] : [];
  const node = isRightNode ? process.execPath : pinnedNode(root);
  become(node, [...process.execArgv, ...flags, script, ...rest], variables);
}
