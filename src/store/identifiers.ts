/** Identifiers of the answers: a row's number and the number of its file, in one whole number below 2^53. */

/** Files that identifiers have room for. A row's number has 42 bits left: 18 for the houses of a street, 24 for streets. */
export const maxFiles = 2048;

/** Most streets of a file. */
export const maxStreets = 2 ** 24 - 1;

/** Identifier of a row of a file. */
export const identifierOf = (row: number, file: number) => row * maxFiles + file;

/** Number of the file that an identifier is of. */
export const fileOf = (identifier: number) => identifier % maxFiles;
