/** A text in one line, for messages that quote what others wrote. */
export const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ');
