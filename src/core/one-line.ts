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
