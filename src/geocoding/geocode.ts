/** The only path from a text to answers: positions, postal codes, places, countries and regions. */

import { type BoundingBox, isNear, type LatLng } from '../core/geo.ts';
import type { Address, Poi } from '../store/address-contract.ts';
import { layerOfKind, type PlaceType, type PostalCode, placeTypes, type Store, together } from '../store/store.ts';
import { otherKeyboards, type Tokens, tokensOf, withoutArticle, writtenOtherwise } from '../text/query-text.ts';
import { withEastAsianBlanks } from '../text/scripts.ts';
import { isStreetType, queryWords } from '../text/words.ts';
import { minInhabitants } from './address/support.ts';
import { areaOfMatch, positionOf, traitsOfArea } from './area-traits.ts';
import { type Candidate, Candidates, type SearchFilter } from './candidates.ts';
import { type Explanation, explain, explainCodes } from './explain.ts';
import { type Lattice, nearKm } from './lattice.ts';
import { type Layer, placesOnly } from './layers.ts';
import { codesBeginning, type NamedBesideCode, type PostalHit, postalSearch } from './postal-codes.ts';
import { confidenceOf, explained as explainedBy, floor, plainSituation, type Situation, sureEnough } from './score.ts';
import { type Budgets, budgetOf, maxWordsOfStreet, townBudget } from './search-limits.ts';
import { PlaceSearch } from './search-places.ts';
import { compared, leavesWords, situationOfCode, situationsOf } from './situations.ts';
import {
  besideOthers,
  isSamePoint,
  poiHits,
  streetHits,
  streetSuggestions,
  suggestedHouses,
  villageHits,
} from './street-hits.ts';
import { suggest } from './suggest.ts';
import weights from './weights.json' with { type: 'json' };

export type GeocodeOptions = {
  country?: string;
  /** Alpha-2 code of a country that is preferred a little where neither `country` nor `near` is given. */
  home?: string;
  /** Language (BCP 47) of the names that are suggested. */
  lang?: string;
  near?: LatLng;
  type?: PlaceType;
  bbox?: BoundingBox;
  /** Layers that answers may be of. */
  layers: ReadonlySet<Layer>;
  /** Further layers that may answer where the text has a house number or nothing else matches. */
  otherLayers?: ReadonlySet<Layer>;
  fuzzy: boolean;
  /** Whether the text is what may name the town of an address, and is none itself. */
  isTown?: boolean;
  /** Maximum number of answers; the number of candidates examined does not depend on it. */
  limit: number;
  /** What the searches of the request may still cost; its own by default. */
  budget?: Budgets;
};

/** An answer: a place, feature or area of the gazetteer, or an address. */
export type Hit = {
  layer: Layer;
  /** Position in the place table, of a place or feature. */
  place?: number | undefined;
  /** Area number, of a country or region. */
  area?: number | undefined;
  /** 0–100: how sure it is that the text means this; undefined for suggestions and records that no text was searched for. */
  confidence?: number;
  /** The code that the text holds. */
  postal?: PostalCode | undefined;
  /** Whether it is where the text's address lies, which the dataset does not have. */
  isOnlyTown?: boolean;
  /** The address or street; undefined for others. */
  address?: Address;
  /** The point of interest; undefined for others. */
  poi?: Poi & { name: string };
};
export type SearchHit = Hit & Required<Pick<Hit, 'confidence'>>;

const maxNamesWithCode = 30;

/** Answers to a text, best first; empty when nothing fits. `trace` receives how each came about. */
export function geocode(
  store: Store,
  text: string,
  options: GeocodeOptions,
  trace?: Partial<Explanation>,
): SearchHit[] {
  const request = requestOf(store, text, options, trace);
  return request ? sureEnough(hitsInOrder(request)).slice(0, options.limit) : [];
}

/** A text, what is asked of it, and what receives how its answers came about. */
type Request = {
  store: Store;
  text: string;
  tokens: Tokens;
  options: GeocodeOptions & { budget: Budgets };
  filter: SearchFilter;
  trace: Partial<Explanation> | undefined;
};

