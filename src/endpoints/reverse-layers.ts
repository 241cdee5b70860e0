/** Answers of /reverse with `layers`: what contains the point, and what is nearest to it. */
import { distanceKm, type LatLng, roundKm } from '../core/geo.ts';
import type { PoiCategory } from '../core/poi-category.ts';
import type { Hit } from '../geocoding/geocode.ts';
import type { Layer } from '../geocoding/layers.ts';
import { placeOfCode } from '../geocoding/postal-codes.ts';
import type { Address } from '../store/address-contract.ts';
import { areaOfCountry, areaOfRegion } from '../store/gazetteer.ts';
import { type FeatureLayer, featureLayers, type Place, type Store } from '../store/store.ts';
import { featuresAt } from './features-at.ts';
import { contextOf, type GeocodedRecord, geocodedRecord, poiRecord } from './geocoded-record.ts';
import { type HierarchyEntry, hierarchyOf, type Within } from './hierarchy.ts';
import { regionName } from './place-fields.ts';
import { positionContext } from './position-context.ts';
import { codeAt } from './postal-code-at.ts';

export type ReverseRecord = Omit<GeocodedRecord, 'name'> & {
  /** Null for a point of interest without one. */
  name: string | null;
  distance_km: number;
  suburb: string | null;
  municipality: string | null;
  category: PoiCategory | null;
  hierarchy: HierarchyEntry[];
  sources: string[];
};

/** Maximum distance of streets, houses and points of interest. */
const reachKm = 0.5;

/**
 * Records of the requested layers: first the one of each layer that contains the point or is nearest to it, in the
 * order of the layers, then the second nearest of each, and so on; without a limit one of each. Areas that contain the
 * point are 0 km away.
 */
export function layersAt(
  store: Store,
  from: LatLng,
  layers: readonly Layer[],
  { limit, lang }: { limit: number | undefined; lang: string | undefined },
  placesAt: (limit: number) => ReverseRecord[],
): ReverseRecord[] {
  /** Maximum number of records per layer. */
  const perLayer = limit ?? 1;
  const { country, region: mapped, subregion: outlined, city: near, suburb } = positionContext(store, from, 1);
  const city = near && store.places.get(near.index);
  const region = mapped >= 0 ? mapped : (city?.admin1 ?? -1);
  const subregion = outlined >= 0 ? outlined : city && city.admin1 === region ? city.admin2 : -1;
  const within: Within = { country: country ?? city?.country ?? '', admin1: region, admin2: subregion };
  const certain = { confidence: 100 };

  const record = (hit: Hit, km: number, settlements: readonly Place[], sources: string[], containing = within) => ({
    ...geocodedRecord(store, hit, lang),
    distance_km: roundKm(km),
    suburb: null,
    municipality: null,
    category: null,
    hierarchy: hierarchyOf(store, containing, settlements, lang),
    sources,
  });
  const area = (layer: Layer, number: number | undefined, containing: Within): ReverseRecord[] =>
    country === undefined || number === undefined
      ? []
      : [record({ ...certain, layer, area: number }, 0, [], ['geonames-admin'], containing)];
  const regionArea = (position: number) => (position < 0 ? undefined : areaOfRegion(position));
  const ofCity = city ? [city] : [];
  const addresses = (layer: 'address' | 'street', found: readonly (Address & { distanceKm: number })[]) =>
    found.map((address) => {
      const hit: Hit = { ...certain, layer, address };
      // Near a border, the address is not always on the side of the point.
      const { within: own, settlements } = contextOf(store, address, address)!;
      const admin2 = regionName(store, own.admin2, lang);
      return { ...record(hit, address.distanceKm, settlements, [address.source], own), admin2 };
    });

  const features = (layer: FeatureLayer) =>
    featuresAt(store, from, layer, { limit: perLayer, country }).map(({ index, distanceKm }) => {
      const feature = store.places.get(index);
      const hit: Hit = { ...certain, layer, place: index };
      return record(hit, distanceKm, [], [feature.source], feature);
    });
  const featureAnswers = Object.fromEntries(featureLayers.map((layer) => [layer, () => features(layer)])) as Record<
    FeatureLayer,
    () => ReverseRecord[]
  >;

  const answers: Record<Layer, () => ReverseRecord[]> = {
    country() {
      const number = store.gazetteer.countryNumber(within.country);
      const containing = { ...within, admin1: -1, admin2: -1 };
      return area('country', number === undefined ? undefined : areaOfCountry(number), containing);
    },
    region: () => area('region', regionArea(region), { ...within, admin2: -1 }),
    subregion: () => area('subregion', regionArea(subregion), within),
    place: () => placesAt(perLayer),
    postal() {
      const code = city && codeAt(store, from, city, suburb && store.places.get(suburb.index));
      const place = code && placeOfCode(store, code);
      if (!code || place === undefined) return [];
      const km = code.lat === null || code.lng === null ? 0 : distanceKm(from, { lat: code.lat, lng: code.lng });
      const hit: Hit = { ...certain, layer: 'postal', place, postal: code };
      return [record(hit, code.accuracy === 'point' ? km : 0, ofCity, [code.source])];
    },
    street: () =>
      addresses(
        'street',
        (store.streets?.nearest(from, { maxKm: reachKm, limit: perLayer }) ?? []).map((street) => ({
          ...street,
          street: street.name,
          houseNumber: null,
          postalCode: null,
          matchType: 'street' as const,
          distanceKm: street.distanceKm ?? 0,
          source: store.streets?.byId(street.id)?.source ?? '',
        })),
      ),
    address: () => addresses('address', store.addresses?.nearest(from, { maxKm: reachKm, limit: perLayer }) ?? []),
    poi: () =>
      (store.pois?.nearest(from, { radiusKm: reachKm, limit: perLayer }) ?? []).flatMap((poi) => {
        const found = poiRecord(store, poi, lang);
        if (!found) return [];
        const { record, within: own, settlements } = found;
        return {
          ...record,
          distance_km: roundKm(poi.distanceKm),
          suburb: null,
          municipality: null,
          hierarchy: hierarchyOf(store, own, settlements, lang),
          sources: [store.pois?.byId(poi.id)?.source ?? ''],
        };
      }),
    ...featureAnswers,
  };
  const found = layers.map((layer) => answers[layer]());
  const longest = Math.max(0, ...found.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, rank) =>
    found.flatMap((records) => records.slice(rank, rank + 1)),
  );
  return inTurn.flat().slice(0, limit ?? layers.length);
}
