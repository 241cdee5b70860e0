import type { BoundingBox } from '../core/bounding-box.ts';
import type { Address } from '../store/address-contract.ts';
import type { Store } from '../store/store.ts';
import { orWithoutStreets } from '../store/streets-away.ts';
import type { Layer } from './layers.ts';

/** A street or address that a text names, with its confidence. */
export type StreetHit = { layer: 'address' | 'street'; address: Address; confidence: number };

const maxHits = 20;
const confidences: Record<Address['matchType'], number> = { exact: 95, interpolated: 85, street: 75 };

/** Addresses and streets of the wanted layers that a text names, best first; empty where the dataset has none. */
export function streetHits(
  store: Store,
  text: string,
  layers: ReadonlySet<Layer>,
  { country, bbox }: { country?: string; bbox?: BoundingBox },
): StreetHit[] {
  if (!(layers.has('address') || layers.has('street'))) return [];
  // Nothing else was asked for: then nothing else can be answered.
  const isAlone = [...layers].every((layer) => layer === 'address' || layer === 'street');
  const search = () => store.addresses?.search({ text, country, bbox, limit: maxHits }) ?? [];
  const found = isAlone ? search() : orWithoutStreets(search, []);
  return found
    .map((address): StreetHit => {
      const layer = address.matchType === 'street' ? 'street' : 'address';
      return { layer, address, confidence: confidences[address.matchType] };
    })
    .filter(({ layer }) => layers.has(layer));
}
