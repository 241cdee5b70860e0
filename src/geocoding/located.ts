import { areaOfCountry, areaOfRegion, type PlaceFacts } from '../store/gazetteer.ts';
import { layerOfKind } from '../store/store.ts';

/** The properties of a candidate that context is compared with, as plain numbers: hundreds are compared for some texts. */
export class Located {
  /** Areas that contain it, including itself where it is one; `areaOfRegion(-1)` for none. */
  country = areaOfRegion(-1);
  admin1 = areaOfRegion(-1);
  admin2 = areaOfRegion(-1);
  /** Millionths of a degree. */
  lat = 0;
  lng = 0;
  /** Index in the place table; larger for less prominent places, and beyond all places for areas. */
  place = 0;
  /** Layer of a place or feature; undefined for areas. */
  layer: string | undefined;

  /** Becomes a place. */
  setPlace(facts: PlaceFacts, place: number): void {
    this.country = areaOfCountry(facts.country(place));
    this.admin1 = areaOfRegion(facts.admin1(place));
    this.admin2 = areaOfRegion(facts.admin2(place));
    this.lat = facts.lat(place);
    this.lng = facts.lng(place);
    this.place = place;
    this.layer = layerOfKind(facts.type(place));
  }

  /** Becomes an area: its country, and its region of either level or -1. */
  setArea(facts: PlaceFacts, country: number, admin1: number, admin2: number): void {
    this.country = areaOfCountry(country);
    this.admin1 = areaOfRegion(admin1);
    this.admin2 = areaOfRegion(admin2);
    this.place = facts.size;
  }
}
