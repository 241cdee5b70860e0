/** Which city the addresses of an area say they are in: the name that people there write, as a vote in grid cells. */
import type { LatLng } from '../../core/geo.ts';
import { type Cell, cellAt, cellKey, neighbourCell, tileOf } from './tiles.ts';

/** Fewer addresses than this may share a typing mistake, or a street in the place of the city. */
export const enoughAddresses = 3;

/** Majority vote of Boyer and Moore: the name that leads in a cell and by how many addresses. */
export class Vote {
  city = '';
  lead = 0;

  add(city: string): void {
    if (this.lead === 0) this.city = city;
    this.lead += this.city === city ? 1 : -1;
  }
}

/** The name that leads in a cell. */
export type Leader = Cell & { city: string; lead: number };

/** The leaders of a tile and of the cells next to it. */
export class AddressCities {
  readonly #leaders = new Map<number, Leader>();

  constructor(leaders: Iterable<Leader>) {
    for (const leader of leaders) if (leader.lead >= enoughAddresses) this.#leaders.set(cellKey(leader), leader);
  }

  /** The city of most addresses within some hundred metres; `undefined` when they are few or disagree. */
  at(position: LatLng): string | undefined {
    return this.#leaders.get(cellKey(cellAt(position)))?.city;
  }

  /** The city that leads most clearly in the cells around, within about 1 km. */
  around(position: LatLng): string | undefined {
    let best: Leader | undefined;
    for (const cell of cellsAround(cellAt(position))) {
      const leader = this.#leaders.get(cellKey(cell));
      if (leader && leader.lead > (best?.lead ?? 0)) best = leader;
    }
    return best?.city;
  }
}

/** The tiles for which the leader of a cell counts: its own, and those of the cells around it. */
export function tilesAround(cell: Cell): Set<number> {
  return new Set(Array.from(cellsAround(cell), tileOf));
}

function* cellsAround(cell: Cell): Generator<Cell> {
  for (const rows of [-1, 0, 1]) for (const columns of [-1, 0, 1]) yield neighbourCell(cell, rows, columns);
}
