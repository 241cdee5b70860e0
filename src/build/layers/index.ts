/** Every layer of a dataset and what builds it. Only the thread that builds a layer loads its builder. */
import type { LayerBuilder } from '../layer.ts';

export const layerBuilders: readonly LayerBuilder[] = [
  // Before the world, which reads it.
  { name: 'zones', needs: [], build: async (job) => (await import('./zones.ts')).buildZones(job) },
  {
    name: 'world',
    needs: [],
    reads: ['zones'],
    build: async (...given) => (await import('./world.ts')).buildWorld(...given),
  },
  {
    name: 'boundaries',
    needs: ['world'],
    build: async (job) => (await import('./boundaries.ts')).buildBoundaries(job),
  },
  { name: 'postal', needs: ['world'], build: async (job) => (await import('./postal.ts')).buildPostal(job) },
  { name: 'ip', needs: ['world'], build: async (job) => (await import('./ip/layer.ts')).buildIp(job) },
  {
    name: 'streets',
    needs: ['world', 'boundaries'],
    also: ['addresses', 'pois'],
    build: async (job) => (await import('./streets.ts')).buildStreets(job),
  },
];
