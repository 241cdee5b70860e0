/** A dataset that cannot be read, with the remedy; the command line prints it as one line. */
export class DatasetError extends Error {
  override readonly name = 'DatasetError';
}
