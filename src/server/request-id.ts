import { randomBytes } from 'node:crypto';
import { lastDigits } from '../api/base36.ts';

/**
 * Creates request ids: a random part per process and a counter. A random id per request would cost as much as reading
 * its parameters.
 */
export function createRequestIds(): () => string {
  const start = randomBytes(9).toString('base64url');
  let count = 0;
  let prefix = `${start}-`;
  return () => {
    if (++count % 36 ** 2 === 0) prefix = `${start}-${(count / 36 ** 2).toString(36)}`;
    return prefix + lastDigits(count);
  };
}
