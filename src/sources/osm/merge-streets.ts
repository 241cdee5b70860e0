/** Merges the pieces of named highways into one street per name and settlement. */
import { firstPast } from '../../core/columns.ts';
import { type LatLng, lengthKm, nearestTo } from '../../core/geo.ts';
import type { Settlement, StreetRecord } from '../../core/source-records.ts';
import { nameKeys, type OsmFeature, otherNames } from './feature.ts';

/** Pieces of one name are one street when no gap is above this: about 5 km without a city, 20 km inside one. */
const gapDegrees = { withoutCity: 0.05, inCity: 0.2 };
/** An address determines the city of a piece of the same street within this distance. */
const addressReachKm = 1;
const reachDegrees = 0.01;
/** Edge in degrees of a cell in which addresses of one street and city count once. */
const hintCell = 0.005;

/** A piece of a street, or where an address says that the street of this name is in this city. */
export type StreetPiece = { name: string } & (
  | {
      id: string;
      type: string;
      otherNames?: string[] | undefined;
      lines: readonly Float64Array[];
      /** Its settlement according to nearby boundaries, places and addresses. */
      around: Settlement;
      lat: number;
      lng: number;
    }
  | { city: string; lat: number; lng: number }
);
type Highway = Extract<StreetPiece, { id: string }>;

/** The piece of a named highway. */
export function streetPiece(feature: OsmFeature, around: Settlement): Highway {
  const { name, highway } = feature.tags;
  return {
    name,
    id: `${feature.type}${feature.id}`,
    type: highway,
    otherNames: otherNames(feature.tags, name, nameKeys),
    lines: feature.lines!,
    around,
    lat: feature.lat,
    lng: feature.lng,
  };
}

/** Equal for addresses that say the same of a street. */
export const hintKey = (street: string, { city, lat, lng }: Hint): string =>
  `${street}\n${city}\n${Math.floor((lat + 90) / hintCell)} ${Math.floor((lng + 180) / hintCell)}`;

/**
 * One record per name and settlement, in the order of their first pieces. All pieces of a name must be given together.
 * `isCity` says which names that addresses have as their city are to be trusted.
 */
export function* mergeStreets(
  pieces: Iterable<StreetPiece>,
  isCity: (name: string) => boolean,
): Generator<StreetRecord> {
  const byName = new Map<string, { highways: Highway[]; hints: Hint[] }>();
  for (const piece of pieces) {
    const group = byName.getOrInsertComputed(piece.name, () => ({ highways: [], hints: [] }));
    if ('city' in piece) group.hints.push(piece);
    else group.highways.push(piece);
  }
  for (const [name, { highways, hints }] of byName) {
    const cityOf = cityByHints(name, hints, isCity);
    const streets = [...Map.groupBy(highways, cityOf)].flatMap(([city, ofCity]) => streetsInCity(ofCity, city));
    if (streets.length > 1) {
      const places = new Map(highways.map(({ id }, at) => [id, at]));
      streets.sort((a, b) => places.get(a.sourceId!)! - places.get(b.sourceId!)!);
    }
    yield* streets;
  }
}

/** Returns the city of a piece of a street: that of the nearest address of this name, else where it lies. */
function cityByHints(
  name: string,
  hints: readonly Hint[],
  isCity: (name: string) => boolean,
): (piece: Highway) => string | undefined {
  const distinct = Array.from(Map.groupBy(hints, (hint) => hintKey(name, hint)).values(), ([first]) => first);
  distinct.sort((a, b) => a.lat - b.lat);
  const trusted = distinct.filter(({ city }) => isCity(city));
  return (piece) => nearestCity(piece, trusted) ?? piece.around.city ?? nearestCity(piece, distinct);
}

/** The streets that pieces of one name in one city are, in the order of the first piece of each. */
function streetsInCity(pieces: readonly Highway[], city: string | undefined): StreetRecord[] {
  const located = pieces.map((piece) => ({ piece, settlement: { ...piece.around, city } }));
  return neighbours(located, city === undefined ? gapDegrees.withoutCity : gapDegrees.inCity).map(merged);
}

type Located = { piece: Highway; settlement: Settlement };

export type Hint = LatLng & { city: string };

/** The city of the hint nearest to a piece, within the reach of an address; hints are sorted by latitude. */
function nearestCity(piece: Highway, hints: readonly Hint[]): string | undefined {
  // In a large country a common name has thousands of pieces and of hints, so only those of the latitude are examined.
  const from = firstPast(0, hints.length, (hint) => hints[hint].lat >= piece.lat - reachDegrees);
  const end = firstPast(from, hints.length, (hint) => hints[hint].lat > piece.lat + reachDegrees);
  return nearestTo(piece, hints.slice(from, end), addressReachKm)?.city;
}

/** Groups pieces whose grid cells touch. */
function neighbours(located: Located[], cellDegrees: number): Located[][] {
  if (located.length === 1) return [located];
  const cells = Map.groupBy(
    located,
    ({ piece: { lat, lng } }) => `${Math.floor(lat / cellDegrees)} ${Math.floor(lng / cellDegrees)}`,
  );
  const groups: Located[][] = [];
  for (const [start] of cells) {
    const group: Located[] = [];
    const open = [start];
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      const list = cells.get(key);
      if (!list) continue;
      cells.delete(key);
      for (const one of list) group.push(one);
      const [y, x] = key.split(' ').map(Number);
      for (const dy of [-1, 0, 1]) for (const dx of [-1, 0, 1]) open.push(`${y + dy} ${x + dx}`);
    }
    groups.push(group);
  }
  return groups;
}

function merged(located: Located[]): StreetRecord {
  const pieces = located.map(({ piece }) => piece);
  // Pieces at the edge of an extract may lie outside every boundary; the street is where its other pieces are.
  const settlement = {
    city: located[0].settlement.city,
    admin1: located.find(({ settlement }) => settlement.admin1)?.settlement.admin1,
    country: located.find(({ settlement }) => settlement.country)?.settlement.country,
  };
  const lengths = new Map<string, number>();
  const names = new Set<string>();
  const lines: Float64Array[] = [];
  let [total, lat, lng] = [0, 0, 0];
  for (const piece of pieces) {
    const length = piece.lines.reduce((sum, line) => sum + lengthKm(line), 0) + 1e-9;
    lengths.set(piece.type, (lengths.get(piece.type) ?? 0) + length);
    for (const name of piece.otherNames ?? []) names.add(name);
    for (const line of piece.lines) lines.push(line);
    total += length;
    lat += length * piece.lat;
    lng += length * (piece.lng - 360 * Math.round((piece.lng - pieces[0].lng) / 360));
  }
  const [highwayType] = [...lengths].reduce((best, entry) => (entry[1] > best[1] ? entry : best));
  return {
    name: pieces[0].name,
    ...(names.size > 0 && { otherNames: [...names] }),
    highwayType,
    ...settlement,
    ...nearestOnStreet({ lat: lat / total, lng: lng / total }, pieces),
    lines,
    sourceId: pieces[0].id,
    pieceIds: pieces.map(({ id }) => id),
  };
}

/** The middle of a piece or the vertex that is nearest to a position. */
function nearestOnStreet(to: LatLng, pieces: Highway[]): LatLng {
  return nearestTo(to, positionsOn(pieces))!;
}

function* positionsOn(pieces: Highway[]): Generator<LatLng> {
  for (const { lat, lng, lines } of pieces) {
    yield { lat, lng };
    for (const line of lines) for (let at = 0; at < line.length; at += 2) yield { lat: line[at + 1], lng: line[at] };
  }
}
