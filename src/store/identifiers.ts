/** Identifiers of the answers: a row's number and the number of its file, in one whole number below 2^53. */

const filesPerDataset = 4;

/** Identifier of a row of a file. */
export const identifierOf = (row: number, file: number) => row * filesPerDataset + file;
