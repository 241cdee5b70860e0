/**
 * Which of the service's categories a category of Overture places is. Overture has some 2,000 of them, built as
 * `kind_family` (`pizza_restaurant`, `shoe_store`), so most are told by their last word.
 */
import type { PoiCategory } from '../core/poi-category.ts';

/** Whole names that the last word does not tell, or tells wrongly. */
const exact: Partial<Record<PoiCategory, string>> = {
  restaurant: 'cafe bar pub coffee_shop bakery fast_food_restaurant food_court beer_garden tea_room ice_cream_shop',
  hotel: 'hotel motel hostel inn resort bed_and_breakfast accommodation campground guest_house lodge cottage',
  hospital: 'hospital doctor dentist pharmacy medical_center emergency_room clinic health_and_medical drugstore',
  school: 'school preschool kindergarten college_university education day_care_preschool campus_building',
  bank: 'bank_credit_union banks atms credit_union currency_exchange bank',
  shop: 'shopping shopping_center supermarket retail department_store mall market farmers_market boutique',
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
};

const lastWord: Record<string, PoiCategory> = {
  restaurant: 'restaurant',
  cafe: 'restaurant',
  bar: 'restaurant',
  pub: 'restaurant',
  steakhouse: 'restaurant',
  hotel: 'hotel',
  hospital: 'hospital',
  clinic: 'hospital',
  dentist: 'hospital',
  pharmacy: 'hospital',
  school: 'school',
  university: 'school',
  college: 'school',
  bank: 'bank',
  banks: 'bank',
  store: 'shop',
  shop: 'shop',
  market: 'shop',
  supermarket: 'shop',
  station: 'transport',
  airport: 'transport',
  terminal: 'transport',
  museum: 'tourism',
  gallery: 'tourism',
  park: 'tourism',
  stadium: 'sport',
  gym: 'sport',
  club: 'sport',
  court: 'sport',
  course: 'sport',
  parking: 'parking',
};

/** Names whose last word tells something else. */
const none = new Set([
  'police_station',
  'fire_station',
  'radio_station',
  'television_station',
  'night_club',
  'dance_club',
]);

const byName = new Map(
  Object.entries(exact).flatMap(([category, names]) =>
    names.split(' ').map((name) => [name, category as PoiCategory] as const),
  ),
);

/** The category of an Overture category; `undefined` when it is none of the 11. */
export function overtureCategory(name: string): PoiCategory | undefined {
  return byName.get(name) ?? (none.has(name) ? undefined : lastWord[name.slice(name.lastIndexOf('_') + 1)]);
}

/** What a restaurant serves, from its category: `pizza` of `pizza_restaurant`. */
export function overtureCuisine(name: string): string | undefined {
  const cuisine = /^(.+)_restaurant$/.exec(name)?.[1];
  return cuisine === 'fast_food' ? undefined : cuisine;
}
