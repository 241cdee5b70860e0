/** Lists of hits as numbers: hundreds of objects that live a few seconds each cost more to collect than to make again. */
import type { Hit } from './geocode.ts';
import { layers } from './layers.ts';

/** With these, hits of half a million places are small integers. */
const layerNumbers = 16;
const confidences = 128;
const areaLayers: ReadonlySet<string> = new Set(['country', 'region', 'subregion']);

/** A number for each place or area; undefined for a list with other hits, or with a place of a postal code. */
export function packedHits(hits: readonly Hit[]): readonly number[] | undefined {
  const packed: number[] = [];
  for (const { layer, place, area, confidence, postal, address, poi, isOnlyTown } of hits) {
    const number = areaLayers.has(layer) ? area : place;
    if (number === undefined || postal || address || poi || isOnlyTown) return undefined;
    packed.push((number * layerNumbers + layers.indexOf(layer)) * confidences + confidence);
  }
  return packed;
}

/** The hits of `packedHits`. */
export const unpackedHits = (packed: readonly number[]): Hit[] =>
  packed.map((each) => {
    const rest = Math.floor(each / confidences);
    const number = Math.floor(rest / layerNumbers);
    const layer = layers[rest % layerNumbers];
    const [place, area] = areaLayers.has(layer) ? [undefined, number] : [number, undefined];
    return { layer, place, area, confidence: each % confidences, postal: undefined };
  });
