/**
 * Which of the service's categories an Overture place is of. Since December 2025 a place carries its path in Overture's
 * taxonomy (about 2,350 categories under 13 roots, docs.overturemaps.org/guides/places); the nearest entry of this
 * table above it decides. Releases before carry only a flat name (`categories.primary`, gone in September 2026).
 */
import type { PoiCategory } from '../core/poi-category.ts';

/** Entries of the taxonomy. `none` takes a branch out of the category above it. */
const branches: Record<PoiCategory | 'none', string> = {
  restaurant: 'food_and_drink',
  hotel: 'lodging',
  hospital: 'health_care hospice',
  school: 'education',
  bank: 'atm bank bank_or_credit_union bank_credit_union currency_exchange money_transfer_service',
  // Hairdressers, laundries and garages are shops, as OpenStreetMap has them.
  shop:
    'shopping bakery candy_store delicatessen popcorn_shop hair_salon barber beauty_salon nail_salon ' +
    'laundry_service automotive_repair travel_agent',
  transport:
    'airport public_transit_facility_or_service rail_facility_or_service transport_interchange bus_station ' +
    'train_station metro_station light_rail_and_subway_station ferry_service water_taxi_service taxi_service ' +
    'car_sharing bike_sharing_location bike_rental car_rental_service',
  tourism:
    'arts_and_entertainment casino historic_site architectural_landmark monument memorial_park park garden scenic_viewpoint lookout ' +
    'nature_reserve visitor_center',
  sport: 'sports_and_recreation stadium_arena water_park marina ski_resort',
  parking: 'parking',
  fuel: 'fueling_station',
  none:
    // What sells a service or administers and is not gone to as a place of its category.
    'bus_ticket_agency railway_ticket_agent education_office educational_service research_institute class_venue ' +
    'library medical_service online_shop shopping_service ' +
    // Night life, betting, clubs and venues for hire are in none of the 11; neither are they as OpenStreetMap has them.
    'nightlife_venue gaming_venue event_venue festival_venue social_club spiritual_advising ticket_office_or_booth ' +
    'artist_studio glass_blowing_venue paint_and_sip_venue paint_your_own_pottery_venue makerspace ' +
    'virtual_reality_center dog_park playground community_garden ' +
    'recreational_equipment_rental recreational_trail_or_path sport_league sport_team',
};

/** Flat names of older releases for which the last word is not enough, or misleading. */
const olderNames: Partial<Record<PoiCategory | 'none', string>> = {
  restaurant: 'cafe bar pub coffee_shop bakery fast_food_restaurant food_court beer_garden tea_room ice_cream_shop',
  hotel: 'hotel motel hostel inn resort bed_and_breakfast accommodation campground guest_house lodge cottage',
  hospital: 'hospital doctor dentist medical_center emergency_room clinic health_and_medical',
  school: 'school preschool kindergarten college_university education day_care_preschool campus_building',
  bank: 'bank_credit_union banks atms credit_union currency_exchange bank',
  shop: 'shopping shopping_center supermarket retail department_store mall market farmers_market boutique pharmacy drugstore',
  transport:
    'airport bus_station train_station metro_station transportation ferry_service taxi_service car_rental_agency ' +
    'light_rail_and_subway_stations public_transportation travel_services port',
  tourism:
    'museum art_gallery attractions_and_activities landmark_and_historical_building monument zoo aquarium theatre ' +
    'cinema park amusement_park castle botanical_garden national_park tours theater casino scenic_lookout',
  sport:
    'gym sports_and_recreation_venue stadium_arena swimming_pool golf_course active_life tennis_court ' +
    'fitness_trainer yoga_studio ice_skating_rink skate_park playground bowling_alley',
  parking: 'parking parking_lot parking_garage park_and_rides',
  fuel: 'gas_station ev_charging_station truck_gas_station',
  none: 'police_station fire_station radio_station television_station night_club dance_club',
};
/** Older names are built as `kind_family`, so that the last word decides for most. */
const lastWords: Partial<Record<PoiCategory, string>> = {
  restaurant: 'restaurant cafe bar pub steakhouse',
  hotel: 'hotel',
  hospital: 'hospital clinic dentist',
  school: 'school university college',
  bank: 'bank banks',
  shop: 'store shop market supermarket pharmacy',
  transport: 'station airport terminal',
  tourism: 'museum gallery park',
  sport: 'stadium gym club court course',
  parking: 'parking',
};

type Entry = PoiCategory | 'none';
const byBranch = entriesOf(branches);
const byOlderName = entriesOf(olderNames);
const byLastWord = entriesOf(lastWords);

function entriesOf(table: Partial<Record<Entry, string>>): Map<string, Entry> {
  const rows = Object.entries(table) as [Entry, string][];
  return new Map(rows.flatMap(([category, names]) => names.split(' ').map((name) => [name, category] as const)));
}

/**
 * The category of a path in Overture's taxonomy, from the most general entry to the most specific; `undefined` when it
 * is none of the 11.
 */
export function overtureCategory(path: readonly string[]): PoiCategory | undefined {
  for (const entry of path.toReversed()) {
    const category = byBranch.get(entry);
    if (category !== undefined) return category === 'none' ? undefined : category;
  }
  return undefined;
}

/** The category of a flat name (`categories.primary`) of a release up to August 2026. */
export function olderOvertureCategory(name: string): PoiCategory | undefined {
  const category = byOlderName.get(name) ?? byLastWord.get(name.slice(name.lastIndexOf('_') + 1));
  return category === 'none' ? undefined : category;
}

/** What a restaurant serves, from its category: `pizza` of `pizza_restaurant`. */
export function overtureCuisine(name: string): string | undefined {
  const cuisine = /^(.+)_restaurant$/.exec(name)?.[1];
  return cuisine === 'fast_food' ? undefined : cuisine;
}
