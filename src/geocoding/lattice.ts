/**
 * The ways to read the tokens of a query beside its name: as countries and regions, as larger places near by, as words
 * that join or name a kind of place, or as nothing known. All ways stand side by side with what they cost; which of them
 * hold depends on the candidate, so the cheapest path is sought for each.
 */
import { distanceKm, type LatLng } from '../core/geo.ts';
import { areaOfCountry, areaOfRegion, type Gazetteer, isCountryArea } from '../store/gazetteer.ts';
import { layerOfKind } from '../store/store.ts';
import { featureWords } from '../text/feature-words.ts';
import { placeKindWords } from '../text/place-kinds.ts';
import { connectorWords } from '../text/stop-words.ts';
import { traitsOfArea } from './area-traits.ts';
import type { QueryToken } from './tokens.ts';
import weights from './weights.json' with { type: 'json' };

/** What a candidate is compared with context by. */
export type Located = LatLng & {
  /** Areas it lies in, itself included where it is one; -1 for none. */
  country: number;
  admin1: number;
  admin2: number;
  /** Position in the place table; larger for less prominent ones, and for areas beyond all places. */
  place: number;
  /** Layer of a place or feature; undefined for areas. */
  layer: string | undefined;
};

/** A span of tokens as context. */
export type ContextEdge = {
  from: number;
  to: number;
  cost: number;
  /** Areas of which one must hold the candidate; empty where `places` are meant. */
  areas: readonly number[] | ReadonlySet<number>;
  /** Places of which one must be near the candidate, and more prominent. */
  places: readonly number[];
  /** Layers of which one must be the candidate's; undefined where `areas` or `places` are meant. */
  layers?: ReadonlySet<string>;
};

/** A span that is the name of areas, which may be what is asked for; `name` is the name that it means. */
export type AreaReading = { from: number; to: number; name: string; cost: number; areas: readonly number[] };

const maxSpan = 8;
const maxAreas = 200;
const maxBegunAreas = 150;
const maxContextPlaces = 3;
/** A place gives context to what lies within this distance: its suburbs and surroundings. */
const nearKm = 40;
/** A little more than that as latitude. */
const nearDegrees = 0.36;
/** Longer arrays are looked up by hash. */
const longArray = 8;

export class Lattice {
  readonly tokens: readonly QueryToken[];
  readonly areas: AreaReading[] = [];
  readonly #gazetteer: Gazetteer;
  readonly #edges: ContextEdge[][];
  /** What it costs to pass over each token. */
  readonly #skip: number[];
  readonly #left: number;
  readonly #best: Float64Array;

