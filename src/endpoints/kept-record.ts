/**
 * Records with cached text. The places that an answer lists change from request to request, their records do not: a
 * handler returns references, and a record is made only if its text is not cached.
 */
import type { Store } from '../store/store.ts';

/** The reference of a record whose own text is not cached, only that of a repeated answer which lists it. */
export const noRef = -1;

type Own = Readonly<Record<string, unknown>>;

/** A placeholder for a record in the results of a handler. */
export class KeptRecord {
  readonly store: Store;
  /** The record's reference: equal numbers but `noRef` mean equal records of an endpoint, except for their own fields. */
  readonly ref: number;
  #own: Own | ((record?: object) => Own);
  readonly #make: (store: Store, ref: number) => object;

  constructor(
    store: Store,
    ref: number,
    own: Own | ((record?: object) => Own),
    make: (store: Store, ref: number) => object,
  ) {
    this.store = store;
    this.ref = ref;
    this.#own = own;
    this.#make = make;
  }

  /** The fields that depend on the question. */
  get own(): Own {
    if (typeof this.#own === 'function') this.#own = this.#own();
    return this.#own;
  }

  /** The record itself; each call returns a new one, whose lists the caller may modify. */
  record(): Record<string, unknown> {
    const made = this.#make(this.store, this.ref);
    if (typeof this.#own === 'function') this.#own = this.#own(made);
    const record: Record<string, unknown> = Object.assign(made, this.#own);
    for (const name in this.#own) if (Array.isArray(record[name])) record[name] = [...record[name]];
    return record;
  }
}

/**
 * A placeholder for the record of `ref` with its own fields, or what makes them, from the record if that is there. It has the record's type, because callers of an endpoint
 * get the record; only `api/` sees placeholders.
 */
export function keptRecord<R extends object, O extends object>(
  store: Store,
  ref: number,
  own: O | ((record?: R) => O),
  make: (store: Store, ref: number) => R,
): R & O {
  return new KeptRecord(store, ref, own as ConstructorParameters<typeof KeptRecord>[2], make) as unknown as R & O;
}

/** The record of a result, which may be a placeholder. */
export const recordOf = (result: unknown) => (result instanceof KeptRecord ? result.record() : result);

/** An answer with its placeholders replaced by their records. */
export function withRecords<A extends { results?: unknown }>(answer: A): A {
  if (answer instanceof KeptRecord) return answer.record() as A;
  const { results } = answer;
  if (!Array.isArray(results) || !results.some((each) => each instanceof KeptRecord)) return answer;
  return { ...answer, results: results.map(recordOf) };
}
