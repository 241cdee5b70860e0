/** Every layer of a dataset and what builds it. */
import type { LayerBuilder } from '../layer.ts';
import { ipLayer } from './ip/layer.ts';
import { world } from './world.ts';

export const layerBuilders: readonly LayerBuilder[] = [world, ipLayer];
