import { WhereaboutsError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import type { Context, Endpoint } from './endpoint.ts';
import { compileParameters } from './read-parameters.ts';

/** An endpoint ready to be asked: raw parameters in, the answer's object (without `query_ms`) out. */
export type Ask = (raw: Record<string, unknown>, context: Context) => object;

/**
 * Makes an endpoint askable in one profile without HTTP. What it gives throws WhereaboutsError: bad parameters,
 * `dataset_missing` where the dataset lacks a layer, and what the endpoint itself throws.
 */
export function askable(endpoint: Endpoint, profile: Context['profile']): Ask {
  const read = compileParameters(endpoint.parameters[profile]);
  return (raw, context) => {
    requireLayers(endpoint, context.store);
    const { parameters } = read(raw, (iso2) => context.store.countries.get(iso2)?.isAssigned ?? false);
    return endpoint.handle(parameters as never, context);
  };
}

/** Throws `dataset_missing` naming the first layer that an endpoint needs and the dataset lacks. */
export function requireLayers({ path, layers }: Pick<Endpoint, 'path' | 'layers'>, { manifest }: Store): void {
  for (const layer of layers) {
    if (manifest.layers[layer]) continue;
    throw new WhereaboutsError(
      'dataset_missing',
      `${path} needs the layer "${layer}", which this dataset (${manifest.version}) lacks; /status lists the layers it has`,
    );
  }
}
