import { distanceKm } from '../../../core/geo.ts';
import type { IpFacts } from '../../../sources/mmdb/fields.ts';
import type { Place, Places, Regions } from '../../../store/store.ts';

/** A place farther than this from the database's position is another place of the same name. */
const sameCityKm = 30;

type Located = Pick<IpFacts, 'country' | 'admin1' | 'city' | 'lat' | 'lng'>;
type World = { places: Pick<Places, 'named' | 'get'>; regions: Pick<Regions, 'matching' | 'get'> };

/**
 * Cities and regions of IP databases by the names that the gazetteer has for them, so that they mean the same in every
 * endpoint: `Sao Paulo` is `São Paulo`, `Cambridge (Area 2/MIT)` is `Cambridge`.
 */
export class GazetteerNames {
  readonly #world: World;
  readonly #regions = new Map<string, number>();
  /** Positions in the place table, as there are too many names to keep the places themselves. */
  readonly #namesakes = new Map<string, readonly number[]>();

  constructor(world: World) {
    this.#world = world;
  }

  /**
   * The facts with city and region as the gazetteer names them. A city is known by its name near its position, a region
   * by its name, else by its city. Names that the gazetteer lacks are kept, without a district in brackets.
   */
  applied<Facts extends Located>(facts: Facts): Facts {
    const { country, admin1, city } = facts;
    if (country === null || (admin1 === null && city === null)) return facts;
    const region = admin1 === null ? -1 : this.#regionNamed(country, admin1);
    const place = city === null ? undefined : this.#placeNamed(country, city, region, facts);
    const known = region >= 0 ? region : (place?.admin1 ?? -1);
    return {
      ...facts,
      city: place?.name ?? (city && withoutDistrict(city)),
      admin1: known >= 0 ? this.#world.regions.get(known).name : admin1,
    };
  }

  /** Position of the one level-1 region of a name; -1 when there is none or several. */
  #regionNamed(country: string, name: string): number {
    const key = `${country}\0${name}`;
    let region = this.#regions.get(key);
    if (region === undefined) {
      const matching = this.#world.regions.matching(country, name);
      this.#regions.set(key, (region = matching.length === 1 ? matching[0] : -1));
    }
    return region;
  }

  #placeNamed(country: string, city: string, region: number, { lat, lng }: Located): Place | undefined {
    if (lat === null || lng === null) return undefined;
    const near = (name: string): Place | undefined => {
      const namesakes = this.#named(country, name).filter((place) => distanceKm(place, { lat, lng }) <= sameCityKm);
      // Of nearby namesakes, the most prominent one in the database's region.
      return namesakes.find(({ admin1 }) => admin1 === region) ?? namesakes[0];
    };
    return near(city) ?? near(withoutDistrict(city));
  }

  /** Places of a name, most prominent first. */
  #named(country: string, name: string): Place[] {
    const key = `${country}\0${name}`;
    const { places } = this.#world;
    let positions = this.#namesakes.get(key);
    if (!positions) this.#namesakes.set(key, (positions = places.named(name, country)));
    return positions.map((index) => places.get(index));
  }
}

/** `Berlin (Mitte)` is `Berlin`; a name that is nothing but brackets stays. */
const withoutDistrict = (city: string) => city.replace(/(?<=\S) *\([^()]*\)$/, '');
