import { fold } from '../../text/fold.ts';

/** A settlement as records carry it, with every word it may be asked by. */
export type Area = { city: string | null; admin1: string | null; country: string; terms: readonly string[] };

/** The settlements of a file; equal ones share a number. */
export class AreaTable {
  readonly #numbers = new Map<string, number>();
  readonly areas: Area[] = [];

  /** `areas` keep their numbers. */
  constructor(areas: readonly Area[] = []) {
    for (const area of areas) this.add(area.city, area.country, area.admin1 ?? '', () => area);
  }

  /** Number of an area, made by `describe` when it is new. `key` tells areas of one city name apart. */
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
