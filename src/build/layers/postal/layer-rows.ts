/** Adds rows of sources to the postal table, and collects the codes of each place. */

import { distanceKm, type LatLng, nearestTo, roundCoordinate } from '../../../core/geo.ts';
import { reachKm } from '../../../core/place-kinds.ts';
import {
  compact,
  everydayForm,
  type MeasuredPostalRow,
  maxCodeLength,
  type NamedPostalRow,
  readPostalCode,
  shorterForms,
} from '../../../core/postal/code.ts';
import type { Drop } from '../../../core/source-records.ts';
import type { CodesOfPlace, PostalLocality, PostalTableWriter } from '../../../store/packed/postal.ts';
import type { Place, Places, Regions } from '../../../store/store.ts';
import { namesakeFinder } from '../namesakes.ts';
import { type JoinedCode, joinCountry } from './join.ts';

export type LayerRows = {
  table: PostalTableWriter;
  placeCodes: ReturnType<typeof placeCodes>;
  places: Pick<Places, 'named' | 'get'>;
  regions: Pick<Regions, 'get' | 'matching' | 'list'>;
  drop: Drop;
};

/**
 * Adds rows that have positions. A code of another shape than the country's is kept only where `isTrusted` (a user's
 * dump may be newer than our table of shapes). Returns the number of rows added.
 */
export function addMeasured(
  { table, placeCodes, drop }: LayerRows,
  rows: readonly MeasuredPostalRow[],
  source: string,
  isTrusted: boolean,
): number {
  let added = 0;
  for (const { code: written, country, place: name, isForBoxes, ...row } of rows) {
    const code = readPostalCode(country, written) ?? (isTrusted ? compact(written) : '');
    if (code === '' || code.length > maxCodeLength) {
      drop("code without the country's shape");
      continue;
    }
    table.add(country, code, table.locality({ name, ...row, source }));
    if (row.lat !== null && row.lng !== null && !isForBoxes)
      placeCodes.addMeasured(country, code, name, { lat: row.lat, lng: row.lng });
    added++;
  }
  return added;
}

/** How rows of a source without positions are used. */
type Naming = {
  source: string;
  /** One place for each code, the one seen most often; otherwise every place. */
  isHeaviestOnly: boolean;
  /** The gazetteer's name for a joined place; otherwise the source's own. */
  isGazetteerName: boolean;
};

/** Rows of one source for one country, and how they are used. */
type NamedRows = { rows: readonly NamedPostalRow[]; naming: Naming };

/**
 * Adds rows of one country that only name places, with the positions of these. `completion` is a second source, for
 * places of the first that the gazetteer lacks and, with `addsCodes`, for codes that the first lacks.
 */
export function addNamed(
  layer: LayerRows,
  country: string,
  { rows, naming }: NamedRows,
  completion?: NamedRows & { addsCodes: boolean },
): void {
  const all = joinCountry(rows, layer, layer.drop);
  const shorter = shorterRows(country, all);
  const short = new Set(shorter.map(({ code }) => code));
  const joined = (naming.isHeaviestOnly ? heaviest(all) : all).filter(({ code }) => !short.has(code));
  const known = new Set(joined.map(({ code }) => code));
  const mainOf = new Map<string, JoinedCode>();
  for (const entry of joined) {
    const main = mainOf.get(entry.code);
    if (entry.place && (!main || entry.row.weight > main.row.weight)) mainOf.set(entry.code, entry);
  }
  const others = completion ? heaviest(joinCountry(completion.rows, layer, layer.drop)) : [];
  for (const entry of others) if (entry.place && !mainOf.has(entry.code)) mainOf.set(entry.code, entry);

  addJoined(layer, country, joined, naming, mainOf);
  // Places have whole codes; their shorter forms follow from these.
  addJoined({ ...layer, placeCodes: undefined }, country, shorter, naming, new Map());
  if (completion?.addsCodes) {
    const missing = others.filter(({ code }) => !known.has(code));
    addJoined(layer, country, missing, completion.naming, mainOf);
  }
}

