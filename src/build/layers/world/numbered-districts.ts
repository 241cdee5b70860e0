/** Districts of a city that people call by their number: Paris 15e, Wien 22, Lyon 3, Budapest VIII, Zürich Kreis 4. */
import { distanceKm } from '../../../core/geo.ts';
import type { NamedFeature } from '../../../core/named-feature.ts';
import type { GeonamesPlace } from '../../../sources/geonames-places.ts';
import { fold } from '../../../text/fold.ts';

const french = /^(Paris|Lyon|Marseille) (\d{1,2})(?=e Arrondissement|$| \p{L})/u;
const hungarian = /^(Budapest) ([IVX]+)\. kerület$/;
const swiss = /^(Zürich|Winterthur) \(Kreis (\d{1,2})\)/;
/** The districts of Vienna in order. */
const viennese = [
  'Innere Stadt,Leopoldstadt,Landstraße,Wieden,Margareten,Mariahilf,Neubau,Josefstadt,Alsergrund,Favoriten,Simmering',
  'Meidling,Hietzing,Penzing,Rudolfsheim-Fünfhaus,Ottakring,Hernals,Währing,Döbling,Brigittenau,Floridsdorf,Donaustadt',
  'Liesing',
].flatMap((line) => line.split(','));
const vienna = { country: 'AT', admin1Code: '09' };
const romans = 'I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX XXI XXII XXIII'.split(' ');

/** The names by which people call a numbered district besides its own; none for other places. */
export function numberedNames({
  name,
  country,
  admin1Code,
}: Pick<GeonamesPlace, 'name' | 'country' | 'admin1Code'>): string[] {
  const [, city = '', number] = (country === 'FR' && french.exec(name)) || [];
  if (number !== undefined) return frenchNames(city, Number(number));
  const [, capital, roman = ''] = (country === 'HU' && hungarian.exec(name)) || [];
  if (capital !== undefined) return [`${capital} ${roman}`, `${capital} ${romans.indexOf(roman) + 1}`];
  const [, town, circle] = (country === 'CH' && swiss.exec(name)) || [];
  if (town !== undefined) return [`${town} Kreis ${circle}`, `${town} ${circle}`];
  const at = country === vienna.country && admin1Code === vienna.admin1Code ? viennese.indexOf(name) + 1 : 0;
  return at === 0 ? [] : [`Wien ${at}`, `Vienna ${at}`, `${at}. Bezirk Wien`, `Wien ${at}. Bezirk`];
}

function frenchNames(city: string, number: number): string[] {
  const ordinals = number === 1 ? ['1er'] : [`${number}e`, `${number}ème`];
  return [
    `${city} ${number}`,
    ...ordinals.flatMap((ordinal) => [
      `${city} ${ordinal}`,
      `${city} ${ordinal} arrondissement`,
      `${ordinal} arrondissement de ${city}`,
    ]),
    `${city} ${romans[number - 1]}${number === 1 ? 'er' : 'e'}`,
  ];
}

// Quarters of the table of landmarks that are places of the gazetteer too: one record, that of the place.

/** A part of a city and a quarter of its name are one within this distance. */
const sameKm = 4;

/** Finds the quarters of the table that are places. */
export class Quarters {
  /** Those that are a place. */
  readonly found = new Set<NamedFeature>();
  readonly #byName: Map<string, NamedFeature[]>;

  constructor(features: readonly NamedFeature[]) {
    this.#byName = Map.groupBy(
      features.filter(({ kind }) => kind === 'quarter'),
      ({ name }) => fold(name),
    );
  }

  /** The quarter that a place is; undefined when it is none. Each is one place's. */
  of(place: Pick<GeonamesPlace, 'name' | 'lat' | 'lng'>): NamedFeature | undefined {
    const quarter = this.#byName
      .get(fold(place.name))
      ?.find((each) => !this.found.has(each) && distanceKm(each, place) <= sameKm);
    if (quarter) this.found.add(quarter);
    return quarter;
  }
}
