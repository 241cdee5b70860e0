import { randomBytes } from 'node:crypto';

/**
 * Makes ids of requests: random for the process, counted within it. A random id for each request would cost as much
 * as reading its parameters.
 */
export function createRequestIds(): () => string {
  const start = randomBytes(9).toString('base64url');
  let count = 0;
  return () => `${start}-${(++count).toString(36)}`;
}
