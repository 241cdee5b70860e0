/** The category of an OpenStreetMap object, by the table of poi-tags.ts. */
import type { PoiCategory } from '../../core/poi-category.ts';

// Which OpenStreetMap tags make a point of interest of which category, described in docs/poi-categories.md. Values are those of the iD editor's presets (id-tagging-schema 7.2) and of the wiki's pages
// on the keys that name a place people look for; street furniture (benches, bins, post boxes) is left out on purpose.

/** In order of precedence: the first key of an object with a category decides. `*` is every other value of a key. */
export const poiTags: readonly ({ key: string } & Partial<Record<PoiCategory, string>>)[] = [
  {
    key: 'amenity',
    restaurant: 'restaurant fast_food cafe bar pub biergarten food_court ice_cream',
    hospital: 'hospital clinic doctors dentist',
    school:
      'school kindergarten university college music_school language_school driving_school prep_school dancing_school ' +
      'driver_training childcare training',
    bank: 'bank atm bureau_de_change money_transfer',
    // Who asks for a hospital is not helped by a chemist's.
    shop: 'marketplace pharmacy',
    transport: 'bus_station ferry_terminal taxi bicycle_rental car_rental car_sharing boat_rental motorcycle_rental',
    tourism: 'theatre cinema arts_centre planetarium casino fountain',
    sport: 'dojo dive_centre',
    parking: 'parking motorcycle_parking',
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
      'bowling_alley water_park swimming_area miniature_golf disc_golf_course dance fitness_station marina ' +
      'trampoline_park',
    tourism: 'nature_reserve garden park beach_resort',
    hotel: 'resort',
  },
  { key: 'railway', transport: 'station halt tram_stop subway_entrance' },
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

/** A tag that counts only with certain values of another key: with one of `only`, or with none of `not`. */
type Condition = { tag: string; key: string } & ({ only: string } | { not: string });

export const conditions: readonly Condition[] = [
  // Guideposts, boards and maps stand along paths by the hundred thousand.
  { tag: 'tourism=information', key: 'information', only: 'office visitor_centre' },
  { tag: 'historic=memorial', key: 'memorial', not: 'stolperstein plaque blue_plaque bench ghost_bike vehicle' },
  { tag: 'amenity=parking', key: 'access', not: 'private no' },
  { tag: 'amenity=motorcycle_parking', key: 'access', not: 'private no' },
  // Those of a bus depot or a farm.
  { tag: 'amenity=fuel', key: 'access', not: 'private no' },
  { tag: 'amenity=charging_station', key: 'access', not: 'private no' },
  { tag: 'leisure=swimming_pool', key: 'access', not: 'private no' },
  { tag: 'leisure=garden', key: 'garden:type', not: 'residential private' },
  { tag: 'leisure=garden', key: 'access', not: 'private no' },
];

/**
 * Tags that count only with a name: each bus stop is mapped once more as a platform, and most gardens, pools, fountains
 * and ruins without a name are not a place that anybody looks for.
 */
export const onlyNamed: readonly string[] = [
  'public_transport=platform',
  'leisure=garden',
  'leisure=swimming_pool',
  'amenity=fountain',
  'historic=ruins',
];

/** Values that say that nothing is there (any more). */
const nothing = new Set(['', 'no', 'none', 'vacant', 'disused', 'abandoned', 'closed']);

const categories = new Map<string, PoiCategory>();
for (const { key, ...row } of poiTags) {
  for (const [category, values] of Object.entries(row)) {
    for (const value of values.split(' ')) categories.set(`${key}=${value}`, category as PoiCategory);
  }
}
const conditionsOf = Map.groupBy(conditions, ({ tag }) => tag);
const namedTags = new Set(onlyNamed);

/** The keys of the table. */
export const poiKeys: readonly string[] = poiTags.map((row) => row.key);

/** Further keys that decide whether a tag of the table counts. */
export const conditionKeys: readonly string[] = [...new Set(conditions.map(({ key }) => key))];

/** The category of an object's tags; `undefined` when it is not a point of interest. */
export const poiCategory = (tags: Record<string, string>): PoiCategory | undefined => poiKind(tags)?.category;

/** The category of an object and the tag that decides it. A list `a;b` counts as its first. */
export function poiKind(tags: Record<string, string>): { category: PoiCategory; tag: string } | undefined {
  for (const key of poiKeys) {
    const value = firstOf(tags[key]);
    if (value === undefined || nothing.has(value)) continue;
    const tag = `${key}=${value}`;
    const category = categories.get(tag) ?? categories.get(`${key}=*`);
    if (category !== undefined && counts(tag, tags)) return { category, tag };
  }
  return undefined;
}

/** Name of a point of interest, or in its place the brand. */
export const poiName = (tags: Record<string, string>): string | undefined => tags.name ?? tags.brand;

function counts(tag: string, tags: Record<string, string>): boolean {
  if (namedTags.has(tag) && poiName(tags) === undefined) return false;
  return (conditionsOf.get(tag) ?? []).every((condition) => {
    const value = firstOf(tags[condition.key]);
    const values = ('only' in condition ? condition.only : condition.not).split(' ');
    return (value !== undefined && values.includes(value)) === 'only' in condition;
  });
}

const firstOf = (value: string | undefined) => value?.split(';', 1)[0].trim();
