/** A page with a map of the results, complete in itself: their countries, the places around, and a pin for each result. */
import { readFileSync } from 'node:fs';
import { replaceDurably } from '../build/durable.ts';
import type { Cell } from '../core/csv.ts';
import type { Store } from '../store/store.ts';
import type { Outcome } from './answer-rows.ts';
import { positionReader } from './output.ts';

/** Pins of a page; of more results the first ones. A browser draws these in a tenth of a second. */
const maxPins = 20_000;
/** Places that are named, of all countries together. */
const maxPlaces = 1500;

/** Streets are drawn where the results lie within this, degrees; how many, the most prominent first. */
const maxDegreesOfStreets = 0.5;
const maxStreets = 3000;

type Pin = { at: number[]; quality: string; cells: Cell[] };

export class MapPage {
  readonly #store: Store;
  readonly #columns: readonly string[];
  readonly #positionOf: ReturnType<typeof positionReader>;
  readonly #pins: Pin[] = [];
  #results = 0;

  /** `columns` are those of the records, the first `ownColumns` of them the input's. */
  constructor(store: Store, columns: readonly string[], ownColumns: number) {
    this.#store = store;
    this.#columns = columns;
    this.#positionOf = positionReader(columns, ownColumns);
  }

  add(records: readonly Cell[][], outcome: Outcome): void {
    for (const cells of records) {
      const at = this.#positionOf(cells);
      if (at && ++this.#results <= maxPins) {
        this.#pins.push({ at, quality: outcome.kind === 'found' ? outcome.quality : 'none', cells });
      }
    }
  }

  async write(path: string, summary: object): Promise<void> {
    const { places, boundaries } = this.#store;
    const countryOf = ([lng, lat]: number[]) => boundaries?.countryAt({ lat, lng });
    const countries = [...new Set(this.#pins.flatMap(({ at }) => countryOf(at) ?? []))];
    const bounds = boundsOf(this.#pins.map(({ at }) => at));
    const degrees = Math.max(bounds.east - bounds.west, bounds.north - bounds.south);
    // About two pixels of the page as it opens; the whole world where the results are far apart.
    const toleranceM = Math.min(20_000, Math.max(100, degrees * 200));
    const shown = degrees > 60 ? this.#store.countries.assigned.map(({ iso2 }) => iso2) : countries;
    // Close by, the outlines are too coarse to lie under streets.
    const isNear = degrees < maxDegreesOfStreets;
    const shapes = (isNear ? [] : shown).flatMap(
      (country) => boundaries?.shapeOf(country, toleranceM)?.coordinates ?? [],
    );
    const streets = isNear ? [...(this.#store.map?.streets(bounds, maxStreets) ?? [])] : [];
    const limit = Math.ceil(maxPlaces / countries.length);
    const named = countries
      .flatMap((country) => places.ofCountry(country, { limit }))
      .sort((one, other) => one - other);
    const data = {
      summary,
      results: this.#results,
      columns: this.#columns,
      pins: this.#pins,
      land: shapes.flatMap((rings) => rings.map((ring) => ring.flat().map(rounded))),
      streets: streets.flatMap((street) => street.lines().map((line) => Array.from(line, rounded))),
      places: named.map((index) => {
        const { name, lng, lat } = places.get(index);
        return [name, lng, lat];
      }),
    };
    const template = readFileSync(new URL('../../src/web/results-map.html', import.meta.url), 'utf8');
    // In a script no text may close it.
    const json = JSON.stringify(data).replaceAll('<', '\\u003c');
    await replaceDurably(
      path,
      template.replace('"{{data}}"', () => json),
    );
  }
}

/** About 10 m. */
const rounded = (degrees: number) => Number(degrees.toFixed(4));

function boundsOf(positions: readonly number[][]) {
  const [lngs, lats] = [0, 1].map((axis) => positions.map((at) => at[axis]));
  const of = (pick: (one: number, other: number) => number, all: number[]) =>
    all.reduce((one, other) => pick(one, other), all[0] ?? 0);
  return { west: of(Math.min, lngs), east: of(Math.max, lngs), south: of(Math.min, lats), north: of(Math.max, lats) };
}