/** The request of a text; undefined when nothing can pass its filter. */
function requestOf(
  store: Store,
  text: string,
  asked: GeocodeOptions,
  trace: Partial<Explanation> | undefined,
): Request | undefined {
  const { country, home, type, near, lang, bbox, layers } = asked;
  const { gazetteer } = store;
  const number = country === undefined ? undefined : gazetteer.countryNumber(country);
  if (country !== undefined && number === undefined) return undefined;
  const tokens = tokensOf(text);
  const budget = asked.budget ?? budgetOf(tokens.tokens.length);
  const filter = {
    country: number,
    type: type === undefined ? undefined : placeTypes.indexOf(type),
    near,
    home: home === undefined || country !== undefined ? undefined : gazetteer.countryNumber(home),
    lang,
    bbox,
    layers,
    isCode: (ref: number, code: string) => isCodeOf(store, ref, code),
    budget: budget.places,
  };
  return { store, text, tokens, options: { ...asked, budget }, filter, trace };
}

/**
 * The places that are sure enough: from the first such one, which is among the first few, up to the next that is not. None
 * behind that is shown with more confidence, so that it need not be judged.
 */
function judged(store: Store, best: readonly Candidate[], situationAt: (at: number) => Situation, limit: number) {
  const hits: SearchHit[] = [];
  for (let at = 0; at < best.length && hits.length < limit; at++) {
    const confidence = confidenceOf(situationAt(at));
    if (confidence >= floor) hits.push({ ...hit(store, best[at].ref), confidence });
    else if (hits.length > 0 || at === compared) break;
  }
  return hits;
}

function hitsInOrder(request: Request): SearchHit[] {
  const { store, text, options, trace } = request;
  const { layers, otherLayers, limit, fuzzy } = options;
  const hasDigit = digit.test(text);
  const hasNumber = hasDigit && letter.test(text);
  // Made when it is needed: of most texts nothing is on a street.
  const streetLayers = () => (otherLayers ? layers.union(otherLayers) : layers);
  // An address that a house answers is nothing else; of all texts with a number, most are one.
  const houses = fuzzy && hasNumber && addressLike.test(text) ? streetHits(request, streetLayers()) : undefined;
  if (houses?.[0]?.address.matchType === 'exact' && houses[0].confidence > weights.likely) return houses;
  const codes = hasDigit ? codesIn(request) : undefined;
  if (codes) return codes;
  // Where a house or street answers, a mistyped place does not.
  const isOnStreet = houses !== undefined && houses.length > 0 && houses[0].confidence >= weights.likely;
  const { places, best } = placesNamed(request, fuzzy && !isOnStreet);
  const situations = situationsOf(store.gazetteer, places.lattice, text, best);
  if (trace) Object.assign(trace, explain(places.lattice, places.found, best, situations));
  const hits = judged(store, best, situations, limit);
  const share = shareOf(best);
  const confidence = hits[0]?.confidence ?? 0;
  const mayBeShort = fuzzy && places.lattice.tokens.length <= maxWordsOfStreet;
  const isUnsure = mayBeShort && (confidence < weights.sure || leavesWords(best[0]));
  const isNamed = hits.length > 0 && share >= weights.named;
  // A place by its whole name is no street, however many others have that name.
  const isStreetLevel = !isNamed && (isUnsure || (fuzzy && hasNumber));
  const mayBeVillage = isUnsure && otherLayers?.has('street');
  const findVillages = () => besideOthers(store, layers, () => villageHits(request));
  const onStreet = isStreetLevel ? streetLayers() : layers;
  const findStreets = () => houses?.filter(({ layer }) => onStreet.has(layer)) ?? streetHits(request, onStreet);
  // A cluster is asked for both at once.
  const [streets, villages = []] = together([findStreets, ...(mayBeVillage ? [findVillages] : [])], (find) => find());
  // However sure an edited name is, a point may have the typed one.
  const mayBePoint = mayBeShort && !isNamed && !(streets[0]?.confidence >= weights.sure);
  const isWhole = !layers.has('poi') && (share >= weights.likely || streets.length > 0);
  const forms = { fuzzy: fuzzy && !isWhole, isWhole, isPrefix: false };
  const pois =
    layers.has('poi') || (mayBePoint && otherLayers?.has('poi'))
      ? besideOthers(store, layers, () => poiHits(request, forms))
      : [];
  const isStreet = ({ address: { id } }: (typeof villages)[number]) => streets.some(({ address }) => address.id === id);
  const others = [...villages.filter((each) => !isStreet(each)), ...streets, ...pois]
    .filter((each) => each.confidence >= floor)
    .sort((one, other) => other.confidence - one.confidence);
  // Of a firm or district that the dataset lacks, as of a house, the town is better than nothing; not of a person.
  const isPoor = hasNumber ? share < weights.likely : hits.length === 0 && !(best[0] && situations(0).isPersonal);
  const isLeft = isPoor && others.length === 0;
  const isUnlikely = hasNumber && Math.max(confidence, others[0]?.confidence ?? 0) <= weights.likely;
  if ((isLeft || isUnlikely) && !options.isTown && !layers.isDisjointFrom(townLayers)) {
    const town = townFor(request);
    // A street without the number is better where it is in that town.
    const isBetter = () => others[0]?.confidence > town!.confidence && isAround(store, town!, others[0]);
    if (town && (isLeft || (town.place !== undefined && !isBetter()))) return [town];
  }
  if (others.length === 0) return hits;
  // Where neither has the number, the place is meant: Barcelona in `Barcelona 92`, not a street of that name.
  const isPlace = others[0].layer === 'street' && hasNumber && hits.length > 0 && hasAllWords(best[0], places.lattice);
  // A hamlet that leaves a word is not before a street of that whole name, however sure it is.
  const most = isUnsure ? Math.min(confidence, weights.sure) : confidence;
  if (others[0].confidence > most && !isPlace) return [...others, ...hits];
  const inOrder = [...sureEnough(hits), ...others];
  return isPlace ? inOrder : inOrder.sort((one, other) => other.confidence - one.confidence);
}

