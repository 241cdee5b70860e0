/** Which city the addresses of an area say they are in: the name that people there write, as a vote in grid cells. */
import type { LatLng } from '../../core/geo.ts';

const cellsPerDegree = 100;
const columns = 360 * cellsPerDegree;
/** Fewer addresses than this may share a typing mistake, or a street in the place of the city. */
const enough = 3;

export class AddressCities {
  /** Majority vote of Boyer and Moore: the leading name of a cell and by how much it leads. */
  readonly #leaders = new Map<number, { city: string; lead: number }>();
  readonly #counts = new Map<string, number>();

  add(city: string, at: LatLng): void {
    this.#counts.set(city, (this.#counts.get(city) ?? 0) + 1);
    const cell = cellAt(at);
    const leader = this.#leaders.get(cell);
    if (!leader) this.#leaders.set(cell, { city, lead: 1 });
    else if (leader.city === city) leader.lead++;
    else if (leader.lead === 0) this.#leaders.set(cell, { city, lead: 1 });
    else leader.lead--;
  }

  /** True for a name that several addresses have. */
  isKnown(city: string): boolean {
    return (this.#counts.get(city) ?? 0) >= enough;
  }

  /** The city of most addresses within some hundred metres; `undefined` when they are few or disagree. */
  at(position: LatLng): string | undefined {
    return this.#leader(cellAt(position))?.city;
  }

  /** The city that leads most clearly in the cells around, within about 1 km. */
  around(position: LatLng): string | undefined {
    let best: { city: string; lead: number } | undefined;
    for (const dy of [-1, 0, 1]) {
      for (const dx of [-1, 0, 1]) {
        const leader = this.#leader(cellAt(position, dy, dx));
        if (leader && leader.lead > (best?.lead ?? 0)) best = leader;
      }
    }
    return best?.city;
  }

  #leader(cell: number): { city: string; lead: number } | undefined {
    const leader = this.#leaders.get(cell);
    return leader && leader.lead >= enough ? leader : undefined;
  }
}

function cellAt({ lat, lng }: LatLng, dy = 0, dx = 0): number {
  const row = Math.floor((lat + 90) * cellsPerDegree) + dy;
  const column = Math.floor((lng + 180) * cellsPerDegree) + dx;
  return row * columns + ((column + columns) % columns);
}
