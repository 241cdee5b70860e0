import { coverageByCountry } from '../../endpoints/coverage.ts';
import type { Store } from '../../store/store.ts';

/** The answer of /status about a dataset and the process. */
export function statusOf(store: Store | undefined, version: string, isStopping: boolean) {
  return {
    status: isStopping ? 'stopping' : store ? 'ok' : 'starting',
    version,
    uptime_seconds: Math.floor(process.uptime()),
    dataset: store ? datasetOf(store) : null,
  };
}

function datasetOf(store: Store) {
  const { manifest } = store;
  const vintages = new Map(manifest.sources.map(({ id, vintage }) => [id, vintage]));
  return {
    version: manifest.version,
    built_at: manifest.builtAt,
    layers: Object.fromEntries(
      Object.entries(manifest.layers).map(([name, { records, sources }]) => [
        name,
        { records, sources: sources.map((id) => ({ id, vintage: vintages.get(id) ?? null })) },
      ]),
    ),
    coverage: coverageByCountry(store),
    sources: manifest.sources,
  };
}
