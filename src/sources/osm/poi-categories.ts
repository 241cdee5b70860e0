/**
 * Which OpenStreetMap tags make a point of interest of which category. One row per key, in order of precedence: the
 * first key of an object that gives a category decides. `*` stands for every other value of the key.
 * The values are those of the iD editor's presets (id-tagging-schema 7.2) that name a place people look for; street
 * furniture (benches, bins, post boxes) is left out on purpose.
 */
import type { PoiCategory } from '../../core/poi-category.ts';

type Row = { key: string } & Partial<Record<PoiCategory, string>>;

const table: readonly Row[] = [
  {
    key: 'amenity',
    restaurant: 'restaurant fast_food cafe bar pub biergarten food_court ice_cream',
    hospital: 'hospital clinic doctors dentist',
    school: 'school kindergarten university college music_school language_school driving_school prep_school',
    bank: 'bank atm bureau_de_change money_transfer',
    // Who asks for a hospital is not helped by a chemist's.
    shop: 'marketplace pharmacy',
    transport: 'bus_station ferry_terminal taxi bicycle_rental car_rental car_sharing boat_rental',
    tourism: 'theatre cinema arts_centre planetarium casino fountain',
    sport: 'dojo dive_centre',
    parking: 'parking bicycle_parking motorcycle_parking',
    fuel: 'fuel charging_station',
    hotel: 'love_hotel',
  },
  {
    key: 'tourism',
    hotel: 'hotel motel hostel guest_house apartment chalet alpine_hut camp_site caravan_site wilderness_hut',
    tourism: 'attraction museum gallery viewpoint zoo aquarium theme_park artwork information picnic_site',
  },
  { key: 'shop', shop: '*' },
  { key: 'healthcare', shop: 'pharmacy optometrist audiologist', hospital: '*' },
  {
    key: 'leisure',
    sport:
      'sports_centre stadium pitch swimming_pool fitness_centre golf_course ice_rink sports_hall track horse_riding ' +
      'bowling_alley water_park swimming_area miniature_golf disc_golf_course dance fitness_station marina',
    tourism: 'nature_reserve garden park beach_resort',
    hotel: 'resort',
  },
  {
    key: 'railway',
    transport: 'station halt tram_stop subway_entrance',
  },
  { key: 'aeroway', transport: 'aerodrome terminal heliport' },
  { key: 'highway', transport: 'bus_stop' },
  { key: 'public_transport', transport: 'station platform' },
  { key: 'aerialway', transport: 'station' },
  {
    key: 'historic',
    tourism: 'castle monument memorial ruins archaeological_site fort manor city_gate tower battlefield',
  },
  { key: 'sport', sport: '*' },
];

/** Values that say that nothing is there (any more). */
const nothing = new Set(['', 'no', 'none', 'vacant', 'disused', 'abandoned', 'closed']);

const categories = new Map<string, PoiCategory>();
for (const { key, ...row } of table) {
  for (const [category, values] of Object.entries(row)) {
    for (const value of values.split(' ')) categories.set(`${key}=${value}`, category as PoiCategory);
  }
}

/** The keys of the table. */
export const poiKeys: readonly string[] = table.map((row) => row.key);

/** The category of an object's tags; `undefined` when it is no point of interest. A list `a;b` counts as its first. */
export function poiCategory(tags: Record<string, string>): PoiCategory | undefined {
  for (const key of poiKeys) {
    const value = tags[key]?.split(';', 1)[0].trim();
    if (value === undefined || nothing.has(value)) continue;
    const category = categories.get(`${key}=${value}`) ?? categories.get(`${key}=*`);
    if (category !== undefined) return category;
  }
  return undefined;
}
