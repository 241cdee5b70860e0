/** The layers of `/tiles`, by name. */
import { addresses } from './addresses.ts';
import { places } from './places.ts';
import { pois } from './pois.ts';
import { streets } from './streets.ts';
import type { TileLayer } from './tile-layer.ts';

export const tileLayers: Readonly<Record<string, TileLayer>> = { places, streets, addresses, pois };
