/** Many hashes in four bytes each. */
export class HashList {
  #hashes = new Uint32Array(1024);
  count = 0;

  get hashes(): Uint32Array {
    return this.#hashes.subarray(0, this.count);
  }

  add(hash: number): void {
    if (this.count === this.#hashes.length) {
      const larger = new Uint32Array(2 * this.count);
      larger.set(this.#hashes);
      this.#hashes = larger;
    }
    this.#hashes[this.count++] = hash;
  }
}
