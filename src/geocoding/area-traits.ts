/** Where a candidate lies, and countries and regions as a search sees them. */
import { isNear, type LatLng } from '../core/geo.ts';
import {
  areaOfCountry,
  areaOfRegion,
  type Gazetteer,
  isCountryArea,
  type KeyRange,
  type PlaceFacts,
  regionOfArea,
} from '../store/gazetteer.ts';
import { layerOfKind } from '../store/store.ts';
import { fold } from '../text/fold.ts';
import { hasAreaWord } from '../text/word-lists.ts';
import { type AreaLayer, areaProminence } from './score.ts';
import weights from './weights.json' with { type: 'json' };

/** The areas with names in a range, the most populous first: by whole names, and by shortened ones. */
export function areasCalled({ visitAreas }: Gazetteer, range: KeyRange): { whole: number[]; shortened: number[] } {
  const [whole, shortened]: [number[], number[]] = [[], []];
  visitAreas(range, (area, isShortened) => {
    (isShortened ? shortened : whole).push(area);
    return true;
  });
  return { whole, shortened };
}

/** Position of a place in degrees. */
export const positionOf = (facts: PlaceFacts, place: number) => ({
  lat: facts.lat(place) / 1e6,
  lng: facts.lng(place) / 1e6,
});

const millionthsPerKm = 1e6 / 111.195;

/** Whether a place is within a distance of a position in millionths: most are excluded by latitude, before objects are made. */
export const isPlaceNear = (facts: PlaceFacts, place: number, at: LatLng, km: number): boolean =>
  Math.abs(facts.lat(place) - at.lat) <= km * millionthsPerKm + 1 &&
  isNear(positionOf(facts, place), { lat: at.lat / 1e6, lng: at.lng / 1e6 }, km);

/** Whether a place has as many people as a large city, and as one of millions. */
export const isLarge = (facts: PlaceFacts, place: number) => facts.population(place) >= weights.peopleOfLarge;
export const isHuge = (facts: PlaceFacts, place: number) => facts.population(place) >= weights.peopleOfLargeContext;

/** The properties of a candidate that context is compared with, as plain numbers: hundreds are compared for some texts. */
export class Located {
  /** Areas that contain it, including itself where it is one; `areaOfRegion(-1)` for none. */
  country!: number;
  admin1!: number;
  admin2!: number;
  /** Index in the place table; larger for less prominent places, and beyond all places for areas. */
  place!: number;
  /** Layer of a place or feature; undefined for areas. */
  layer: string | undefined;
  #facts: PlaceFacts | undefined;
  #traits: AreaTraits | undefined;

  /** Millionths of a degree: those of an area are seldom asked for, and take thirty places to find. */
  get lat(): number {
    return this.#facts?.lat(this.place) ?? 1e6 * (this.#traits?.position?.lat ?? 0);
  }

  get lng(): number {
    return this.#facts?.lng(this.place) ?? 1e6 * (this.#traits?.position?.lng ?? 0);
  }

  /** Becomes a place. */
  setPlace(facts: PlaceFacts, place: number): void {
    this.country = areaOfCountry(facts.country(place));
    this.admin1 = areaOfRegion(facts.admin1(place));
    this.admin2 = areaOfRegion(facts.admin2(place));
    this.#facts = facts;
    this.place = place;
    this.layer = layerOfKind(facts.type(place));
  }

  /** Becomes an area: its country, and its region of either level or -1. */
  setArea({ facts, areaFacts }: Gazetteer, traits: AreaTraits): void {
    const { country, admin1, admin2 } = areaFacts(traits.area);
    this.#traits = traits;
    this.country = areaOfCountry(country);
    this.admin1 = areaOfRegion(admin1);
    this.admin2 = areaOfRegion(admin2);
    this.place = facts.size;
  }
}

const traits = new WeakMap<Gazetteer, (AreaTraits | undefined)[]>();

/**
 * The traits of an area, computed on first use and cached: a prefix of two letters has thirty areas to score, which
 * took a fifth of the time of its suggestions.
 */
export function traitsOfArea(gazetteer: Gazetteer, area: number): AreaTraits {
  let known = traits.get(gazetteer);
  if (known === undefined) traits.set(gazetteer, (known = new Array(gazetteer.areaCount)));
  return (known[area] ??= new AreaTraits(gazetteer, area));
}

