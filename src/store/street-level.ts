/** Street-level search: the candidates of an engine, scored by geocoding/address. */
import { searchableAddresses } from '../geocoding/address/address-search.ts';
import { distinctAddresses, distinctPois, distinctStreets } from '../geocoding/address/distinct.ts';
import { searchablePois } from '../geocoding/address/poi-search.ts';
import { searchableStreets } from '../geocoding/address/street-search.ts';
import type { Addresses, Pois, Streets } from './address-contract.ts';
import type { MapData } from './map-contract.ts';
import { type OpenedPart, openStreetFiles } from './sqlite/street-level.ts';
import type { CityNames } from './store.ts';
import type { PoiPart, StreetPart } from './street-parts.ts';

type Searchable = { addresses: Addresses; streets: Streets; pois: Pois; map: MapData };
export type StreetLevel = Searchable & { close(): void };

/** The searchable layers over the parts of an engine. */
export function searchable(
  { streets, pois }: { streets: readonly StreetPart[]; pois: readonly PoiPart[] },
  places: CityNames,
): Searchable {
  return {
    addresses: distinctAddresses(searchableAddresses(streets, places)),
    streets: distinctStreets(searchableStreets(streets)),
    pois: distinctPois(searchablePois(pois)),
    map: {
      streets: (bounds, limit) => inTurn(streets, (part) => part.streetsIn(bounds, limit)),
      houses: (bounds) => inTurn(streets, (part) => part.housesIn(bounds)),
      pois: (bounds, limit) => inTurn(pois, (part) => part.poisIn(bounds, limit)),
    },
  };
}

/**
 * Opens the street-level files of a directory: those of the parts that a manifest lists, or of a dataset without parts.
 * Throws with the remedy when one is broken.
 */
export function openStreetLevel(directory: string, places: CityNames, parts?: readonly OpenedPart[]): StreetLevel {
  const files = openStreetFiles(directory, parts);
  return { ...searchable(files, places), close: files.close };
}

function* inTurn<P, T>(parts: readonly P[], found: (part: P) => Iterable<T>): Generator<T> {
  for (const part of parts) yield* found(part);
}
