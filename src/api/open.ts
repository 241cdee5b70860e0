/** Opens a dataset: the only file that knows which engine holds which layer. */
import { loadExtension } from '../extensions.ts';
import { searchableAddresses } from '../geocoding/address/address-search.ts';
import { searchablePois } from '../geocoding/address/poi-search.ts';
import { searchableStreets } from '../geocoding/address/street-search.ts';
import { cityNames } from '../geocoding/resolve-city.ts';
import type { Addresses, Pois, Streets } from '../store/address-contract.ts';
import {
  checkFiles,
  DatasetError,
  isStreetLayer,
  type LayerName,
  layerNames,
  type Manifest,
  readManifest,
  type StreetLayerName,
  servedPart,
  withoutStreets,
} from '../store/manifest.ts';
import type { MapData } from '../store/map-contract.ts';
import { openAreaLabels } from '../store/packed/area-shapes.ts';
import { openBoundaries } from '../store/packed/boundaries.ts';
import { openIp } from '../store/packed/ip.ts';
import { openPostal } from '../store/packed/postal.ts';
import { openWorld } from '../store/packed/world.ts';
import { openZones } from '../store/packed/zones.ts';
import { openLandTiles } from '../store/sqlite/land-tiles.ts';
import { openOtherNames } from '../store/sqlite/other-names.ts';
import { type OpenedPart, openStreetFiles } from '../store/sqlite/street-level.ts';
import type { CityNames, Store } from '../store/store.ts';
import type { StreetEngine, StreetEngineOptions, StreetExtension, StreetFacts } from '../store/street-engine.ts';
import { type Answering, type PoiPart, type StreetPart, settle } from '../store/street-parts.ts';

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

// Street-level data: those of an engine on other machines, and how the candidates of any engine become searchable layers.

/** Loads the engine of street-level data on other machines. Throws UsageError where it is not installed. */
export const loadStreetExtension = (): Promise<StreetExtension> => loadExtension('opensearch', 'a search cluster');

/** Opens the street-level data at an address. */
export async function openStreetEngine(address: string, options: StreetEngineOptions): Promise<StreetEngine> {
  return (await loadStreetExtension()).openStreetEngine(address, options);
}

/**
 * The dataset with the street-level layers of an engine instead of its own: always those that the engine currently
 * serves.
 */
function withStreets(store: Store, engine: StreetEngine): Store {
  let parts: ReturnType<StreetEngine['parts']> | undefined;
  let searched: ReturnType<typeof searchable> | undefined;
  const level = () => {
    const served = engine.parts();
    if (served !== parts || !searched) {
      parts = served;
      searched = searchable(served, store.cities);
    }
    return searched;
  };
  const has = (name: StreetLayerName) => engine.facts === undefined || engine.facts.layers[name] !== undefined;

  let described: { facts: StreetFacts | undefined; manifest: Manifest } | undefined;
  const layer = <K extends StreetLayerName>(name: K) => ({ get: () => (has(name) ? level()[name] : undefined) });
  return Object.create(store, {
    manifest: {
      get() {
        if (!described || described.facts !== engine.facts)
          described = { facts: engine.facts, manifest: servedManifest(store.manifest, engine.facts) };
        return described.manifest;
      },
    },
    addresses: layer('addresses'),
    streets: layer('streets'),
    pois: layer('pois'),
    map: { get: () => (has('streets') ? level().map : undefined) },
    isPartial: { get: () => engine.isUnavailable },
  });
}

/** A layer whose facts are not known yet. */
const unknown = { records: {}, dropped: {}, sources: [], files: [], buildSeconds: 0 };

/** A dataset's manifest with the street-level layers of an engine, and their sources, instead of its own. */
export function servedManifest(own: Manifest, facts: StreetFacts | undefined): Manifest {
  const world = withoutStreets(own);
  const streets = facts?.layers ?? { addresses: unknown, streets: unknown, pois: unknown };
  const used = new Set(Object.values(world.layers).flatMap(({ sources }) => sources));
  const others = facts?.sources.filter(({ id }) => !used.has(id)) ?? [];
  return {
    ...world,
    version: versionOf(own, facts),
    layers: { ...world.layers, ...streets },
    sources: [...own.sources.filter(({ id }) => used.has(id)), ...others],
  };
}

/** Changes whenever an answer may change: it is part of every entity tag. */
function versionOf({ version }: Manifest, facts: StreetFacts | undefined): string {
  if (!facts) return version;
  return facts.version === version && facts.changes === 0 ? version : `${version}+${facts.version}.${facts.changes}`;
}

// Street-level search: the candidates of an engine, scored by geocoding/address.

export type StreetLevel = ReturnType<typeof openStreetLevel>;

/** The searchable layers over the parts of an engine. */
export function searchable(
  { streets, pois }: { streets: readonly StreetPart[]; pois: readonly PoiPart[] },
  places: CityNames,
): { addresses: Addresses; streets: Streets; pois: Pois; map: MapData } {
  return {
    addresses: settled(streets, searchableAddresses(streets, places)),
    streets: settled(streets, searchableStreets(streets)),
    pois: settled(pois, searchablePois(pois)),
    map: {
      streets: (bounds, limit) => ofAll(streets, (part) => part.streetsIn(bounds, limit)),
      houses: (bounds) => ofAll(streets, (part) => part.housesIn(bounds)),
      pois: (bounds, limit) => ofAll(pois, (part) => part.poisIn(bounds, limit)),
    },
  };
}

/** A layer none of whose answers, or faults, comes of look-ups that have no answer yet. */
function settled<T extends Record<string, (...given: never[]) => unknown>>(parts: readonly Answering[], layer: T): T {
  if (parts.every((part) => part.settle === undefined)) return layer;
  const settledOf =
    (search: T[string]) =>
    (...given: never[]) => {
      try {
        return search(...given);
      } finally {
        settle(parts);
      }
    };
  return Object.fromEntries(Object.entries(layer).map(([name, search]) => [name, settledOf(search as T[string])])) as T;
}

/**
 * Opens the street-level files of a directory: those of the parts that a manifest lists, or of a dataset without parts.
 * Throws with the remedy when one is broken.
 */
export function openStreetLevel(directory: string, places: CityNames, parts?: readonly OpenedPart[]) {
  const files = openStreetFiles(directory, parts);
  return { ...searchable(files, places), close: files.close };
}

/** Also where the caller takes no more: what it left by may be an answer that is not there yet. */
function* ofAll<P extends Answering, T>(parts: readonly P[], found: (part: P) => Iterable<T>): Generator<T> {
  try {
    for (const part of parts) yield* found(part);
  } finally {
    settle(parts);
  }
}
