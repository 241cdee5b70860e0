import type { Tables } from '../../src/build/layers/ip/read-sources.ts';
import { LocationTable, NetworkTable, Texts } from '../../src/build/layers/ip/record-tables.ts';

/** Tables of locations and networks that hold nothing yet. */
export function emptyTables(): Tables {
  const texts = new Texts();
  return { locations: new LocationTable(texts), networks: new NetworkTable(texts) };
}
