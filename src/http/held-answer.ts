/** Large answers, which hold memory until their clients have taken them. */
import type { Account } from '../keys/meter.ts';
import { callerOf } from './access.ts';
import type { Call } from './call.ts';
import type { Service } from './service.ts';

/**
 * What books bytes of a call's answer for the callers that it is held for: a key, a network; they are released when the
 * answer is taken. It throws `rate_limited` or `unavailable` where too many bytes are held already, and books nothing for a
 * client that has gone.
 */
export function holdAnswer({ answers }: Service, call: Call, callers: readonly string[]): (bytes: number) => void {
  const { response } = call;
  let held = 0;
  call.isHeld = true;
  response.once('close', () => answers.release(callers, held));
  return (bytes) => {
    if (response.destroyed) return;
    answers.take(callers, bytes);
    held += bytes;
  };
}

/** Books an answer of so many bytes if it is large, unless it was booked while it was made. Throws as `holdAnswer` does. */
export function holdLarge(service: Service, call: Call, bytes: number): void {
  if (call.isHeld || bytes < service.limits.takenBytesPerSecond) return;
  const { network } = callerOf(service, call);
  holdAnswer(service, call, call.account ? [network, keyName(call.account)] : [network])(bytes);
  cutUnlessTaken(service, call, bytes);
}

/** What a key is booked under. */
export const keyName = ({ key }: Account): string => `key ${key.id}`;

/** Ends the connection where its client takes a large answer, which is held meanwhile, more slowly than anybody has to. */
export function cutUnlessTaken({ limits }: Service, { response }: Call, bytes: number): void {
  if (bytes < limits.takenBytesPerSecond || response.destroyed) return;
  const ms = limits.requestTimeoutMs + (bytes / limits.takenBytesPerSecond) * 1000;
  const timer = setTimeout(() => response.destroy(), ms).unref();
  response.once('close', () => clearTimeout(timer));
}
