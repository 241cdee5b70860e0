/** Input records of `whereabouts upsert`; `id` is the source's own. */
import type { LatLng } from '../../core/geo.ts';
import type { PoiCategory } from '../../core/poi-category.ts';
import type { SourceInfo } from '../manifest-format.ts';

export type LiveAddress = LatLng & {
  id: string;
  street: string;
  houseNumber: string;
  city: string;
  country: string;
  postalCode?: string;
};
export type LivePoi = LatLng & { id: string; name: string; category: PoiCategory; cuisine?: string };
/** The source of the records after it: its name alone where it is known already. */
export type LiveSource = { source: string; facts?: Omit<SourceInfo, 'id'> };
export type LiveRecord = LiveAddress | LivePoi | LiveSource | { id: string; isDeleted: true };

/** The source of records without one. */
export const unnamedSource: SourceInfo = {
  id: 'live',
  title: 'Live data',
  version: 'live data',
  vintage: null,
  licence: 'as agreed with its publisher',
  attribution: 'Live data of the operator of this service',
  url: '',
};