/** Where the address of a text lies; what explains a town is the answer's. */
function townFor({ store, text, options, trace }: Request): SearchHit | undefined {
  const ofTown = { ...options, ...townOnly, layers: options.layers.intersection(townLayers) };
  let explained: Partial<Explanation> = {};
  const town = townOfAddress(store, text, (name) => {
    const { places } = options.budget;
    places.left = Math.max(places.left, townBudget);
    return geocode(store, name, ofTown, trace && (explained = {}));
  });
  if (town && trace) Object.assign(trace, explained);
  return town;
}

/** Whether a street, address or point is in a town or around it. */
const isAround = ({ gazetteer }: Store, { place }: Hit, { address, poi }: Hit): boolean =>
  isNear(positionOf(gazetteer.facts, place!), (address ?? poi)!, nearKm);

/** Whether a candidate's name is all of a text but its numbers. */
function hasAllWords({ parts, interpretation: { from, to } }: Candidate, { tokens }: Lattice): boolean {
  const isNamed = explainedBy({ ...parts, contextMatch: 0 }) >= weights.named;
  return isNamed && tokens.every(({ text }, at) => (at >= from && at < to) || digit.test(text));
}

/** Whether a text is the code of an airport, as codes are written, or of a country; undefined for what is no country's third code. */
function isCodeOf(
  { countries, places, gazetteer: { countryCode, facts } }: Store,
  ref: number,
  text: string,
): boolean | undefined {
  const area = areaOfMatch(facts, ref);
  if (area !== undefined) {
    const code = text.toUpperCase();
    const owner = countries.assigned.find(({ iso3 }) => iso3 === code);
    return owner && owner.iso2 === countryCode(area);
  }
  if (layerOfKind(facts.type(ref)) !== 'airport') return false;
  const { iata, icao } = places.namesOf(ref);
  return iata === text.toUpperCase() || icao === text.toUpperCase();
}

/** Maximum number of words in the name of a town at the end of an address. */
const maxWordsOfTown = 4;
/** `12 Collyer Quay Singapore 049319`, `London SW1A 2AA, United Kingdom`, `Athens 105 57, Greece`: a code behind a town, alone or before a country. */
const codeBehindTown =
  /(?<=\p{L}{2})[\s,]+(?:\d{4,}(?:-\d{3,4})?|\d{3} ?-?\d{2,4}|[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}|[a-z]\d[a-z] ?\d[a-z]\d)(?=\s*(?:,[^,\d]+)?$)/iu;
