/** The airport that a text in capitals is the code of: `ADA`, `WATT`. */
import type { Store } from '../store/store.ts';
import { layerOfKind } from '../store/store.ts';
import { fold } from '../text/fold.ts';
import { type Candidate, Candidates, type SearchFilter } from './candidates.ts';
import weights from './weights.json' with { type: 'json' };

const code = /^[A-Z]{3,4}$/;
const iataLength = 3;

/** Whether a text may be the code of an airport, as codes are written. */
export const isAirportCode = (text: string) => code.test(text);

/**
 * The candidates with the airport in the first place where the text is its code in capitals; as they are if the first one is an
 * area, a large city or an airport, which people write so too: `USA`, `NYC`, `LIMA`. Before the IATA code of an airport with
 * scheduled flights only a metropolis comes: `MAN` is Manchester's and not the city of Man.
 */
export function withAirportOfCode(
  { gazetteer, places }: Store,
  text: string,
  filter: SearchFilter,
  best: readonly Candidate[],
): readonly Candidate[] {
  if (!isAirportCode(text) || best.length === 0) return best;
  const { facts, placeNames } = gazetteer;
  const isAirport = (ref: number) => ref < facts.size && layerOfKind(facts.type(ref)) === 'airport';
  const [{ ref: first, parts }] = best;
  const isExact = parts.textMatch === 0 && parts.contextMatch === 0;
  if (isExact && (first >= facts.size || isAirport(first))) return best;
  const admitted = new Candidates(gazetteer, filter);
  let found = -1;
  gazetteer.visitPlaces(placeNames.exact(fold(text)), filter.country, (index) => {
    const { iata, icao } = isAirport(index) ? places.namesOf(index) : ({} as Record<string, string>);
    if ((iata === text || icao === text) && admitted.admits(index)) found = index;
    return found < 0;
  });
  if (found < 0) return best;
  // A name by its sound counts as an alias: `Fue` for Huế.
  const isMain = parts.aliasWorth === 0 && parts.nameMatch === 0;
  const isServed = text.length === iataLength && facts.prominence(found) >= weights.servedAirport;
  const minPeople = isMain && !isServed ? weights.peopleBeforeAirportCode : weights.peopleOfAliasBeforeAirportCode;
  if (isExact && facts.population(first) >= minPeople) return best;
  const interpretation = { from: 0, to: 1, name: fold(text) };
  const exact = { ...parts, textMatch: 0, contextMatch: 0, nameMatch: 0, aliasWorth: 0 };
  return [
    { ref: found, score: best[0].score, parts: exact, interpretation },
    ...best.filter(({ ref }) => ref !== found),
  ].slice(0, filter.limit);
}
