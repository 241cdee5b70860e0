/** An engine of street-level data outside the dataset's directory. */
import type { LayerInfo, SourceInfo, StreetLayerName } from './manifest-format.ts';
import type { PoiPart, StreetPart } from './street-parts.ts';

/** Metadata of the street-level data. */
export type StreetFacts = {
  version: string;
  /** How often live data changed this version. */
  changes: number;
  layers: Partial<Record<StreetLayerName, LayerInfo>>;
  sources: readonly SourceInfo[];
};

/** The engine goes away, still is when it is tried again, or is back; `endpoint` is its address without a password. */
export type StreetEngineChange =
  | { state: 'away' | 'still away'; endpoint: string; reason: string }
  | { state: 'back'; endpoint: string };

export type StreetEngine = {
  /** Undefined until known. */
  readonly facts: StreetFacts | undefined;
  /** Whether the last request failed. */
  readonly isUnavailable: boolean;
  /**
   * The parts of the version that is served, always the same object for the same version. Throws `StreetsUnavailable`.
   */
  parts(): { streets: readonly StreetPart[]; pois: readonly PoiPart[] };
  /** Checks now whether another version is served. */
  refresh(): Promise<void>;
  close(): Promise<void>;
};

/** Whether an address is that of a search cluster. */
export const isSearchCluster = (address: string): boolean => /^https?:/.test(address);
