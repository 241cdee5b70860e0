/** Airports as features: their names and prominence, as docs/places.md explains. */
import type { NamedFeature } from '../../../core/named-feature.ts';
import type { Airport } from '../../../sources/airports.ts';
import { airportWords } from '../../../text/feature-words.ts';
import { fold } from '../../../text/fold.ts';

/** Points of an airport on the prominence scale: by size, and for scheduled flights. */
const points = { large: 52, medium: 22, scheduled: 14 };
/** Shorter parts of a name are not distinctive: `New` of `Aleknagik / New Airport`. */
const minPartLength = 4;

/** An airport with the codes and short names that people use for it. */
export function airportFeature(airport: Airport): NamedFeature {
  const { ident, name, municipality, iata, icao, keywords, isLarge, hasScheduledFlights, country, region } = airport;
  const known = shortNames(airport);
  if (municipality !== '' && hasScheduledFlights) known.push(`${municipality} Airport`);
  const others = [icao, ...keywords];
  const names = new Set([name, iata, icao, ...keywords].filter((each) => each !== ''));
  return {
    layer: 'airport',
    source: 'ourairports',
    sourceId: ident,
    name,
    knownNames: known,
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
