/** Records of street-level data: what an address or point lies in, and the record of a point of interest. */
import { distanceKm, type LatLng, roundCoordinate } from '../core/geo.ts';
import { osmReference } from '../core/osm-object.ts';
import type { PoiCategory } from '../core/poi-category.ts';
import type { Poi } from '../store/address-contract.ts';
import type { Place, Store } from '../store/store.ts';
import { noExtent } from './extent.ts';
import type { GeocodedRecord } from './geocoded-record.ts';
import type { Within } from './hierarchy.ts';
import { countryName, regionName } from './place-fields.ts';
import { positionContext } from './position-context.ts';

/** Maximum distance between an address and its settlement. */
const maxCityKm = 40;

/**
 * The country, regions and settlement of a record at its own position: the settlement that it names, else the one that
 * contains it. The country is that of the record, where it has one; undefined if none is known.
 */
export function contextOf(store: Store, point: LatLng, { country, city: named = null }: Named = {}) {
  const { places } = store;
  const at = positionContext(store, point, 1);
  const around = at.city && places.get(at.city.index);
  const code = country ?? at.country ?? around?.country;
  if (code === undefined) return undefined;
  const namesakes = named === null ? [] : places.named(named, code).map(places.get);
  const [nearest] = namesakes
    .filter((place) => distanceKm(place, point) <= maxCityKm)
    .sort((one, other) => distanceKm(one, point) - distanceKm(other, point));
  const city = nearest ?? around;
  const settlements: Place[] = city?.country === code ? [city] : [];
  const region = at.region >= 0 ? at.region : (settlements[0]?.admin1 ?? -1);
  const own = settlements[0]?.admin1 === region ? settlements[0].admin2 : -1;
  const within: Within = { country: code, admin1: region, admin2: at.subregion >= 0 ? at.subregion : own };
  return { within, settlements };
}

type Named = { country?: string; city?: string | null };
type PoiFacts = LatLng & Pick<Poi, 'id' | 'name' | 'category' | 'object' | 'tag'>;

/** A point of interest as a record of any layer, with the context of its own position; undefined in no country. */
export function poiRecord(store: Store, { id, name, category, lat, lng, object, tag = null }: PoiFacts, lang?: string) {
  const context = contextOf(store, { lat, lng });
  if (!context) return undefined;
  const { within, settlements } = context;
  const { country, admin1, admin2 } = within;
  const record: Omit<GeocodedRecord, 'name'> & { name: string | null; category: PoiCategory } = {
    id,
    layer: 'poi',
    name,
    street: null,
    house_number: null,
    city: settlements[0]?.name ?? null,
    country,
    country_name: countryName(store, country, lang),
    admin1: regionName(store, admin1, lang),
    admin2: regionName(store, admin2, lang),
    lat: roundCoordinate(lat),
    lng: roundCoordinate(lng),
    timezone: store.zones?.at({ lat, lng }) ?? null,
    population: null,
    type: null,
    postal_code: null,
    ...noExtent,
    ...osmReference(object),
    osm_tag: tag,
    category,
  };
  return { record, within, settlements };
}
