/** Readers of untrusted bytes, each with seed inputs. A target is prepared in the thread that runs it. */
import { fileTargets } from './file-targets.ts';
import { requestTargets } from './request-targets.ts';

export type Target = {
  seeds: readonly (Buffer | string)[];
  /** Texts that its format has. */
  words: readonly string[];
  /** Names of errors that say that an input is refused. */
  refusals: readonly string[];
  run(bytes: Buffer): unknown;
  close?(): Promise<void>;
};
export type MakeTarget = () => Promise<Target> | Target;

export const targets: Readonly<Record<string, MakeTarget>> = { ...requestTargets, ...fileTargets };
