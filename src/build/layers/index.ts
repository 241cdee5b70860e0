/** Every layer of a dataset and what builds it. */
import type { LayerBuilder } from '../layer.ts';
import { boundariesLayer } from './boundaries.ts';
import { ipLayer } from './ip/layer.ts';
import { postalLayer } from './postal.ts';
import { streetsLayer } from './streets.ts';
import { world } from './world.ts';
import { zonesLayer } from './zones.ts';

export const layerBuilders: readonly LayerBuilder[] = [
  // Before the world, which reads it.
  zonesLayer,
  world,
  boundariesLayer,
  postalLayer,
  ipLayer,
  streetsLayer,
];
