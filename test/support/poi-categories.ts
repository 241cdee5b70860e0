import type { PoiRecord } from '../../src/core/source-records.ts';
import { endpoints } from '../../src/endpoints/index.ts';

const { category } = endpoints.pois.parameters.default.properties;

/** The categories of points of interest, as their endpoint takes them. */
export const poiCategories = (category as unknown as { enum: readonly PoiRecord['category'][] }).enum;
