/** An engine of street-level data that is not part of a dataset's directory. */
import type { LayerInfo, SourceInfo, StreetLayerName } from './manifest-format.ts';
import type { PoiPart, StreetPart } from './street-parts.ts';

/** What is known of the data beside their records. */
export type StreetFacts = {
  version: string;
  /** How often live data changed this version. */
  changes: number;
  layers: Partial<Record<StreetLayerName, LayerInfo>>;
  sources: readonly SourceInfo[];
};

export type StreetEngine = {
  /** Undefined as long as they are not known. */
  readonly facts: StreetFacts | undefined;
  /** Whether it did not answer last. */
  readonly isUnavailable: boolean;
  /** The parts of the version that is served, always the same object for the same version. Throws `StreetsAway`. */
  parts(): { streets: readonly StreetPart[]; pois: readonly PoiPart[] };
  /** Looks at once whether another version is served. */
  refresh(): Promise<void>;
  close(): Promise<void>;
};

/** Whether an address is that of a search cluster. */
export const isSearchCluster = (address: string): boolean => /^https?:/.test(address);
