import { fold } from '../../text/fold.ts';

/** A settlement of records, with every word by which it is found. */
export type Area = { city: string | null; admin1: string | null; country: string; terms: readonly string[] };

/** The settlements of a file; equal ones share a number. */
export class AreaTable {
  readonly #numbers = new Map<string, number>();
  readonly areas: Area[] = [];

  /** Number of an area, made by `describe` when it is new. `key` distinguishes areas with the same city name. */
  add(city: string | null, country: string, key: string, describe: () => Area): number {
    const full = `${country}\t${city === null ? '' : fold(city)}\t${key}`;
    let number = this.#numbers.get(full);
    if (number === undefined) {
      number = this.areas.push(describe()) - 1;
      this.#numbers.set(full, number);
    }
    return number;
  }
}
