import { OneLineError, oneLine } from '../errors.ts';

/** A dataset that cannot be read or made current, with the remedy: one line, and a line for each of its `faults`. */
export class DatasetError extends OneLineError {
  override readonly name = 'DatasetError';

  constructor(message: string, { faults = [], ...options }: ErrorOptions & { faults?: readonly string[] } = {}) {
    super(message, options);
    for (const fault of faults) this.message += `\n  ${oneLine(fault)}`;
  }
}

/** A dataset that an older program wrote: it must be built again. */
export class OutdatedDataset extends DatasetError {}
