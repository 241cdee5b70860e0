/**
 * Runs files of tests in this process, for test.ts. Not by `node --test`: what is forked from that is given its flags and begins as
 * such a runner too, which takes a quarter of the time of a small process.
 */
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

run({ files: process.argv.slice(2), isolation: 'none' })
  .on('test:fail', () => (process.exitCode = 1))
  .compose(spec)
  .pipe(process.stdout);
