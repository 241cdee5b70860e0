/** Names in Chinese characters for the default places of Japan and China that have them in Latin letters only. */
import type { GeonamesPlace } from '../../../sources/geonames-places.ts';
import type { Regions } from '../../../store/store.ts';
import {
  type Admin1ByName,
  chineseKey,
  chineseMunicipalities,
  japaneseKey,
  japaneseMunicipalities,
} from './municipalities.ts';
import { namesByReading, type ReadCountry } from './names-by-reading.ts';

/** Regions of level 2 that are no municipality: Japan's districts and the offices of its islands. */
const districts = /(?:gun|shicho)$/;

/** The places, those that were joined with the names of their municipality as names in use. */
export function withLocalNames(
  places: readonly GeonamesPlace[],
  regions: Pick<Regions, 'find' | 'get' | 'matching'>,
  texts: { japan: string; china: string },
): GeonamesPlace[] {
  const admin1Of: Admin1ByName = (country, name) => {
    const found = regions.matching(country, name);
    return found.length === 1 ? regions.get(found[0]).sourceCode : undefined;
  };
  const countries: Record<'JP' | 'CN', ReadCountry> = {
    JP: {
      municipalities: japaneseMunicipalities(texts.japan, admin1Of),
      keyOf: japaneseKey,
      municipalityOf({ admin1Code, admin2Code }) {
        const region = admin2Code === '' ? -1 : regions.find('JP', admin1Code, admin2Code);
        const key = region < 0 ? '' : japaneseKey(regions.get(region).name);
        return key === '' || districts.test(key) ? undefined : key;
      },
    },
    CN: {
      municipalities: chineseMunicipalities(texts.china, admin1Of),
      keyOf: chineseKey,
      municipalityOf: () => undefined,
    },
  };
  const names = new Map(
    Object.entries(countries).flatMap(([code, country]) => [
      ...namesByReading(
        places.filter((place) => place.country === code),
        country,
      ).names,
    ]),
  );
  return places.map((place) => {
    const local = names.get(place.id);
    return local ? { ...place, atlasNames: [...(place.atlasNames ?? []), ...local] } : place;
  });
}
