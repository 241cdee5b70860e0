/**
 * Names of municipalities in their country's own letters, for places that sources have in Latin letters only. They are
 * joined by sound: within one region, a place whose name is spelled as the municipality's is read.
 */
import type { GeonamesPlace } from '../../../sources/geonames-places.ts';

/** A municipality to find among places. Keys are spellings without what spellings of one name differ in. */
export type ReadMunicipality = {
  /** GeoNames' codes of the region of level 1 that it is in, and of level 2 where that is known. */
  admin1: string;
  admin2: string | undefined;
  /** Key of the name alone, and of the name with the word for its kind: shibuya, shibuyaku. */
  stemKey: string;
  fullKey: string;
  /** Its name in its own letters without the word for its kind: 渋谷. */
  stem: string;
  /** The names to add, the one to show first. */
  names: readonly string[];
  /** Municipalities of one district are in one region of level 2; undefined where that is not known. */
  district?: string;
};

/** How the municipalities of a country were joined. */
type ReadingReport = { joined: number; known: number; ambiguous: number; unmatched: number };

export type ReadCountry = {
  municipalities: readonly ReadMunicipality[];
  /** The key of a Latin name. */
  keyOf(name: string): string;
  /** Key of the name of a place's region of level 2, if that is a municipality; undefined where it is not. */
  municipalityOf(place: GeonamesPlace): string | undefined;
};

/**
 * The names to add to places of a country, by identifier. A municipality that some place of its sound is already called
 * after adds nothing, nor does one that shares its sound with another or has several places none of which is the seat.
 */
export function namesByReading(
  places: readonly GeonamesPlace[],
  { municipalities, keyOf, municipalityOf }: ReadCountry,
): { names: Map<number, readonly string[]>; report: ReadingReport } {
  const report: ReadingReport = { joined: 0, known: 0, ambiguous: 0, unmatched: 0 };
  const byKey = placesByKey(places, keyOf);
  const sharing = Map.groupBy(municipalities, soundOf);
  const districts = new Districts();
  const open: { municipality: ReadMunicipality; candidates: GeonamesPlace[] }[] = [];
  for (const municipality of municipalities) {
    const { admin1, admin2, stemKey, fullKey } = municipality;
    const found = [...new Set([stemKey, fullKey])].flatMap((key) => byKey.get(`${admin1} ${key}`) ?? []);
    const candidates = found.filter((place) => admin2 === undefined || place.admin2Code === admin2);
    const called = candidates.find((place) => isCalled(place, municipality));
    if (called) {
      report.known++;
      districts.add(municipality, called);
    } else if (candidates.length === 0) report.unmatched++;
    else open.push({ municipality, candidates });
  }
  const names = new Map<number, readonly string[]>();
  for (const { municipality, candidates } of open) {
    // Its own region of level 2 is certain; another place may be it where no other municipality sounds alike.
    const certain = candidates.filter((place) => municipalityOf(place) === municipality.fullKey);
    const isAlone = sharing.get(soundOf(municipality))!.every(({ stem }) => stem === municipality.stem);
    const possible = candidates.filter(
      (place) => municipalityOf(place) === undefined && districts.allow(municipality, place),
    );
    const place = seatOf(certain.length > 0 ? certain : isAlone ? possible : []);
    // A village with another name in these letters is another place of that sound.
    const isOther = place && place.population === 0 && namesInOwnLetters(place).length > 0;
    if (!place || isOther || names.has(place.id)) report.ambiguous++;
    else {
      report.joined++;
      names.set(place.id, municipality.names);
    }
  }
  return { names, report };
}

const soundOf = ({ admin1, admin2 = '', stemKey }: ReadMunicipality) => `${admin1} ${admin2} ${stemKey}`;

const namesInOwnLetters = ({ name, alternateNames }: GeonamesPlace) =>
  [name, ...alternateNames].filter((each) => /\p{Script=Han}/u.test(each));

/** Whether a place has a municipality's name already, with whatever word for its kind. */
const isCalled = (place: GeonamesPlace, { stem, names }: ReadMunicipality) =>
  [place.name, ...place.alternateNames].some((name) => {
    const own = name.trim();
    return names.includes(own) || (own.startsWith(stem) && own.length <= stem.length + 1);
  });

function placesByKey(places: readonly GeonamesPlace[], keyOf: (name: string) => string): Map<string, GeonamesPlace[]> {
  const byKey = new Map<string, GeonamesPlace[]>();
  for (const place of places) {
    const { name, asciiName, formerName = name, admin1Code } = place;
    for (const key of new Set([name, asciiName, formerName].map((each) => `${admin1Code} ${keyOf(each)}`))) {
      const there = byKey.get(key);
      if (there) there.push(place);
      else byKey.set(key, [place]);
    }
  }
  return byKey;
}

/** Which districts the regions of level 2 are, as far as places that have their names already tell. */
class Districts {
  readonly #ofRegion = new Map<string, Set<string>>();

  add({ admin1, district }: ReadMunicipality, { admin2Code }: GeonamesPlace): void {
    if (district === undefined || admin2Code === '') return;
    const region = `${admin1} ${admin2Code}`;
    this.#ofRegion.set(region, (this.#ofRegion.get(region) ?? new Set()).add(district));
  }

  /** Whether a place may be in a municipality's district: its region is known as that one, or as none. */
  allow({ admin1, district }: ReadMunicipality, { admin2Code }: GeonamesPlace): boolean {
    if (district === undefined || admin2Code === '') return true;
    return this.#ofRegion.get(`${admin1} ${admin2Code}`)?.has(district) ?? true;
  }
}

const seats = ['PPLC', 'PPLG', 'PPLA', 'PPLA2', 'PPLA3', 'PPLA4'];

/** The only place, or the only seat of government, or the only one whose people are counted. */
function seatOf(places: readonly GeonamesPlace[]): GeonamesPlace | undefined {
  if (places.length <= 1) return places[0];
  const seated = places.filter(({ featureCode }) => seats.includes(featureCode));
  if (seated.length > 0) return seated.length === 1 ? seated[0] : undefined;
  const counted = places.filter(({ population }) => population > 0);
  return counted.length === 1 ? counted[0] : undefined;
}
