/** Opens a dataset: the only file that knows which engine holds which layer. */
import { cityNames } from '../geocoding/resolve-city.ts';
import {
  checkFiles,
  DatasetError,
  isStreetLayer,
  type LayerName,
  layerNames,
  type Manifest,
  readManifest,
  servedPart,
} from '../store/manifest.ts';
import { openAreaLabels } from '../store/packed/area-shapes.ts';
import { openBoundaries } from '../store/packed/boundaries.ts';
import { openIp } from '../store/packed/ip.ts';
import { openPostal } from '../store/packed/postal.ts';
import { openWorld } from '../store/packed/world.ts';
import { openZones } from '../store/packed/zones.ts';
import { openLandTiles } from '../store/sqlite/land-tiles.ts';
import { openOtherNames } from '../store/sqlite/other-names.ts';
import type { Store } from '../store/store.ts';
import type { StreetEngine } from '../store/street-engine.ts';
import { openStreetLevel, withStreets } from './street-level.ts';

type OpenOptions = {
  /** The layers to open, all by default; others are treated as missing. */
  layers?: readonly LayerName[];
  /** Opens each layer on first use: starts fast, but notices a damaged layer late. */
  isLazy?: boolean;
  /** An earlier state of the same growing dataset: its layers are shared, and closed with this one. */
  opened?: Store | undefined;
  /** The engine that replaces the dataset's own street-level files. */
  engine?: StreetEngine | undefined;
};

/**
 * Opens the dataset in a directory for reading. A layer that its manifest does not list is `undefined`. The world layer
 * is opened when first needed where `layers` leaves it out. Throws DatasetError with the remedy when the dataset is
 * damaged, of another schema, or has no world layer.
 */
export function openDataset(directory: string, { engine, ...options }: OpenOptions = {}): Store {
  if (!engine) return openFiles(directory, options);
  const { layers = layerNames } = options;
  const own = layers.filter((name) => !isStreetLayer(name));
  return withStreets(openFiles(directory, { ...options, layers: own }), engine);
}

function openFiles(directory: string, { layers, isLazy = false, opened: before }: OpenOptions): Store {
  const whole = servedPart(readManifest(directory));
  if (!whole.layers.world) {
    throw new DatasetError(`the dataset in ${directory} has no world layer; build it with "whereabouts build"`);
  }
  const manifest = layers === undefined ? whole : withLayers(whole, layers);
  checkFiles(directory, manifest);
  const files: { close(): void }[] = before ? [before] : [];
  const closing = <T extends { close(): void }>(opened: T): T => {
    files.push(opened);
    return opened;
  };
  const opened = <T>(open: () => T): (() => T) => once(() => asDatasetError(directory, open));
  const layer = <T>(name: LayerName, open: () => T, shared?: T) => {
    if (before?.manifest.layers[name]) return () => shared;
    return manifest.layers[name] ? opened(open) : (): T | undefined => undefined;
  };
  const world = before ? () => before : opened(() => openWorld(directory));
  const cities = once(() => before?.cities ?? cityNames(world()));
  const streetLevel = once(() => closing(openStreetLevel(directory, cities(), manifest.parts)));
  const parts = {
    countries: () => world().countries,
    regions: () => world().regions,
    places: () => world().places,
    gazetteer: () => world().gazetteer,
    cities,
    zones: layer('zones', () => openZones(directory), before?.zones),
    boundaries: layer('boundaries', () => openBoundaries(directory, world()), before?.boundaries),
    postal: layer('postal', () => openPostal(directory, world().places), before?.postal),
    ip: layer('ip', () => openIp(directory), before?.ip),
    addresses: layer('addresses', () => streetLevel().addresses, before?.addresses),
    streets: layer('streets', () => streetLevel().streets, before?.streets),
    pois: layer('pois', () => streetLevel().pois, before?.pois),
    map: layer('streets', () => streetLevel().map, before?.map),
    areaLabels: layer('boundaries', () => openAreaLabels(directory, world().regions), before?.areaLabels),
    land: layer('boundaries', () => closing(openLandTiles(directory)), before?.land),
    otherNames: layer('world', () => closing(openOtherNames(directory)), before?.otherNames),
  };
  const close = () => {
    for (const file of files) file.close();
  };
  const getters = Object.entries(parts).map(([name, get]) => [name, { get, enumerable: true }]);
  const store = Object.defineProperties({ manifest, close }, Object.fromEntries(getters)) as Store;
  if (isLazy) return store;
  try {
    if (layers !== undefined && !layers.includes('world')) {
      for (const name of layers) void store[name as Exclude<LayerName, 'world'>];
      return store;
    }
    // Plain fields instead of getters, which a server would call at every request.
    return { ...store };
  } catch (error) {
    close();
    throw error;
  }
}

function withLayers(manifest: Manifest, names: readonly LayerName[]): Manifest {
  const chosen = Object.entries(manifest.layers).filter(([name]) => names.includes(name as LayerName));
  return { ...manifest, layers: Object.fromEntries(chosen) };
}

/** Opens a layer; reports any failure as damage, because a build does not write such files. */
function asDatasetError<T>(directory: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    // System errors, such as a missing permission, are not damage.
    if (error instanceof DatasetError || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    const reason = (error as Error).message;
    const remedy = 'build the dataset again, or run "whereabouts rollback"';
    throw new DatasetError(`${directory} cannot be opened (${reason}); ${remedy}`, { cause: error });
  }
}

function once<T>(compute: () => T): () => T {
  let cached: { value: T } | undefined;
  return () => (cached ??= { value: compute() }).value;
}
