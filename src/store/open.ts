/** Opens a dataset: the only file that knows which engine holds which layer. */
import { DatasetError } from './dataset-error.ts';
import { readManifest } from './manifest.ts';
import { openBoundaries } from './packed/boundaries.ts';
import { openIp } from './packed/ip.ts';
import { openPostal } from './packed/postal.ts';
import { openWorld } from './packed/world.ts';
import { openZones } from './packed/zones.ts';
import { openStreetLevel } from './sqlite/street-level.ts';
import type { LayerName, Store } from './store.ts';

/**
 * Opens the dataset in a directory for reading. A layer that its manifest does not list is `undefined`. Throws an Error
 * with the remedy when the dataset is broken, of another schema, or has no world layer.
 */
export function openDataset(directory: string): Store {
  const manifest = readManifest(directory);
  if (!manifest.layers.world) {
    throw new DatasetError(`the dataset in ${directory} has no world layer; build it with "whereabouts build"`);
  }
  const layer = <T>(name: LayerName, open: () => T): T | undefined => (manifest.layers[name] ? open() : undefined);
  const { countries, regions, places } = openWorld(directory);
  const streetLevel = layer('streets', () => openStreetLevel(directory, places));
  return {
    manifest,
    countries,
    regions,
    places,
    zones: layer('zones', () => openZones(directory)),
    boundaries: layer('boundaries', () => openBoundaries(directory, { regions, places })),
    postal: layer('postal', () => openPostal(directory, places)),
    ip: layer('ip', () => openIp(directory)),
    addresses: layer('addresses', () => streetLevel?.addresses),
    streets: streetLevel?.streets,
    pois: layer('pois', () => streetLevel?.pois),
    close: () => streetLevel?.close(),
  };
}
