/** Input records of `whereabouts upsert`; `id` is the source's own. */
import type { LatLng } from '../../core/geo.ts';
import type { PoiCategory } from '../../core/poi-category.ts';

export type LiveAddress = LatLng & {
  id: string;
  street: string;
  houseNumber: string;
  city: string;
  country: string;
  postalCode?: string;
};
export type LivePoi = LatLng & { id: string; name: string; category: PoiCategory; cuisine?: string };
export type LiveRecord = LiveAddress | LivePoi | { id: string; isDeleted: true };