/** What may name the town of an address, likeliest first, how sure that must be, and whether it stands apart from the rest. */
function townsIn(text: string, sure: number): { name: string; least: number; isApart: boolean }[] {
  const words = withEastAsianBlanks(text)
    .trim()
    .replace(codeBehindTown, '')
    .replace(/^〒?[\d-]+\s+(?=\p{Script=Han})/u, '')
    .split(/(?<=[,،、])\s*|\s+/);
  const endsPart = (at: number) => digit.test(text) && /[,،、]$/.test(words[at] ?? '');
  const lengths = Array.from({ length: Math.min(maxWordsOfTown, words.length - 1) }, (_, at) => at + 1);
  const ends = lengths.toReversed().map((length) => {
    const before = words.length - length - 1;
    // Between `Landstrasse 105` and `Triesen`, the number ends the street.
    const endsStreet = before > 0 && digit.test(words[before]) && !endsPart(before - 1);
    return { name: words.slice(-length).join(' '), isApart: endsStreet || endsPart(before) };
  });
  // `Москва, ул. Тверская, 7`, `Milano via Dante 3`, `東京都千代田区千代田1-1`
  const isEastAsian = eastAsian.test(text);
  const starts = (isEastAsian ? lengths.toReversed() : lengths)
    .filter((length) => isEastAsian || endsPart(length - 1) || beginsStreet(words.slice(length)))
    .map((length) => ({ name: words.slice(0, length).join(' '), isApart: isEastAsian || endsPart(length - 1) }));
  return (isEastAsian ? [...starts, ...ends] : [...ends, ...starts])
    .map((each) => ({ ...each, least: each.isApart ? weights.likely : sure }))
    .sort((one, other) => Number(other.isApart) - Number(one.isApart));
}

/** Whether words are a street whose kind comes first, or is the end of the first word. */
function beginsStreet([first, ...rest]: readonly string[]): boolean {
  const kinds = queryWords(first);
  return kinds.some((word) => word.some(isStreetType)) && (kinds.length > 1 || letter.test(rest.join('')));
}

/** Where an address lies that the dataset does not have: London for `12 Park Lane, London`; `find` returns the hits of a text. */
function townOfAddress(
  store: Store,
  text: string,
  find: (name: string) => readonly SearchHit[],
  sure: number = weights.sure,
): SearchHit | undefined {
  for (const { name, least, isApart } of townsIn(text, sure)) {
    if (!letter.test(name)) continue;
    // Singapore is a country first.
    const best = find(name).find((each) => each.confidence >= least && isTown(store, each, !isApart));
    if (best) return { ...best, confidence: confidenceOf(plainSituation), isOnlyTown: true };
  }
  return undefined;
}

/**
 * Alpha-2 code of the country in which an address lies that the dataset does not have; undefined where its text names no
 * settlement or area.
 */
export function countryOfAddress(store: Store, text: string): string | undefined {
  const options = { ...townOnly, layers: settlements, budget: budgetOf(tokensOf(text).tokens.length) };
  const find = (name: string) => geocode(store, name, options);
  const town = townOfAddress(store, text, find, weights.likely);
  return town && countryOfHit(store, town);
}

/** Alpha-2 code of the country of a place or area. */
export function countryOfHit({ gazetteer }: Store, { place, area }: Hit): string {
  const { facts, areaFacts, countryCode } = gazetteer;
  return countryCode(place === undefined ? areaFacts(area!).country : facts.country(place));
}

/** Whether a hit may be where an address lies; without a comma the last word may as well be the street's. */
const isTown = ({ gazetteer: { facts } }: Store, { place, area, postal }: Hit, isEnding: boolean): boolean =>
  (place !== undefined && (!isEnding || postal !== undefined || facts.population(place) >= minInhabitants)) ||
  (area !== undefined && !isEnding);

