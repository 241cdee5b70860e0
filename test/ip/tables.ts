import { LocationTable, NetworkTable, type Tables, Texts } from '../../src/build/layers/ip/read-sources.ts';

/** Tables of locations and networks that hold nothing yet, and take names as the files have them. */
export function emptyTables(): Tables {
  const texts = new Texts();
  return {
    locations: new LocationTable(texts),
    networks: new NetworkTable(texts),
    names: { applied: (facts) => facts },
  };
}
