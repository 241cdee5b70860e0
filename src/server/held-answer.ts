/** Large answers, which occupy memory until their clients have received them. */
import type { Account } from '../keys/meter.ts';
import { callerOf } from './access.ts';
import type { Call } from './call.ts';
import type { Service } from './service.ts';

/**
 * Creates the function that reserves bytes of a call's answer for its key and network; they are released when the
 * answer is sent. It throws `rate_limited` or `unavailable` if too many bytes are reserved, and reserves nothing for a
 * client that has disconnected.
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

/** Reserves the bytes of a large answer, unless that was done while it was made. Throws as `holdAnswer` does. */
export function holdLarge(service: Service, call: Call, bytes: number): void {
  if (call.isHeld || bytes < service.limits.takenBytesPerSecond) return;
  const { network } = callerOf(service, call);
  holdAnswer(service, call, call.account ? [network, keyName(call.account)] : [network])(bytes);
  cutUnlessTaken(service, call, bytes);
}

/** The name under which a key's bytes are reserved. */
export const keyName = ({ key }: Account): string => `key ${key.id}`;

/** Closes the connection if its client receives a large answer too slowly. */
export function cutUnlessTaken({ limits }: Service, { response }: Call, bytes: number): void {
  if (bytes < limits.takenBytesPerSecond || response.destroyed) return;
  const ms = limits.requestTimeoutMs + (bytes / limits.takenBytesPerSecond) * 1000;
  const timer = setTimeout(() => response.destroy(), ms).unref();
  response.once('close', () => clearTimeout(timer));
}
