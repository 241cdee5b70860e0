/** A text in one line, for messages that quote what others wrote. */
export const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ');

/** An error whose message is one line, also where it quotes what others wrote. */
export class OneLineError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(oneLine(message), options);
  }
}
