// The settings of Node that the service runs with, however it is started. Plain JavaScript, for whatever Node is there.
import { spawn } from 'node:child_process';

/**
 * Flags of V8. A small young generation saves some 20 MB of a server whose answers are short-lived and small, a heap that
 * grows slowly some 100 MB under batches. It begins at what a start needs: else the first request waits for a collection
 * that the start began, 30 ms of processor time.
 */
export const flags = ['--max-semi-space-size=8', '--heap-growing-percent=40', '--initial-heap-size=64'];

/**
 * Variables that are read before a program begins. Where the system has glibc: large pages for the columns on request (a
 * search takes a sixth less); one arena and a mapping of its own for whatever is large, so that some 25 MB do not stay in
 * the process unused.
 */
export const environment = {
  GLIBC_TUNABLES: ['hugetlb=1', 'arena_max=1', 'mmap_threshold=131072'].map((name) => `glibc.malloc.${name}`).join(':'),
};

/** Runs a Node in place of this one; on systems and in versions of Node that cannot, as its child, which ends with it. */
export function become(node, args, variables) {
  const env = { ...variables, ...process.env };
  if (process.execve && process.platform !== 'win32') process.execve(node, [node, ...args], env);
  const child = spawn(node, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}
