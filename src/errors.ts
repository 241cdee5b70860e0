import vocabulary from './errors.json' with { type: 'json' };
import { editDistance } from './text/edit-kind.ts';

type Reasons = Readonly<Record<string, string>>;
/** Faults of the system that its user can mend, and SQLite's result codes (sqlite.org/rescode.html) in an operator's terms. */
const { system: reasons, database: databaseReasons }: { system: Reasons; database: Reasons } = vocabulary;

/** Adds the path to an error of the file system that lacks it, as those of an open file do; throws it. */
export const namingPath =
  (path: string) =>
  (error: unknown): never => {
    if (error instanceof Error && 'code' in error && !('path' in error)) Object.assign(error, { path });
    throw error;
  };

type SystemError = Partial<Error> & { code?: string; errcode?: number; path?: string };

/** Why the system refused something, in words where there are some; the error's own text for anything else. */
export function systemReason(error: unknown): string {
  const { code = '', errcode = -1, message = String(error) } = error as SystemError;
  const reason = code === 'ERR_SQLITE_ERROR' ? databaseReasons[errcode & 0xff] : reasons[code];
  return reason ?? message;
}

/**
 * One line for an error of the file system or a database that the user of a command can mend, with the path where it is
 * known; undefined for every other error.
 */
export function systemFault(error: unknown): string | undefined {
  const { code = '', errcode = -1, path } = error as SystemError;
  const isKnown = code === 'ERR_SQLITE_ERROR' ? (errcode & 0xff) in databaseReasons : code in reasons;
  if (!isKnown) return undefined;
  return path === undefined ? systemReason(error) : `${path}: ${systemReason(error)}`;
}

/** A text on one line, for messages that quote foreign text. */
export const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ');

/** An error whose message is one line, even if it quotes foreign text. */
export class OneLineError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(oneLine(message), options);
  }
}

/** A package's message about a broken file; its internal errors are useless to users. */
export const reasonOf = (error: unknown): string =>
  error instanceof TypeError || !(error instanceof Error) ? 'its structure is damaged' : error.message;

/**
 * The whole error vocabulary of the service: every `code` a client can meet, with its HTTP status and title.
 * `docs/errors.md` explains each; a test compares the two.
 */
export const errorTable = vocabulary.codes;

export type ErrorCode = keyof typeof errorTable;

/** One parameter at fault: its name, and what was got, what is expected and the remedy. */
export type ParameterError = { parameter: string; detail: string };

/**
 * An error that is reported to the client. Anything else that is thrown is a bug: logged whole, answered `internal`.
 * `detail` says what was got, what was expected and the remedy; `retryAfterSeconds` becomes `Retry-After`. It has no stack, which takes
 * a sixth of a refusal's time and which nobody reads.
 */
export class WhereaboutsError extends OneLineError {
  readonly code: ErrorCode;
  readonly errors: readonly ParameterError[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    detail: string,
    more: { errors?: readonly ParameterError[]; retryAfterSeconds?: number } = {},
  ) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(detail);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'WhereaboutsError';
    this.code = code;
    this.errors = more.errors;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  get title(): string {
    return errorTable[this.code].title;
  }
}

/** An `invalid_parameter` error about exactly one parameter. */
export const invalidParameter = (parameter: string, detail: string, code: ErrorCode = 'invalid_parameter') =>
  new WhereaboutsError(code, detail, { errors: [{ parameter, detail }] });

/** A wrong use of the command line or of the build: printed as one line with its remedy, exit code 2. */
export class UsageError extends OneLineError {
  override readonly name = 'UsageError';
}

/**
 * A UsageError that no other command line mends: a publisher, a network, another process or a damaged file is at fault.
 * Exit code 1.
 */
export class Failure extends UsageError {}

/**
 * What `load` imports for a purpose, which begins the message. Throws what `refuse` makes of the message, with the
 * remedy, where an installation has left out the packages that it needs, which are optional.
 */
export async function optionalPackages<T>(
  purpose: string,
  names: readonly string[],
  load: () => Promise<T>,
  refuse: (message: string) => Error = (message) => new UsageError(message),
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const what = names.length === 1 ? 'a package that is' : 'packages that are';
    throw refuse(
      `${purpose} needs ${what} not installed: run "npm install ${names.join(' ')}"; in a clone of the repository, "npm ci"`,
    );
  }
}

/**
 * A question to put behind "there is no …": `; did you mean limit?` where one of the names is close to what was written,
 * else the list of them. Names are not empty.
 */
export function didYouMean(written: string, names: readonly string[]): string {
  const distances = names.map((name) => ({ name, edits: editDistance(written, name) }));
  const closest = distances.reduce((best, other) => (other.edits < best.edits ? other : best));
  return closest.edits <= Math.min(2, Math.max(1, written.length / 4))
    ? `; did you mean ${closest.name}?`
    : ` (expected one of ${names.join(', ')})`;
}
