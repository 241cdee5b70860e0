/** The layers of `/tiles`, by name. */
import { addresses } from './addresses.ts';
import { areas } from './areas.ts';
import { boundaries } from './boundaries.ts';
import { places } from './places.ts';
import { pois } from './pois.ts';
import { streets } from './streets.ts';
import type { TileLayer } from './tile-layer.ts';

export const tileLayers: Readonly<Record<string, TileLayer>> = { boundaries, areas, places, streets, addresses, pois };
