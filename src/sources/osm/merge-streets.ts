/** Merges the pieces of named highways into one street per name and settlement. */
import { distanceKm, type LatLng } from '../../core/geo.ts';
import { lengthKm } from '../../core/line-geometry.ts';
import type { Settlement, StreetRecord } from '../../core/street-records.ts';
import { nameKeys, type OsmFeature, otherNames } from './feature.ts';
import type { Settlements } from './settlements.ts';

/** Pieces of one name without a known city are one street when no gap between them is above some 5 km. */
const cellDegrees = 0.05;
/** An address tells the city of a piece of the same street within this distance. */
const addressReachKm = 1;

/** A piece of a street, or where an address says that the street of this name is in this city. */
export type StreetPiece = { name: string } & (
  | { id: string; type: string; otherNames?: string[]; lines: Float64Array[]; lat: number; lng: number }
  | { city: string; lat: number; lng: number }
);
type Highway = Extract<StreetPiece, { id: string }>;

/** The piece of a named highway. */
export function streetPiece(feature: OsmFeature): StreetPiece {
  const { name, highway } = feature.tags;
  return {
    name,
    id: `${feature.type}${feature.id}`,
    type: highway,
    otherNames: otherNames(feature.tags, name, nameKeys),
    lines: feature.lines!,
    lat: feature.lat,
    lng: feature.lng,
  };
}

/** One record per name and settlement, in order of first appearance. All pieces of a name must be given together. */
export function* mergeStreets(pieces: Iterable<StreetPiece>, settlements: Settlements): Generator<StreetRecord> {
  const byName = new Map<string, { highways: Highway[]; hints: (LatLng & { city: string })[] }>();
  for (const piece of pieces) {
    let group = byName.get(piece.name);
    if (!group) byName.set(piece.name, (group = { highways: [], hints: [] }));
    if ('city' in piece) group.hints.push(piece);
    else group.highways.push(piece);
  }
  for (const { highways, hints } of byName.values()) {
    const bySettlement = new Map<string, { settlement: Settlement; pieces: Highway[] }>();
    for (const piece of highways) {
      const settlement = settlements.find(piece);
      const city = nearestCity(piece, hints) ?? settlement.city;
      const key = `${city ?? ''}\n${settlement.country ?? ''}`;
      const street = bySettlement.get(key);
      if (street) street.pieces.push(piece);
      else bySettlement.set(key, { settlement: { ...settlement, city }, pieces: [piece] });
    }
    for (const { settlement, pieces } of bySettlement.values()) {
      const streets = settlement.city === undefined ? neighbours(pieces) : [pieces];
      for (const street of streets) yield merged(street, settlement);
    }
  }
}

function nearestCity(piece: Highway, hints: (LatLng & { city: string })[]): string | undefined {
  let city: string | undefined;
  let nearest = addressReachKm;
  for (const hint of hints) {
    // Cheap refusal first: a degree of latitude is 111 km everywhere.
    if (Math.abs(hint.lat - piece.lat) > 0.01) continue;
    const distance = distanceKm(piece, hint);
    if (distance < nearest) [city, nearest] = [hint.city, distance];
  }
  return city;
}

/** Groups pieces whose grid cells touch. */
function neighbours(pieces: Highway[]): Highway[][] {
  const cells = new Map<string, Highway[]>();
  const cell = (piece: Highway) => [Math.floor(piece.lat / cellDegrees), Math.floor(piece.lng / cellDegrees)];
  for (const piece of pieces) {
    const key = cell(piece).join(' ');
    const list = cells.get(key);
    if (list) list.push(piece);
    else cells.set(key, [piece]);
  }
  const groups: Highway[][] = [];
  for (const [start] of cells) {
    const group: Highway[] = [];
    const open = [start];
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      const list = cells.get(key);
      if (!list) continue;
      cells.delete(key);
      group.push(...list);
      const [y, x] = key.split(' ').map(Number);
      for (const dy of [-1, 0, 1]) for (const dx of [-1, 0, 1]) open.push(`${y + dy} ${x + dx}`);
    }
    groups.push(group);
  }
  return groups;
}

function merged(pieces: Highway[], settlement: Settlement): StreetRecord {
  const lengths = new Map<string, number>();
  const names = new Set<string>();
  const lines: Float64Array[] = [];
  let [total, lat, lng] = [0, 0, 0];
  for (const piece of pieces) {
    const length = piece.lines.reduce((sum, line) => sum + lengthKm(line), 0) + 1e-9;
    lengths.set(piece.type, (lengths.get(piece.type) ?? 0) + length);
    for (const name of piece.otherNames ?? []) names.add(name);
    lines.push(...piece.lines);
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
  };
}

/** The middle of a piece or the vertex that is nearest to a position. */
function nearestOnStreet(to: LatLng, pieces: Highway[]): LatLng {
  let best: LatLng = { lat: pieces[0].lat, lng: pieces[0].lng };
  let nearest = distanceKm(to, best);
  const consider = (lat: number, lng: number) => {
    const distance = distanceKm(to, { lat, lng });
    if (distance < nearest) [best, nearest] = [{ lat, lng }, distance];
  };
  for (const piece of pieces) {
    consider(piece.lat, piece.lng);
    for (const line of piece.lines) for (let at = 0; at < line.length; at += 2) consider(line[at + 1], line[at]);
  }
  return best;
}
