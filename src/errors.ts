import { OneLineError } from './core/one-line.ts';

/**
 * The whole error vocabulary of the service: every `code` a client can meet, with its HTTP status and title.
 * `docs/errors.md` explains each; a test compares the two.
 */
export const errorTable = {
  invalid_parameter: { status: 400, title: 'A parameter is not valid' },
  missing_parameter: { status: 400, title: 'A required parameter is missing' },
  invalid_body: { status: 400, title: 'The request body is not valid' },
  malformed_request: { status: 400, title: 'The request is not valid HTTP' },
  missing_api_key: { status: 401, title: 'No API key was sent' },
  invalid_api_key: { status: 401, title: 'The API key is not valid' },
  key_not_allowed: { status: 403, title: 'The API key is not allowed here' },
  sign_up_closed: { status: 403, title: 'Sign-up is not available' },
  link_not_valid: { status: 403, title: 'The sign-up link is not valid' },
  not_found: { status: 404, title: 'No such path' },
  country_not_found: { status: 404, title: 'No such country' },
  place_not_found: { status: 404, title: 'No such place' },
  ip_not_found: { status: 404, title: 'No location for this IP address' },
  job_not_found: { status: 404, title: 'No such job' },
  method_not_allowed: { status: 405, title: 'The method is not allowed on this path' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },
  job_not_done: { status: 409, title: 'The job is not done' },
  body_too_large: { status: 413, title: 'The request body is too large' },
  uri_too_long: { status: 414, title: 'The address is too long' },
  unsupported_media_type: { status: 415, title: 'The media type of the body is not supported' },
  headers_too_large: { status: 431, title: 'The request headers are too large' },
  quota_exceeded: { status: 429, title: "The day's quota is used up" },
  rate_limited: { status: 429, title: 'Too many requests in a short time' },
  internal: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'The service is temporarily unavailable' },
  dataset_missing: { status: 503, title: 'The dataset does not have the data for this endpoint' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorTable;

/** One parameter at fault: its name, and what was got, what is expected and the remedy. */
export type ParameterError = { parameter: string; detail: string };

/**
 * An error that is reported to the client. Anything else that is thrown is a bug: logged whole, answered `internal`.
 * `detail` says what was got, what was expected and the remedy; `retryAfterSeconds` becomes `Retry-After`.
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
    super(detail);
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
export function invalidParameter(parameter: string, detail: string): WhereaboutsError {
  return new WhereaboutsError('invalid_parameter', detail, { errors: [{ parameter, detail }] });
}

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