function addJoined(
  layer: Omit<LayerRows, 'placeCodes'> & { placeCodes: LayerRows['placeCodes'] | undefined },
  country: string,
  joined: readonly JoinedCode[],
  naming: Naming,
  mainOf: ReadonlyMap<string, JoinedCode>,
): void {
  // Codes of one place share its locality, which saves more than half of the layer.
  const shared = new Map<string, number>();
  for (const entry of joined) {
    const { code, row, place, around } = entry;
    const main = mainOf.get(code)?.place;
    const at = place ?? main ?? around;
    const identity = `${place && naming.isGazetteerName ? place.index : row.place}\t${at?.lat}\t${at?.lng}`;
    const locality = shared.getOrInsertComputed(identity, () =>
      layer.table.locality(localityOf(layer, entry, main, naming)),
    );
    layer.table.add(country, code, locality);
    if (place) layer.placeCodes?.addJoined(place, everydayForm(country, code), row.weight);
  }
}

/** One row for each code: the place it was seen with most often. */
function heaviest(joined: readonly JoinedCode[]): JoinedCode[] {
  const best = new Map<string, JoinedCode>();
  for (const entry of joined) {
    const other = best.get(entry.code);
    if (!other || entry.row.weight > other.row.weight) best.set(entry.code, entry);
  }
  return [...best.values()];
}

/** The locality of a joined code; `main` is the place that the code is mostly for. */
function localityOf(
  { regions }: Pick<LayerRows, 'regions'>,
  { row, place, around }: JoinedCode,
  main: Place | undefined,
  { source, isGazetteerName }: Naming,
): PostalLocality {
  // A place too small for the gazetteer is located at the largest place of the same code.
  const at = place ?? main;
  const nameOf = (region: number) => (region < 0 ? null : regions.get(region).name);
  let admin1 = at ? nameOf(at.admin1) : null;
  let admin2 = at ? nameOf(at.admin2) : null;
  if (!at && row.admin2Code !== undefined) {
    const region = regions.list(row.country, 2).find(({ sourceCode }) => sourceCode === row.admin2Code);
    admin2 = region?.name ?? null;
    admin1 = region ? nameOf(region.parent) : null;
  } else if (!at && row.admin1Name !== undefined) {
    const matching = regions.matching(row.country, row.admin1Name);
    admin1 = matching.length === 1 ? nameOf(matching[0]) : row.admin1Name;
  } else if (!at && around) admin1 = nameOf(around.admin1);
  const position = at ?? around;
  return {
    name: place && isGazetteerName ? place.name : row.place,
    admin1,
    admin2,
    lat: position ? roundCoordinate(position.lat) : null,
    lng: position ? roundCoordinate(position.lng) : null,
    radiusKm: at ? reachKm(at.population) : (around?.radiusKm ?? null),
    accuracy: at ? 'place' : around ? 'area' : null,
    source,
  };
}

// Rows for the shorter forms of codes (British outward parts, Dutch four digits): where a source has whole codes, the
// shorter form gets the places that its whole codes have.

/** A place of a shorter form must have this share of the addresses under it, or be the first. */
const minShare = 0.2;
type Form = { places: Map<string, JoinedCode & { weight: number }>; weight: number };

/**
 * Rows for the shorter forms of the codes of one country. Where the source also has rows of a shorter form itself,
 * they count among those of its whole codes.
 */
function shorterRows(country: string, joined: readonly JoinedCode[]): JoinedCode[] {
  const forms = new Map<string, Form>();
  for (const { code } of joined)
    for (const short of shorterForms(country, code)) forms.set(short, { places: new Map(), weight: 0 });
  if (forms.size === 0) return [];
  for (const entry of joined) {
    for (const short of [entry.code, ...shorterForms(country, entry.code)]) {
      const form = forms.get(short);
      if (form) count(form, short, entry);
    }
  }
  const rows: JoinedCode[] = [];
  for (const { places, weight } of forms.values()) {
    const ordered = [...places.values()].sort((a, b) => b.weight - a.weight);
    for (const [rank, entry] of ordered.entries()) {
      if (rank > 0 && entry.weight < minShare * weight) break;
      const { code, row, place, around } = entry;
      rows.push({ code, row: { ...row, weight: entry.weight }, place, around });
    }
  }
  return rows;
}

function count(form: Form, code: string, { row, place, around }: JoinedCode): void {
  const identity = place ? String(place.index) : row.place;
  form.places.getOrInsert(identity, { code, row, place, around, weight: 0 }).weight += row.weight;
  form.weight += row.weight;
}

