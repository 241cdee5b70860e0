/** A dataset with street-level data on other machines. */
import { loadExtension } from '../extensions.ts';
import type { Manifest, StreetLayerName } from './manifest-format.ts';
import { streetLayerNames } from './manifest-format.ts';
import type { Store } from './store.ts';
import type { StreetEngine, StreetEngineOptions, StreetExtension, StreetFacts } from './street-engine.ts';
import { searchable } from './street-level.ts';

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
  const world = Object.entries(own.layers).filter(([name]) => !(streetLayerNames as readonly string[]).includes(name));
  const streets = facts?.layers ?? { addresses: unknown, streets: unknown, pois: unknown };
  const layers = { ...Object.fromEntries(world), ...streets };
  const used = new Set(world.flatMap(([, { sources }]) => sources));
  const others = facts?.sources.filter(({ id }) => !used.has(id)) ?? [];
  return {
    ...own,
    version: versionOf(own, facts),
    layers,
    sources: [...own.sources.filter(({ id }) => used.has(id)), ...others],
    parts: [],
  };
}

/** Changes whenever an answer may change: it is part of every entity tag. */
function versionOf({ version }: Manifest, facts: StreetFacts | undefined): string {
  if (!facts) return version;
  return facts.version === version && facts.changes === 0 ? version : `${version}+${facts.version}.${facts.changes}`;
}
