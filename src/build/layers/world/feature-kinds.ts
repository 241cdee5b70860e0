/** Kinds of landmarks, parks and other features: sources/landmarks/kinds.json. */
import { readFileSync } from 'node:fs';
import type { FeatureLayer } from '../../../core/named-feature.ts';
import type { PoiCategory } from '../../../core/poi-category.ts';

/** The layer that features of a kind are of, and their category among points of interest; null for what is none. */
export type FeatureKind = { layer: FeatureLayer; category: PoiCategory | null };

/** All kinds by name. */
export type FeatureKinds = Readonly<Record<string, FeatureKind>>;

/** Reads the list of kinds. */
export const readKinds = (): FeatureKinds =>
  JSON.parse(readFileSync(new URL('../../../../sources/landmarks/kinds.json', import.meta.url), 'utf8'));
