/** Large answers, which hold memory until their clients have taken them. */
import type { Call } from './call.ts';
import type { Service } from './service.ts';

/**
 * What books bytes of a call's answer for the callers that it is held for: a key, a network; they are released when the
 * answer is taken. It throws `rate_limited` or `unavailable` where too many bytes are held already, and books nothing for a
 * client that has gone.
 */
export function holdAnswer(
  { answers }: Service,
  { response }: Call,
  callers: readonly string[],
): (bytes: number) => void {
  let held = 0;
  response.once('close', () => answers.release(callers, held));
  return (bytes) => {
    if (response.destroyed) return;
    answers.take(callers, bytes);
    held += bytes;
  };
}

/** Ends the connection where its client takes a large answer, which is held meanwhile, more slowly than anybody has to. */
export function cutUnlessTaken({ limits }: Service, { response }: Call, bytes: number): void {
  if (bytes < limits.takenBytesPerSecond || response.destroyed) return;
  const ms = limits.requestTimeoutMs + (bytes / limits.takenBytesPerSecond) * 1000;
  const timer = setTimeout(() => response.destroy(), ms).unref();
  response.once('close', () => clearTimeout(timer));
}
