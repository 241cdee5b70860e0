#!/usr/bin/env node
// The command: installed, as `npm start`, in the container and as a service of systemd. Plain JavaScript, so that an
// older Node can still say what is wrong.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { become, environment, flags } from './launch.js';

if (Number.parseInt(process.versions.node, 10) < 26) {
  console.error(`whereabouts needs Node 26 or newer; this is ${process.version}. Install it from https://nodejs.org`);
  console.error('In a clone of the repository use "npm start" or "npx whereabouts", which bring their own Node.');
  process.exit(1);
}
const root = fileURLToPath(new URL('..', import.meta.url));
const isClone = existsSync(join(root, 'src', 'main.ts'));
// By a variable, as threads have the cache only so: each part of a build is one, and took 0.5 s to compile. Beside the program,
// as Node runs what is there, whoever wrote it: in a directory for all, that may be another user.
const cache = join(root, 'node_modules', '.cache', 'whereabouts');
const variables = { ...environment, NODE_COMPILE_CACHE: cache };
const missing = flags.filter((flag) => !process.execArgv.some((given) => given.split('=')[0] === flag.split('=')[0]));

if (missing.length > 0 || Object.keys(variables).some((name) => !(name in process.env))) {
  become(process.execPath, [...process.execArgv, ...missing, ...process.argv.slice(1)], variables);
} else {
  await import(new URL(isClone ? '../src/main.ts' : '../dist/main.js', import.meta.url).href);
  // Written now and not only at the end, so that the next start is fast also after a kill.
  setTimeout(() => module.flushCompileCache(), 2000).unref();
}
