import { endpoints } from '../../src/endpoints/index.ts';
import type { PoiRecord } from './street-batches.ts';

const { category } = endpoints.pois.parameters.default.properties;

/** The categories of points of interest, as their endpoint takes them. */
export const poiCategories = (category as unknown as { enum: readonly PoiRecord['category'][] }).enum;