/** What a postal code in the text answers, with `isOpen` an unfinished one; undefined where it has none. */
function codesIn({ store, text, filter, options, trace }: Request, isOpen = false): SearchHit[] | undefined {
  const { country, near, layers, fuzzy, limit } = options;
  const { gazetteer } = store;
  if (!layers.has('postal') && !layers.has('place')) return undefined;
  const search = (rest: string) =>
    new PlaceSearch(gazetteer, rest, {
      ...filter,
      type: undefined,
      layers: settlements,
      isFuzzy: fuzzy,
      limit: maxNamesWithCode,
    }).found
      .best(maxNamesWithCode)
      .map(({ ref, parts }): NamedBesideCode => {
        const cost = 100 - explainedBy(parts);
        const area = areaOfMatch(gazetteer.facts, ref);
        return area === undefined ? { place: ref, cost } : { ...gazetteer.areaFacts(area), cost };
      });
  const admitted = new Candidates(gazetteer, { ...filter, layers: placesOnly });
  const admits = (place: number, lacksCode = false) => (!lacksCode || layers.has('place')) && admitted.admits(place);
  const unfinished = isOpen ? codesBeginning(store, text, { country, admits }, limit) : undefined;
  const found = unfinished ?? postalSearch(store, text, { country, near, admits, search });
  const situationOf = (hit: PostalHit) => situationOfCode(gazetteer, text, hit);
  if (trace && found) Object.assign(trace, explainCodes(text, found, situationOf));
  return found?.hits.map((code) => ({
    layer: layers.has('postal') && (code.isCode || !layers.has('place')) ? 'postal' : 'place',
    place: code.place,
    confidence: confidenceOf(situationOf(code)),
    postal: code.lacksCode ? undefined : code.record,
  }));
}

const letter = /\p{L}/u;
const digit = /\d/;
const eastAsian = /\p{Script=Han}|\p{Script=Hangul}/u;
/** Two words and a number that is no long postal code. */
const addressLike = /^(?=.*\p{L}.*[\s,].*\p{L})(?=.*(?<![\p{L}\p{N}])\d{1,4}(?!\d))/u;
const townOnly = { otherLayers: undefined, fuzzy: false, limit: 2, isTown: true };
const settlements: ReadonlySet<Layer> = new Set<Layer>(['country', 'region', 'place']);
/** The layers that may have where an address lies. */
const townLayers = settlements.union(new Set<Layer>(['subregion', 'postal']));

/** What a half-typed text may become, best first; `trace` receives how the places came about. */
export function complete(
  store: Store,
  text: string,
  asked: Omit<GeocodeOptions, 'fuzzy'>,
  trace?: Partial<Explanation>,
): Hit[] {
  const request = requestOf(store, text, { ...asked, fuzzy: false }, trace);
  if (!request) return [];
  const { layers, limit } = asked;
  // As in a search: `Rambla República Argentina 1225` is no postal code.
  const houses = addressLike.test(text) ? suggestedHouses(request) : undefined;
  if (houses?.[0]?.address.matchType === 'exact')
    return streetSuggestions(request, false, houses).slice(0, limit).map(unjudged);
  const codes = layers.has('postal') && digit.test(text) ? codesIn(request, true) : undefined;
  if (codes) return codes.slice(0, limit).map(unjudged);
  const { suggestions, isEdited } = suggest(store.gazetteer, request, limit);
  const places = suggestions.map(({ ref }) => hit(store, ref));
  if (places.length === limit && !isEdited) return places;
  const words = queryWords(text);
  // Nine in ten half-typed names of places are the beginning of no other name, which needs no engine to see.
  const mayBegin = (names: Store['streets'] | Store['pois'], isEmpty: boolean) => isEmpty || names?.mayBegin(words);
  const streets = besideOthers(store, layers, () =>
    digit.test(text) || mayBegin(store.streets, places.length === 0)
      ? streetSuggestions(request, places.length === 0, houses)
      : [],
  );
  const found = isEdited ? [...streets, ...places] : [...places, ...streets];
  // Behind a point's name, a text may have that of its town.
  const mayBePoint = found.length < limit && (words.length > 1 || mayBegin(store.pois, found.length === 0));
  const forms = { fuzzy: places.length === 0, isPrefix: true };
  const pois = mayBePoint && layers.has('poi') ? besideOthers(store, layers, () => poiHits(request, forms)) : [];
  const isFound = ({ poi }: (typeof pois)[number]) => places.some(({ place }) => isFeature(store, place, poi));
  const all = [...found, ...pois.filter((each) => !isFound(each))];
  // As in a search, of an address that the dataset lacks, the town.
  const isLeft = isEdited && (all.length === 0 || (houses && !(houses[0]?.confidence >= weights.likely)));
  const town = isLeft && addressLike.test(text) ? townFor(request) : undefined;
  return (town ? [...all, town] : all).slice(0, limit);
}

