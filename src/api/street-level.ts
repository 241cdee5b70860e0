/** A dataset with street-level data on other machines. */
import { loadExtension } from '../extensions.ts';
import { searchableAddresses } from '../geocoding/address/address-search.ts';
import { searchablePois } from '../geocoding/address/poi-search.ts';
import { searchableStreets } from '../geocoding/address/street-search.ts';
import type { Addresses, Pois, Streets } from '../store/address-contract.ts';
import { type Manifest, type StreetLayerName, withoutStreets } from '../store/manifest.ts';
import type { MapData } from '../store/map-contract.ts';
import { type OpenedPart, openStreetFiles } from '../store/sqlite/street-level.ts';
import type { CityNames, Store } from '../store/store.ts';
import type { StreetEngine, StreetEngineOptions, StreetExtension, StreetFacts } from '../store/street-engine.ts';
import { type Answering, type PoiPart, type StreetPart, settle } from '../store/street-parts.ts';

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
export function withStreets(store: Store, engine: StreetEngine): Store {
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