  /** With `isAnswer` areas of one token are read too, which is context of nothing. */
  constructor(gazetteer: Gazetteer, tokens: readonly QueryToken[], lettersLeftOut: number, isAnswer: boolean) {
    this.#gazetteer = gazetteer;
    this.tokens = tokens;
    this.#edges = tokens.map(() => []);
    this.#best = new Float64Array(tokens.length + 1);
    const letters = tokens.reduce((sum, { text }) => sum + text.length, lettersLeftOut);
    const unexplained = (count: number) => (weights.unexplainedLetters * count) / letters + weights.unexplainedToken;
    this.#left = lettersLeftOut > 0 ? unexplained(lettersLeftOut) : 0;
    this.#skip = tokens.map(({ text }) =>
      connectorWords.has(text)
        ? weights.connector
        : placeKindWords.has(text)
          ? weights.kindWord
          : unexplained(text.length),
    );
    if (tokens.length > 1) for (const [from, to] of this.spans()) this.#readContext(from, to);
    else if (isAnswer && tokens.length === 1) this.#readArea(0, 1);
    // `Cocos (Keeling) Islands` is one name, and so is 圣皮埃尔和密克隆群岛.
    if (this.isBroken(0, tokens.length) || tokens.length > maxSpan) this.#readArea(0, tokens.length);
  }

  /** Text of a span. */
  text(from: number, to: number): string {
    if (to - from === 1) return this.tokens[from].text;
    let text = '';
    for (let at = from; at < to; at++) {
      text += this.tokens[at].text;
      if (at + 1 < to && !this.tokens[at].isGlued) text += ' ';
    }
    return text;
  }

  /** Spans that may be one name: of at most eight tokens with no break inside, longer ones first. */
  *spans(): Generator<[from: number, to: number]> {
    const { length } = this.tokens;
    for (let span = Math.min(length, maxSpan); span > 0; span--) {
      for (let from = 0; from + span <= length; from++)
        if (!this.isBroken(from, from + span)) yield [from, from + span];
    }
  }

  /** Lets areas stand for a span, at a cost. */
  addContext(from: number, to: number, areas: readonly number[], cost: number): void {
    if (areas.length === 0) return;
    this.#edges[from].push({ from, to, cost, areas: areas.length > longArray ? new Set(areas) : areas, places: [] });
  }

  /** Lets areas of another name stand for a span, as its context and as what is asked for. */
  addEditedAreas(from: number, to: number, name: string, areas: readonly number[], cost: number): void {
    this.addContext(from, to, areas, cost);
    this.areas.push({ from, to, name, cost: cost + weights.editedArea, areas });
  }

  /**
   * What the tokens outside of [from, to) cost as context of a candidate; without one, the least that they cost any.
   */
  costBeside(from: number, to: number, candidate: Located | undefined): number {
    return this.#left + this.#pathCost(0, from, candidate) + this.#pathCost(to, this.tokens.length, candidate);
  }

  /** The same of a place. Most searches are a name alone, beside which nothing is to be fitted. */
  costBesidePlace(from: number, to: number, place: number): number {
    if (from === 0 && to === this.tokens.length) return this.#left;
    return this.costBeside(from, to, locatedPlace(this.#gazetteer, place));
  }

  /** The edges of the cheapest path, for explanations; spans that no edge covers were passed over. */
  pathBeside(from: number, to: number, candidate: Located): ContextEdge[] {
    return [...this.#path(0, from, candidate), ...this.#path(to, this.tokens.length, candidate)];
  }

  #pathCost(from: number, to: number, candidate: Located | undefined): number {
    const best = this.#best;
    best[to] = 0;
    for (let at = to - 1; at >= from; at--) {
      let least = this.#skip[at] + best[at + 1];
      for (const edge of this.#edges[at]) {
        if (edge.to > to || edge.cost + best[edge.to] >= least) continue;
        if (candidate === undefined || this.#fits(edge, candidate)) least = edge.cost + best[edge.to];
      }
      best[at] = least;
    }
    return best[from];
  }

  #path(from: number, to: number, candidate: Located): ContextEdge[] {
    this.#pathCost(from, to, candidate);
    const best = this.#best.slice();
    const path: ContextEdge[] = [];
    for (let at = from; at < to; ) {
      const edge = this.#edges[at].find(
        (each) => each.to <= to && each.cost + best[each.to] === best[at] && this.#fits(each, candidate),
      );
      if (edge) path.push(edge);
      at = edge ? edge.to : at + 1;
    }
    return path;
  }

  #fits({ areas, places, layers }: ContextEdge, candidate: Located): boolean {
    if (layers) return candidate.layer !== undefined && layers.has(candidate.layer);
    if (places.length > 0) return places.some((place) => this.#isNear(place, candidate));
    const { country, admin1, admin2 } = candidate;
    if (Array.isArray(areas)) {
      for (const area of areas) if (area === country || area === admin1 || area === admin2) return true;
      return false;
    }
    const set = areas as ReadonlySet<number>;
    return set.has(country) || set.has(admin1) || set.has(admin2);
  }

  #isNear(place: number, candidate: Located): boolean {
    const { facts } = this.#gazetteer;
    if (place >= candidate.place) return false;
    // Most are ruled out by their latitudes, without a sine.
    if (Math.abs(facts.lat(place) / 1e6 - candidate.lat) > nearDegrees) return false;
    return distanceKm({ lat: facts.lat(place) / 1e6, lng: facts.lng(place) / 1e6 }, candidate) <= nearKm;
  }

  #readContext(from: number, to: number): void {
    const exact = this.#readArea(from, to);
    const { placeNames, areaNames } = this.#gazetteer;
    const text = this.text(from, to);
    const layers = featureWords.get(text);
    if (layers) this.#edges[from].push({ from, to, cost: weights.featureWord, areas: [], places: [], layers });
    if (to === this.tokens.length) {
      const prefix = areaNames.prefixed(text);
      if (prefix.to > prefix.from) {
        const areas: number[] = [];
        this.#gazetteer.visitAreas(prefix, (area) => areas.push(area) < maxBegunAreas);
        const cost = exact > 0 ? weights.contextBegunDespiteExact : weights.contextBegun;
        this.addContext(from, to, areas, cost);
      }
    }
    const name = placeNames.find(text);
    if (name < 0) return;
    const places: number[] = [];
    this.#gazetteer.visitPlaces(
      { from: name, to: name + 1 },
      undefined,
      (index) => places.push(index) < maxContextPlaces,
    );
    this.#edges[from].push({ from, to, cost: weights.contextNear, areas: [], places });
  }

  /** Reads a span as areas called exactly so, and ones with a name that shortens to it; returns how many are exact. */
  #readArea(from: number, to: number): number {
    const { areaNames } = this.#gazetteer;
    const text = this.text(from, to);
    const key = areaNames.find(text);
    if (key < 0) return 0;
    const exact: number[] = [];
    const shortened: number[] = [];
    this.#gazetteer.visitAreas({ from: key, to: key + 1 }, (area, isShortened) => {
      const list = isShortened ? shortened : exact;
      return list.push(area) < maxAreas;
    });
    const isCode = text.length <= 3 && /^[a-z]+$/.test(text);
    this.addContext(from, to, exact, 0);
    this.addContext(from, to, shortened, exact.length > 0 ? weights.contextBegunDespiteExact : weights.contextBegun);
    // A letter is a region's code in thirty countries, and nobody's only word for it.
    if (text.length > 1) {
      const cost = !isCode
        ? 0
        : text.length === 2 && this.#isCountryCode(exact[0], text)
          ? weights.areaCode
          : weights.shortAreaName;
      if (exact.length > 0) this.areas.push({ from, to, name: text, cost, areas: exact });
      if (shortened.length > 0) this.areas.push({ from, to, name: text, cost: weights.shortName, areas: shortened });
    }
    if (!isCode) this.#understand(from, to, exact);
    return exact.length;
  }

  #isCountryCode(area: number | undefined, text: string): boolean {
    return area !== undefined && isCountryArea(area) && this.#gazetteer.countryCode(area).toLowerCase() === text;
  }

  /** To pass over what is understood as a country or first-level region costs more than over an unknown word. */
  #understand(from: number, to: number, areas: readonly number[]): void {
    const isUnderstood = areas.some((area) => traitsOfArea(this.#gazetteer, area).layer !== 'subregion');
    if (!isUnderstood) return;
    for (let at = from; at < to; at++) {
      if (!connectorWords.has(this.tokens[at].text)) this.#skip[at] += weights.contradiction / (to - from);
    }
  }

  /** Whether a break stands inside a span. */
  isBroken(from: number, to: number): boolean {
    for (let at = from; at < to - 1; at++) if (this.tokens[at].isBreakAfter) return true;
    return false;
  }
}

/** A place as context sees it. */
function locatedPlace({ facts }: Gazetteer, place: number): Located {
  return {
    lat: facts.lat(place) / 1e6,
    lng: facts.lng(place) / 1e6,
    country: areaOfCountry(facts.country(place)),
    admin1: facts.admin1(place) < 0 ? -1 : areaOfRegion(facts.admin1(place)),
    admin2: facts.admin2(place) < 0 ? -1 : areaOfRegion(facts.admin2(place)),
    place,
    layer: layerOfKind(facts.type(place)),
  };
}
