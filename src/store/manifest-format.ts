/** The format of a dataset's `manifest.json`. */
import type { Bounds } from './bounds.ts';

/** Every layer a dataset may have, in the order they are built. */
export const layerNames = ['world', 'zones', 'boundaries', 'postal', 'ip', 'addresses', 'streets', 'pois'] as const;

export type LayerName = (typeof layerNames)[number];

/** One publisher's data inside a dataset, as `/status`, the manifest and ATTRIBUTION.md show it. */
export type SourceInfo = {
  /** Short name, as in the `sources` of records. */
  id: string;
  title: string;
  /** Package or file it was read from, with its version. */
  version: string;
  /** The date of the data itself, ISO 8601 with the precision that is known (`2023-03`). */
  vintage: string | null;
  licence: string;
  attribution: string;
  url: string;
};

/** The oldest of several dates of data; null if one of them is unknown. */
export const oldestOf = (vintages: readonly SourceInfo['vintage'][]): SourceInfo['vintage'] =>
  vintages.includes(null) ? null : (vintages as string[]).reduce((one, other) => (one < other ? one : other));

export type LayerInfo = {
  /**
   * The inputs: default packages with their versions, and the user's sources by name with the SHA-256 of their files.
   * Missing for street-level layers, see `Part`.
   */
  inputs?: Record<string, string>;
  /** Record counts by kind, e.g. `{ places: 199568, names: 1046700 }`. */
  records: Record<string, number>;
  /** Records of the main kind by country, alpha-2; missing for layers without countries. */
  countries?: Record<string, number>;
  /** Rows of the sources that were left out, by reason. */
  dropped: Record<string, number>;
  /** Ids of the sources. */
  sources: string[];
  files: { name: string; bytes: number; sha256: string }[];
  buildSeconds: number;
};

/** Street-level layers, which come from the same sources. */
export const streetLayerNames = ['addresses', 'streets', 'pois'] as const;
export type StreetLayerName = (typeof streetLayerNames)[number];

/** Street-level data of one source, in separate files, so that adding or removing it affects no other part. */
export type Part = {
  /** Name of the source; the names of its files end with it. */
  name: string;
  /** Its number in identifiers, from 0 to 1,023; the part keeps it when it is built again. */
  number: number;
  /** As LayerInfo.inputs. */
  inputs: Record<string, string>;
  /** Bounding box of its data; missing for empty parts. */
  bounds?: Bounds;
  layers: Record<StreetLayerName, LayerInfo>;
  sources: SourceInfo[];
  /** For an OpenStreetMap extract whose changes can be applied. */
  replication?: {
    baseUrl: string;
    /** Sequence number of the last change included in the extract, and in the part. */
    extract: number;
    sequence: number;
    timestamp?: string | undefined;
  };
};

export type Manifest = {
  schemaVersion: number;
  /** Unique per build; part of every ETag. */
  version: string;
  builtAt: string;
  /** Street-level layers are the sum of their parts. */
  layers: Partial<Record<LayerName, LayerInfo>>;
  sources: SourceInfo[];
  /** Layers that are still being built; only of a first dataset that is served while it grows. */
  coming?: LayerName[];
  /** Whether a node pulled it without its street-level layers, as it serves them from a search cluster. */
  isWithoutStreets?: boolean;
  /** In the order of their numbers. */
  parts: Part[];
};

/** The files of a dataset, those of each layer in turn. */
export const filesOf = ({ layers }: Pick<Manifest, 'layers'>): LayerInfo['files'] =>
  Object.values(layers).flatMap(({ files }) => files);

const isStreetLayer = (name: string) => (streetLayerNames as readonly string[]).includes(name);

/** What of a growing dataset can be served: street-level layers only when all their parts are there; all of a whole one. */
export function servedPart(manifest: Manifest): Manifest {
  const isWhole = !manifest.coming?.some(isStreetLayer);
  return isWhole ? manifest : withoutStreets(manifest);
}

/** A manifest without the street-level layers. */
export function withoutStreets(manifest: Manifest): Manifest {
  const layers = Object.fromEntries(Object.entries(manifest.layers).filter(([name]) => !isStreetLayer(name)));
  return { ...manifest, layers, parts: [] };
}