// The postal codes of each place, and which of them is its main one.

/** Maximum distance between a row with a place's own name and the place's centre. */
const ownNameKm = 30;
/** This many codes at one distance from the centre only have the town's position. */
const minSharing = 3;
/** Within this distance of the centre, the lowest code counts and not the distance. */
const centralKm = 3;
/** A code seen less often than this in a place, or than a tenth of its usual code, is an error or a rarity. */
const minSeen = 3;

type Near = { place: Place; km: number };
type CodeAtPlace = { code: string; weight: number; km: number };

/** Collects codes of places from measured rows (by name and distance) and from joined ones. */
export function placeCodes(places: Pick<Places, 'named' | 'get'>) {
  const namesakes = namesakeFinder(places);
  const found = new Map<number, { place: Place; codes: Map<string, CodeAtPlace> }>();
  const add = (place: Place, at: CodeAtPlace) => {
    const { codes } = found.getOrInsertComputed(place.index, () => ({ place, codes: new Map() }));
    const known = codes.getOrInsert(at.code, { ...at, weight: 0 });
    known.weight += at.weight;
    known.km = Math.min(known.km, at.km);
  };
  const partlyNamed = (country: string, name: string, at: LatLng): Near | undefined => {
    const words = name.split(/\s+/);
    let best: Near | undefined;
    for (const part of [words.slice(0, 2), words.slice(-2), words.slice(0, 1), words.slice(-1)]) {
      if (part.length === words.length) continue;
      for (const place of namesakes(part.join(' '), country)) {
        const km = distanceKm(place, at);
        const isBetter = place.population > (best?.place.population ?? -1);
        if (isBetter && km <= reachKm(place.population)) best = { place, km };
      }
    }
    return best;
  };
  return {
    /** Adds a code joined with a place; `weight` is the frequency of the pair. */
    addJoined: (place: Place, code: string, weight: number) =>
      add(place, { code, weight, km: Number.POSITIVE_INFINITY }),

    /**
     * A code with a position and a place name: it belongs to the nearest place of that name, if that is near. Otherwise
     * it belongs to a place within whose reach it lies and with whose name it begins or ends (`Mumbai G.P.O.`, `Downtown
     * Toronto`).
     */
    addMeasured(country: string, code: string, name: string, at: LatLng): void {
      // `Vancouver (Kitsilano)`: what stands in brackets is a part of the place.
      const plain = name.replace(/ *\(.*/, '');
      const own = nearestTo(at, namesakes(plain, country), ownNameKm);
      const near = own ? { place: own, km: distanceKm(own, at) } : partlyNamed(country, plain, at);
      if (near) add(near.place, { code, weight: 1, km: near.km });
    },

    /** The codes of all places: the main one first, the others ascending. */
    finish: (): CodesOfPlace[] =>
      Array.from(found.values(), ({ place, codes }) => {
        const all = [...codes.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
        const main = mainCode(all);
        const others = all.filter((entry) => entry !== main);
        return { placeId: place.id, country: place.country, codes: [main, ...others].map(({ code }) => code) };
      }),
  };
}

/**
 * Posts number a town from its centre outwards (Berlin 10115, Wien 1010). So with positions the main code is the lowest
 * one at the place's centre, else the nearest. Codes that share one position are ignored: it is the town's, and they
 * are PO boxes and companies. Without positions it is the lowest code that is not rare in the place.
 */
function mainCode(ascending: readonly CodeAtPlace[]): CodeAtPlace {
  const measured = ascending.filter(({ km }) => km !== Number.POSITIVE_INFINITY);
  if (measured.length > 0) {
    const sharers = new Map<number, number>();
    for (const { km } of measured) sharers.set(km, (sharers.get(km) ?? 0) + 1);
    const single = measured.filter(({ km }) => sharers.get(km)! < minSharing);
    const candidates = single.length > 0 ? single : measured;
    const central = candidates.find(({ km }) => km <= centralKm);
    return central ?? candidates.reduce((best, found) => (found.km < best.km ? found : best));
  }
  const weights = Float64Array.from(ascending, ({ weight }) => weight).sort();
  const common = Math.max(minSeen, weights[weights.length >> 1] / 10);
  return ascending.find(({ weight }) => weight >= Math.min(common, weights[weights.length - 1] / 10)) ?? ascending[0];
}
