/**
 * Records whose text is kept. Which places an answer lists changes from question to question, what it says of each does
 * not: a handler says which place a record is of, and the record is made only where its text is not known already.
 */
import type { Store } from '../store/store.ts';

/** Stands for a record in the results of a handler. */
export class KeptRecord {
  readonly store: Store;
  /** What it is of: equal numbers give equal records of an endpoint but for their own fields. */
  readonly ref: number;
  /** The fields that depend on the question. */
  readonly own: Readonly<Record<string, unknown>>;
  readonly #make: (store: Store, ref: number) => object;

  constructor(
    store: Store,
    ref: number,
    own: Readonly<Record<string, unknown>>,
    make: (store: Store, ref: number) => object,
  ) {
    this.store = store;
    this.ref = ref;
    this.own = own;
    this.#make = make;
  }

  /** The record itself. Lists in it are whoever's that requested it: the record may be requested again. */
  record(): Record<string, unknown> {
    const record: Record<string, unknown> = { ...this.#make(this.store, this.ref), ...this.own };
    for (const name in this.own) if (Array.isArray(record[name])) record[name] = [...record[name]];
    return record;
  }
}

/**
 * A record of `ref` with its own fields. It has the record's type, as whoever asks an endpoint gets the record; only
 * `api/` sees what stands for it.
 */
export function keptRecord<R extends object, O extends object>(
  store: Store,
  ref: number,
  own: O,
  make: (store: Store, ref: number) => R,
): R & O {
  return new KeptRecord(store, ref, own as Record<string, unknown>, make) as unknown as R & O;
}

/** The record that a result is or stands for. */
export const recordOf = (result: unknown) => (result instanceof KeptRecord ? result.record() : result);

/** An answer with its placeholders replaced by their records. */
export function withRecords<A extends { results?: unknown }>(answer: A): A {
  if (answer instanceof KeptRecord) return answer.record() as A;
  const { results } = answer;
  if (!Array.isArray(results) || !results.some((each) => each instanceof KeptRecord)) return answer;
  return { ...answer, results: results.map(recordOf) };
}
