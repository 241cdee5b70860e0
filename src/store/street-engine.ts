/** An engine of street-level data outside the dataset's directory. */
import type { LayerInfo, SourceInfo, StreetLayerName } from './manifest.ts';
import type { PoiPart, StreetPart } from './street-parts.ts';

/** Metadata of the street-level data. */
export type StreetFacts = {
  version: string;
  /** How often live data changed this version. */
  changes: number;
  /** As in the dataset's manifest, without files. */
  layers: Partial<Record<StreetLayerName, LayerInfo>>;
  sources: readonly SourceInfo[];
};

/** The engine goes away, still is when it is tried again, or is back; `endpoint` is its address without a password. */
export type StreetEngineChange =
  | { state: 'away' | 'still away'; endpoint: string; reason: string }
  | { state: 'back'; endpoint: string };

/** How a look-up ended: `refused` at once, as too many wait or the last ones had no answer. */
export type LookUpOutcome = 'answered' | 'failed' | 'refused';

export type StreetEngineOptions = {
  /** Called when the data cannot be reached, and when they can again. */
  onChange: (change: StreetEngineChange) => void;
  /** Called for each look-up, with the time that it took, ms. */
  onLookUp?: ((outcome: LookUpOutcome, ms: number) => void) | undefined;
  /** Maximum time of all look-ups of a request, ms. What it is too short for counts as unavailable. */
  deadlineMs?: number;
};

export type StreetEngine = {
  /** Undefined until known. */
  readonly facts: StreetFacts | undefined;
  /** Whether the last request failed. */
  readonly isUnavailable: boolean;
  /** Whether look-ups are refused at once, as the last ones had no answer. */
  readonly isRefusing: boolean;
  /**
   * The parts of the version that is served, always the same object for the same version. Throws `StreetsUnavailable`.
   */
  parts(): { streets: readonly StreetPart[]; pois: readonly PoiPart[] };
  /** Checks now whether another version is served. */
  refresh(): Promise<void>;
  close(): Promise<void>;
};

/** How a dataset's street-level data are published: number of shards, of copies of each, and of versions that are kept, the served one included. */
export type StreetPublishing = {
  shards: number;
  replicas: number;
  keepVersions: number;
  progress?: (step: string, done: number) => void;
};

/** A line of a file of live records, with its number in the file. */
export type Line = { text: string; number: number };

/** A place where street-level data are published. What it refuses is thrown as DatasetError. */
type StreetCluster = {
  /** Publishes the data of a dataset's directory, and has them served. Returns their number and size. */
  publish(directory: string, options: StreetPublishing): Promise<{ documents: number; bytes: number }>;
  /** The versions that are there, oldest first. */
  versions(): Promise<readonly { version: string; isServed: boolean }[]>;
  /** Has a version served that is there. Throws UsageError where it is not. */
  serve(version: string): Promise<void>;
  /** Applies live records in JSON, in order; returns their number. Throws UsageError that names the line. */
  upsertLines(lines: AsyncIterable<Line>): Promise<number>;
  close(): Promise<void>;
};

/** What the extension for street-level data on other machines exports. */
export type StreetExtension = {
  openStreetEngine(address: string, options: StreetEngineOptions): Promise<StreetEngine>;
  openCluster(address: string): Promise<StreetCluster>;
};
