/** Places that the small dataset lacks, for tests of addresses. A module, since threads cannot be sent functions. */
import type { LatLng } from '../../src/core/geo.ts';
import type { CityNames } from '../../src/store/store.ts';

/** Two villages, 8 km from each other, which the data have as Aldheim; and villages near Munich and Springfield. */
const villages: Record<string, LatLng> = {
  Aldheim: { lat: 50, lng: 9 },
  Corvingen: { lat: 50.072, lng: 9 },
  Pasingen: { lat: 48.2, lng: 11.58 },
  Oakton: { lat: 39.83, lng: -89.64 },
};
/** Towns with the name of a region or of what follows a number. */
const namesakes: Record<string, string> = { bis: 'Tokyo', Bavaria: 'Tokyo' };
/** Codes and names of regions that are also those of countries. */
const otherCountries: Record<string, string[]> = { IL: ['IL'], Missouri: ['GE'] };

export function withMadePlaces(cities: CityNames): CityNames {
  const berlin = cities.resolve('Berlin')!;
  return {
    ...cities,
    countriesNamed: (name) => otherCountries[name] ?? cities.countriesNamed(name),
    resolve: (city, country) =>
      cities.resolve(namesakes[city] ?? city, country) ??
      (villages[city] && {
        ...berlin,
        ...villages[city],
        id: city.length,
        name: city,
        type: 'village',
        population: 900,
      }),
  };
}