const unjudged = ({ confidence: _, ...each }: Hit): Hit => each;

/** Whether a row of the gazetteer is a feature, and the same as a point of interest. */
function isFeature({ places }: Store, place: number | undefined, poi: LatLng & { name: string }): boolean {
  if (place === undefined || !places.featureFacts(place)) return false;
  const { name, lat, lng } = places.get(place);
  return isSamePoint({ lat, lng }, [name, ...Object.values(places.namesOf(place))], poi);
}

function hit({ gazetteer }: Store, ref: number): Hit {
  const { facts } = gazetteer;
  const area = areaOfMatch(facts, ref);
  if (area === undefined) return { layer: layerOfKind(facts.type(ref)), place: ref };
  return { layer: traitsOfArea(gazetteer, area).layer, area };
}

const shareOf = ([first]: readonly Candidate[]) => (first ? explainedBy(first.parts) : 0);

/** What a search of places finds, best first. */
type Found = { places: PlaceSearch; best: readonly Candidate[] };

/**
 * The places that a text names, or that it may have meant, without its article, with another keyboard, a short point of the compass
 * or in Latin letters, if they explain more; only as typed where the text is not fuzzy, and without edits unless `mayEdit`.
 */
function placesNamed({ store: { gazetteer }, text, tokens, filter, options }: Request, mayEdit: boolean): Found {
  const { facts } = gazetteer;
  const limit = options.limit + compared;
  const search = (other: string, isFuzzy: boolean, costOf?: (ref: number) => number): Found => {
    const wanted = { ...filter, isFuzzy, limit };
    const places = new PlaceSearch(gazetteer, other, wanted, other === text ? tokens : tokensOf(other));
    if (!costOf) return { places, best: places.found.best(limit) };
    const best = places.found.best(limit).map((each) => {
      const cost = costOf(each.ref);
      return { ...each, score: each.score - cost, parts: { ...each.parts, textMatch: each.parts.textMatch - cost } };
    });
    return { places, best: best.sort((one, other) => other.score - one.score) };
  };
  const bare = options.fuzzy ? withoutArticle(text) : undefined;
  let asTyped = search(text, mayEdit && bare === undefined);
  if (bare !== undefined) {
    const isTown = (ref: number) => layerOfKind(facts.type(ref)) === 'place';
    const costOf = (ref: number) => (isTown(ref) ? weights.articleOfTown : weights.article);
    const isRather = (other: Found, least: number) =>
      other.best.length > 0 &&
      !leavesWords(other.best[0]) &&
      other.best[0].score > Math.max(least, leastWithoutArticle(asTyped, other));
    const exact = search(bare, false, costOf);
    if (isRather(exact, weights.sufficientScore)) return exact;
    if (mayEdit && !asTyped.places.isSatisfied()) {
      asTyped = search(text, true);
      const similar = search(bare, true, costOf);
      if (isRather(similar, Number.NEGATIVE_INFINITY)) return similar;
    }
  }
  if (!options.fuzzy) return asTyped;
  const share = shareOf(asTyped.best);
  for (const other of share < weights.named ? otherKeyboards(text) : []) {
    const otherwise = search(other, false, () => weights.otherKeyboard);
    if (shareOf(otherwise.best) >= weights.named - weights.otherKeyboard) return otherwise;
  }
  const others = share < 100 - weights.compassWord ? writtenOtherwise(text) : [];
  return others
    .map((other) => search(other, false, () => weights.compassWord))
    .reduce((best, other) => (shareOf(other.best) > shareOf(best.best) ? other : best), asTyped);
}

/** The score of what a text without its article names if that is rather meant than what it names with it. */
function leastWithoutArticle({ places: { lattice }, best: [first] }: Found, { places: other }: Found): number {
  if (!first) return Number.NEGATIVE_INFINITY;
  const { score, parts, interpretation } = first;
  if (interpretation.to > lattice.tokens.length - other.lattice.tokens.length) return score + weights.nameWithArticle;
  // Die in France is no article.
  return parts.contextMatch + parts.aliasWorth === 0 ? Number.POSITIVE_INFINITY : score;
}
