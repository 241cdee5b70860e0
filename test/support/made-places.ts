/** Places that the small dataset lacks, for tests of addresses. A module, since threads cannot be sent functions. */
import type { LatLng } from '../../src/core/geo.ts';
import type { CityNames } from '../../src/store/store.ts';

/**
 * Two villages, 8 km from each other, which the data have as Aldheim; villages near Munich and both Springfields; and one in
 * Arkansas that is called like a region.
 */
const villages: Record<string, LatLng> = {
  Aldheim: { lat: 50, lng: 9 },
  Corvingen: { lat: 50.072, lng: 9 },
  Pasingen: { lat: 48.2, lng: 11.58 },
  Oakton: { lat: 39.83, lng: -89.64 },
  Brookline: { lat: 37.25, lng: -93.3 },
  England: { lat: 34.54, lng: -91.97 },
};
/** Towns with the name of a region or of what follows a number, and a name in Korean. */
const namesakes: Record<string, string> = { bis: 'Tokyo', Bavaria: 'Tokyo', 동경: 'Tokyo' };
/** Codes and names of regions that are also those of countries. */
const otherCountries: Record<string, string[]> = { IL: ['IL'], Missouri: ['GE'] };

export function withMadePlaces(cities: CityNames): CityNames {
  const berlin = cities.resolve('Berlin')!;
  return {
    ...cities,
    countriesNamed: (name) => otherCountries[name] ?? cities.countriesNamed(name),
    resolve(city, country) {
      const [name] = city.split(', ');
      return (
        cities.resolve(namesakes[city] ?? city, country) ??
        (villages[name] && {
          ...berlin,
          ...villages[name],
          id: name.length,
          name,
          type: 'village',
          population: 900,
        })
      );
    },
  };
}
