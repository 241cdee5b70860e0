/** The read contract of the street-level layers: addresses, streets, points of interest. See store.ts. */
import type { LatLng } from '../core/geo.ts';
import type { PoiCategory } from '../core/poi-category.ts';

export { type PoiCategory, poiCategories } from '../core/poi-category.ts';

export type Address = {
  id: number;
  houseNumber: string | null;
  street: string;
  city: string | null;
  admin1: string | null;
  postalCode: string | null;
  country: string;
  lat: number;
  lng: number;
  matchType: 'exact' | 'interpolated' | 'street';
  source: string;
};

export type AddressQuery = { text: string; country?: string; city?: string; postalCode?: string; limit: number };

export type Addresses = {
  /** Addresses that a text as people write it names, best first. */
  search(query: AddressQuery): Address[];
  /** Addresses nearest to a position within a distance, nearest first. */
  nearest(from: LatLng, options: { maxKm: number; limit: number }): (Address & { distanceKm: number })[];
};

export type Street = {
  id: number;
  name: string;
  /** OpenStreetMap's `highway` value; null where the source has none. */
  highwayType: string | null;
  city: string | null;
  admin1: string | null;
  country: string;
  lat: number;
  lng: number;
  distanceKm: number | null;
};

export type Streets = {
  /** Streets a text names; with `near` only those within `radiusKm`, nearest first. */
  search(query: {
    text: string;
    near?: LatLng;
    radiusKm: number;
    city?: string;
    country?: string;
    limit: number;
  }): Street[];
};

export type Poi = {
  id: number;
  /** Null for one without a name, such as most car parks and pitches. */
  name: string | null;
  category: PoiCategory;
  lat: number;
  lng: number;
  distanceKm: number;
  cuisine: string | null;
};

export type Pois = {
  /** Points of interest within a distance, nearest first, then id. */
  nearest(
    from: LatLng,
    options: { radiusKm: number; category?: PoiCategory; name?: string; cuisine?: string; limit: number },
  ): Poi[];
};
