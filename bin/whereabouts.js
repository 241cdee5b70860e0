#!/usr/bin/env -S node --max-semi-space-size=8 --heap-growing-percent=40
// The installed command. Plain JavaScript, so that an older Node can still say what is wrong. A small young generation
// saves some 20 MB of a server whose answers are short-lived and small, a heap that grows slowly some 100 MB under batches.
import { existsSync } from 'node:fs';
import module from 'node:module';

if (Number.parseInt(process.versions.node, 10) < 26) {
  console.error(`whereabouts needs Node 26 or newer; this is ${process.version}. Install it from https://nodejs.org`);
  console.error('In a clone of the repository use "npm start" or "npx whereabouts", which bring their own Node.');
  process.exit(1);
}
const { directory } = module.enableCompileCache();
// Threads have the cache only by this: each part of a build is one, and took 0.5 s to compile.
if (directory) process.env.NODE_COMPILE_CACHE ??= directory;
const built = new URL('../dist/main.js', import.meta.url);
await import(existsSync(built) ? built.href : new URL('../src/main.ts', import.meta.url).href);
