/** Crossings of the two streets named in a text. */
import { distanceKm, type LatLng } from '../../core/geo.ts';
import { settle } from '../../store/street-parts.ts';
import { crossingsIn } from '../../text/query-text.ts';
import { queryWords } from '../../text/words.ts';
import { type AddressFinder, type Query, rescored } from './finder.ts';
import { wholeText } from './interpret.ts';
import { type Hit, houseMatch } from './score.ts';

/** Crossing streets share a vertex, except at dual carriageways, where a gap remains. */
const maxGapKm = 0.04;
/** In degrees: a little larger than that gap. */
const cellSize = 0.0005;
/** Maximum distance between the midpoints of crossing streets. */
const maxMiddleDistanceKm = 12.5;
/** Maximum number of street pairs whose lines are compared. */
const maxPairs = 60;

/**
 * Hits at the crossings of two streets that a text names; their `name` is both names, that of the better one first. Without
 * `withRest`, what the text has besides need not be true of them.
 */
export function crossings(finder: AddressFinder, asked: Query, withRest: boolean): Hit[] {
  const { text, filter } = asked;
  const hits: Hit[] = [];
  for (const { one, other, rest: besides } of crossingsIn(text)) {
    if (!withRest && besides === '') continue;
    const rest = withRest ? besides : '';
    const named = (street: string, groups = filter.groups) => {
      if (queryWords(street).length === 0) return [];
      const interpretations = [wholeText(`${street} ${rest}`)];
      const query = { ...asked, text: street, interpretations, filter: { ...filter, groups } };
      const isMapped = ({ street }: Hit) => street.isMapped;
      const hits = finder.collect(query).filter(isMapped);
      settle(finder.parts);
      return hits.length > 0 ? hits : finder.collect(finder.withCorrections(query)).filter(isMapped);
    };
    // The settlement follows the second street, with or without a comma.
    const others = named(other);
    settle(finder.parts);
    if (others.length === 0) continue;
    const around = others.map(({ street: { lat, lng } }) => ({ lat, lng }));
    const pairs = pairsOf(finder, named(one, [...filter.groups, { around, km: maxMiddleDistanceKm }]), others);
    hits.push(...pairs.map((hit) => ({ ...hit, interpretation: wholeText(text) })));
    if (hits.length > 0) break;
  }
  return hits;
}

/** The crossings of the streets of two lists, of the pairs that fit the text best. */
function pairsOf(finder: AddressFinder, ones: readonly Hit[], others: readonly Hit[]): Hit[] {
  const pairs = ones.flatMap((one) =>
    others
      .filter((other) => other.part === one.part && other.street.id !== one.street.id)
      .map((other) => ({ one, other, coverage: one.coverage + other.coverage })),
  );
  pairs.sort((a, b) => b.coverage - a.coverage);
  return pairs.slice(0, maxPairs).flatMap(({ one, other }): Hit[] => {
    const vertices = ({ part, street }: Hit) => finder.parts[part].vertices(street.id);
    const at = meetingPoint(vertices(one), vertices(other));
    if (!at) return [];
    const name = `${one.name} & ${other.name}`;
    const words = [...one.words, ...other.words];
    const coverage = Math.min(one.coverage, other.coverage);
    const nameMatch = (one.parts.nameMatch + other.parts.nameMatch) / 2;
    const crossing: Hit = { ...one, ...at, name, words, coverage, matchType: 'intersection' };
    return [rescored(crossing, { nameMatch, houseMatch: houseMatch(crossing) })];
  });
}

/** The point where two streets are closest, if they are close enough to cross. */
function meetingPoint(one: readonly LatLng[], other: readonly LatLng[]): LatLng | undefined {
  const cellOf = ({ lat, lng }: LatLng) => [Math.floor(lat / cellSize), Math.floor(lng / cellSize)] as const;
  const cells = Map.groupBy(one, (vertex) => cellOf(vertex).join(' '));
  const steps = [-1, 0, 1];
  let best: LatLng | undefined;
  let least = maxGapKm;
  for (const to of other) {
    const [row, column] = cellOf(to);
    const near = steps.flatMap((down) => steps.flatMap((right) => cells.get(`${row + down} ${column + right}`) ?? []));
    for (const from of near) {
      const km = distanceKm(from, to);
      if (km < least) [best, least] = [{ lat: (from.lat + to.lat) / 2, lng: (from.lng + to.lng) / 2 }, km];
    }
  }
  return best;
}
