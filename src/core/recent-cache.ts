/**
 * A bounded cache of recently used keys: new entries go to the younger half, which replaces the older one when it is
 * full. Entries that are used meanwhile move to the younger half, so that no usage list is needed.
 */
export class RecentCache<K, V> {
  readonly #half: number;
  #younger = new Map<K, V>();
  #older = new Map<K, V>();

  /** Twice `half` is the most that is kept. */
  constructor(half: number) {
    this.#half = half;
  }

  get(key: K): V | undefined {
    const young = this.#younger.get(key);
    if (young !== undefined) return young;
    const old = this.#older.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  /** The value of a key, made where it is not known; one that is undefined is made each time. */
  getOrInsertComputed(key: K, make: () => V): V {
    const known = this.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.set(key, made);
    return made;
  }

  set(key: K, value: V): void {
    if (this.#younger.size >= this.#half) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(key, value);
  }
}