/** The properties by which countries and regions are scored. */
class AreaTraits {
  readonly layer: AreaLayer;
  readonly prominence: number;
  /** The highest prominence of an area with this population, whatever its layer. */
  readonly maxProminence: number;
  /** Folded main name. */
  readonly name: string;
  /** As context sees it: it lies in itself. */
  readonly located = new Located();
  readonly area: number;
  readonly #gazetteer: Gazetteer;
  #position: LatLng | undefined | null = null;
  #ownName: string | undefined;

  /** Folded, what people there call it. */
  get ownName(): string {
    return (this.#ownName ??= fold(this.#gazetteer.ownNameOfArea(this.area)));
  }

  /** The population-weighted centre of its largest places, on the sphere; undefined for an area without places. */
  get position(): LatLng | undefined {
    if (this.#position === null) this.#position = centreOf(this.#gazetteer, this.area);
    return this.#position;
  }

  constructor(gazetteer: Gazetteer, area: number) {
    this.area = area;
    const { country, admin2, population } = gazetteer.areaFacts(area);
    this.#gazetteer = gazetteer;
    this.located.setArea(gazetteer, this);
    this.layer = isCountryArea(area) ? 'country' : admin2 < 0 ? 'region' : 'subregion';
    this.name = fold(gazetteer.nameOfArea(area));
    const isOwn = this.layer === 'subregion' && !hasTownOfName(gazetteer, area, this.name, country);
    this.prominence = areaProminence(isOwn ? 'ownSubregion' : this.layer, population);
    const [largest] = this.layer === 'region' ? gazetteer.placesOfArea(area) : [];
    if (largest !== undefined)
      this.prominence = Math.max(
        this.prominence,
        Math.min(weights.maxRegionByCity, gazetteer.facts.prominence(largest) - weights.regionBehindCity),
      );
    this.maxProminence = areaProminence('country', population);
  }
}

/**
 * Whether a town in a second-level region has its name. Most such regions are called by their seat; of others, the name means
 * the region: Cornwall, Kent, Devon.
 */
function hasTownOfName({ visitPlaces, placeNames, facts }: Gazetteer, area: number, name: string, country: number) {
  let hasTown = false;
  visitPlaces(placeNames.exact(name), country, (index) => {
    hasTown = facts.admin2(index) === regionOfArea(area);
    return !hasTown;
  });
  return hasTown;
}

function centreOf({ placesOfArea, facts }: Gazetteer, area: number): LatLng | undefined {
  const places = placesOfArea(area);
  if (places.length === 0) return undefined;
  let [x, y, z] = [0, 0, 0];
  for (const place of places) {
    const lat = (facts.lat(place) / 1e6) * (Math.PI / 180);
    const lng = (facts.lng(place) / 1e6) * (Math.PI / 180);
    const people = facts.population(place) + 1;
    x += people * Math.cos(lat) * Math.cos(lng);
    y += people * Math.cos(lat) * Math.sin(lng);
    z += people * Math.sin(lat);
  }
  return { lat: (Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI, lng: (Math.atan2(y, x) * 180) / Math.PI };
}

/** The area that a match is: one is a place by its index, or an area by its number plus the number of places. */
export const areaOfMatch = ({ size }: Gazetteer['facts'], ref: number): number | undefined =>
  ref < size ? undefined : ref - size;

/**
 * The match that a match stands for: an island that has the name of its region (Bali, Crete), or a continent that has that of its
 * country (Antarctica), is one answer with it.
 */
export function withoutIsland(gazetteer: Gazetteer, ref: number): number {
  const { facts, nameOf } = gazetteer;
  if (!isAreaToo.has(layerOfKind(facts.type(ref)))) return ref;
  const name = fold(nameOf(ref));
  const region = facts.admin1(ref) < 0 ? [] : [areaOfRegion(facts.admin1(ref))];
  const areas = [...region, areaOfCountry(facts.country(ref))];
  const same = areas.find((area) => traitsOfArea(gazetteer, area).name === name);
  return same === undefined ? ref : facts.size + same;
}

const isAreaToo: ReadonlySet<string> = new Set(['island', 'continent']);

const latinLetter = /[a-z]/;

/** Whether a name may be both: 京都府 is the prefecture, and so is `львівська область`. */
export const mayShareAlias = (name: string): boolean => !latinLetter.test(name) && !hasAreaWord(name);

/**
 * Whether a region's name that may be both is also a place's, whose main names are the same but for a word: the data often
 * have it for the region Semnan only.
 */
export function sharesAlias(gazetteer: Gazetteer, index: number, area: number): boolean {
  return (
    !isCountryArea(area) && `${traitsOfArea(gazetteer, area).name} `.startsWith(`${fold(gazetteer.nameOf(index))} `)
  );
}
