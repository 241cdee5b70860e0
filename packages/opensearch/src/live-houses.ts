/** Houses of live data among those of a street's blocks. */
import { baseNumber, normaliseHouseNumber } from '../../../src/core/address/house-number.ts';
import type { House } from '../../../src/store/street-parts.ts';
import type { LiveHouse, StreetDocument } from './documents.ts';

const scale = 1e6;

/** The houses of a block without the deleted ones, and with the live ones whose numbers belong there. */
export function withLive(
  houses: readonly House[],
  { live = [], gone = [], f = [] }: StreetDocument,
  { block, sourceNumber }: { block: number; sourceNumber: (name: string) => number },
) {
  const from = block === 0 ? 0 : f[block - 1];
  const to = f[block] ?? Number.POSITIVE_INFINITY;
  const added = live
    .map((house) => houseOf(house, sourceNumber(house.src)))
    .filter(({ base }) => base >= from && base < to);
  const kept = houses.filter(({ ordinal }) => !gone.includes(ordinal));
  return [...kept, ...added].sort((one, other) => one.base - other.base);
}

function houseOf({ text, y, x, postcode, ordinal }: LiveHouse, source: number): House {
  const base = baseNumber(normaliseHouseNumber(text));
  return { ordinal, text, base, lat: y / scale, lng: x / scale, postcode, source };
}
