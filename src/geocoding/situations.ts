/** What decides the confidence of the places and areas that a text names. */
import { isNear } from '../core/geo.ts';
import type { Address, AddressComponent } from '../store/address-contract.ts';
import type { Gazetteer, WordUse } from '../store/gazetteer.ts';
import type { Store } from '../store/store.ts';
import { fold } from '../text/fold.ts';
import { isTransliterable } from '../text/scripts.ts';
import {
  airportWords,
  connectorWords,
  featureKinds,
  featureWords,
  placeKindWords,
  qualifierWords,
  requestWords,
} from '../text/word-lists.ts';
import {
  isDirection,
  isNumeric,
  isStreetType,
  nameWords,
  queryWords,
  sharesVariant,
  type Word,
} from '../text/words.ts';
import { areaOfMatch, Located, traitsOfArea } from './area-traits.ts';
import type { Candidate, NameInterpretation } from './candidates.ts';
import fitted from './confidence.json' with { type: 'json' };
import type { Lattice } from './lattice.ts';
import { similarity } from './namesakes.ts';
import type { PostalHit } from './postal-codes.ts';
import { plainSituation, type Situation } from './score.ts';
import weights from './weights.json' with { type: 'json' };

/** Answers farther apart than this are different ones; nearer ones may be one place under two records. */
export const otherKm = 5;
/** The first so many answers are compared with, however many are wanted. */
export const compared = 8;
const code = /^[A-Z]{3,4}$/;
/** Whether a text may be the code of an airport, as codes are written: `ADA`, `WATT`, `SAN airport`. */
export function isAirportCode(text: string): boolean {
  const words = /[A-Z]{3}/.test(text) ? text.split(/\s+/) : [];
  const codes = words.filter((word) => code.test(word));
  return codes.length === 1 && words.every((word) => word === codes[0] || airportWords.has(fold(word)));
}
/** Words around a name that cost more are not its context. */
export const { maxExplained } = fitted;

/** The situations of candidates, best first, by their index. */
export function situationsOf(
  gazetteer: Gazetteer,
  lattice: Lattice,
  text: string,
  candidates: readonly Candidate[],
): (at: number) => Situation {
  const signs = signsOf(text);
  const uses = lattice.tokens.map(({ text }) => gazetteer.wordUse(text));
  const isPersonal = lattice.tokens.length < 4 && isGivenName(lattice.tokens[0]?.text ?? '', uses[0]);
  const statesAnyKind = lattice.tokens.some(({ text }) => featureWords.has(text));
  const rivals = Math.min(compared, candidates.length);
  const places: Where[] = [];
  const whereOf = (at: number) => (places[at] ??= where(gazetteer, candidates[at].ref));
  return (at) => {
    const { score, parts, interpretation } = candidates[at];
    const { from, to, name } = interpretation;
    const typed = lattice.text(from, to);
    let other = 0;
    while (other < rivals && (other === at || isSame(whereOf(other), whereOf(at)))) other++;
    const { prominence, located } = whereOf(at);
    // A code in capitals is no word and no person's name.
    const isCode = located.layer === 'airport' && parts.textMatch === 0 && isAirportCode(text);
    const contextCost = -parts.contextMatch;
    const isLeft = leavesWords({ parts });
    // A word that is not understood says as much against the answer beside a country as alone: `Paris France xyz`.
    const isUnread = isLeft && lattice.leavesUnknown(from, to, located);
    const explainedShare = isUnread ? 0 : lattice.explainedShare(from, to, contextCost);
    // A name in another alphabet is spelled, not mistyped.
    const isEdited = parts.textMatch < 0 && typed !== name && !isTransliterable(typed);
    return {
      textCost: -parts.textMatch,
      contextCost,
      nameCost: -parts.nameMatch,
      contextBehind: Math.max(0, contextCost + candidates[0].parts.contextMatch),
      aliasCost: -parts.aliasWorth,
      margin: other < rivals ? Math.max(0, score - candidates[other].score) : null,
      isOneOfSeveral: false,
      isEdited,
      letters: typed.length,
      // A number alone is more common than any word.
      commonness: isCode ? 0 : isNumeric(typed) ? 1 : leastCommon(uses.slice(from, to)),
      isPersonal: !isCode && isPersonal && !statesKind(lattice, interpretation, located.layer ?? ''),
      signs,
      isOtherName:
        (isLeft && (isName(lattice, 0, from) || isName(lattice, to, lattice.tokens.length))) ||
        (-parts.textMatch > weights.wordsMissing && explainedShare > 0 && isName(lattice, from, to)),
      isOtherKind: statesAnyKind && isOtherKind(gazetteer, lattice, candidates[at], located.layer ?? ''),
      // A connector beside a name explains nothing: `the moon`.
      hasContext: explainedShare > 0 && !isLeft,
      // Where the name is edited as well, half a context may be chance: `blah blah` in Balkh.
      explainedShare: isEdited ? 0 : explainedShare,
      prominence,
    };
  };
}

/** Whether words around a candidate's name are not its context. */
export const leavesWords = ({ parts }: { parts: Pick<Candidate['parts'], 'contextMatch'> }): boolean =>
  -parts.contextMatch > maxExplained;

/** Whether a word is a person's: North is one too, but mostly a place's. */
const isGivenName = (word: string, use: WordUse | undefined) => use?.isGivenName === true && !isDirection(word, false);

/** How common the least common of some words is. */
const leastCommon = (uses: readonly (WordUse | undefined)[]) => Math.min(1, ...uses.map((use) => use?.commonness ?? 0));

/** Whether a word around a name says what is wanted there, or of which kind it is. */
const hasKnownUse = (word: string) =>
  requestWords.has(word) || connectorWords.has(word) || placeKindWords.has(word) || featureWords.has(word);

/** Whether words are the name of a place, which is not the answer. */
function isName(lattice: Lattice, from: number, to: number): boolean {
  if (from === to || hasKnownUse(lattice.text(from, to))) return false;
  const range = lattice.placeNames(from, to);
  return range.from < range.to;
}

/**
 * Whether a word of the text states another kind of thing than the answer is: `tower` in `eiffel tower` beside a town or as
 * one's name, in `lotus tower` beside a temple. A town with such a word in its name is meant by the whole name, or by one with
 * its region: `Tower, Ireland`. Of a longer name, a word that only states the kind is too little: `salvo palace`.
 */
function isOtherKind(
  gazetteer: Gazetteer,
  lattice: Lattice,
  { ref, parts, interpretation: { from, to, name } }: Candidate,
  layer: string,
): boolean {
  const isPart = parts.nameMatch < 0 || (parts.textMatch < 0 && lattice.text(from, to) === name);
  const isExact = lattice.text(from, to) === name && !isPart;
  if (isExact && parts.contextMatch === 0) return false;
  const words = lattice.tokens.map(({ text }) => text);
  const own = fold(areaOfMatch(gazetteer.facts, ref) === undefined ? gazetteer.nameOf(ref) : '').split(' ');
  const ownKinds = new Set(own.flatMap((word) => [...(featureKinds.get(word) ?? [])]));
  const isOther = (word: string) => {
    const [layers, kinds] = [featureWords.get(word), featureKinds.get(word)!];
    return layers && (!layers.has(layer) || (ownKinds.size > 0 && ownKinds.isDisjointFrom(kinds)));
  };
  const inside = words.slice(from, to);
  // Lake Garda is the context of `Sirmione lake garda`.
  const isContext = (at: number) =>
    !leavesWords({ parts }) &&
    lattice.spans.some(
      ({ from: start, to: end }) =>
        start <= at && at < end && end - start > 1 && (end <= from || start >= to) && isName(lattice, start, end),
    );
  const isOutside = (at: number) => at < from || at >= to;
  if (words.some((word, at) => isOutside(at) && isOther(word) && !isContext(at))) return true;
  const statesKind = (word: string) => featureWords.has(word) || qualifierWords.has(word) || connectorWords.has(word);
  if (inside.every(statesKind) && (isPart || inside.some(isOther))) return true;
  return inside.length === words.length && inside.some(isOther);
}

/** Whether a word of the name says that the answer is of its kind: `Iona National Park` is no person. */
function statesKind({ tokens }: Lattice, { from, to }: NameInterpretation, layer: string): boolean {
  return tokens.slice(from + 1, to).some(({ text }) => featureWords.get(text)?.has(layer));
}

/** `area` is a number that no area has for a place. */
type Where = Pick<ReturnType<typeof traitsOfArea>, 'area' | 'located' | 'prominence' | 'position'>;

function where(gazetteer: Gazetteer, ref: number): Where {
  const { facts } = gazetteer;
  const area = areaOfMatch(facts, ref);
  if (area !== undefined) return traitsOfArea(gazetteer, area);
  const located = new Located();
  located.setPlace(facts, ref);
  const position = { lat: located.lat / 1e6, lng: located.lng / 1e6 };
  return { area: Number.NaN, located, prominence: facts.prominence(ref), position };
}

/** Shorter words are alike by chance. */
const minAlike = 4;

/** What the parts of a text are of an answer: its name, what it lies in, with how many mistyped parts, and neither. */
export type ReadParts = { name: string; context?: string; edits?: number; unread?: string };

/**
 * The situation of a street, address or point of interest with one of some names. `cost` are points for what is not as the text
 * has it, and `hasOther` says that another answer is as good.
 */
export function situationOfName(
  { gazetteer }: Pick<Store, 'gazetteer'>,
  text: string,
  names: readonly string[],
  { name, context = '', edits = 0, unread = '' }: ReadParts,
  { cost, hasOther }: { cost: number; hasOther: boolean },
): Situation {
  const [typed, around, others] = [name, context, unread].map(queryWords);
  const lacking = (words: readonly Word[], all: readonly Word[]) =>
    words.filter((word) => !all.some((each) => sharesVariant(word, each)));
  const read = names.map(nameWords).map((own) => {
    const [missing, strange] = [lacking(own, typed), lacking(typed, own)];
    // A mistyped compound is two words of the name.
    const [right, wrong] = [joined(missing), joined(strange)];
    const likeness = right === '' ? 1 : wrong.length < minAlike ? 0 : similarity(right, wrong);
    return { strange, likeness };
  });
  const { strange, likeness } = read.reduce((best, each) => (each.likeness > best.likeness ? each : best));
  // A part of a long name is less than the name, and with an edit next to nothing.
  const isWhole = likeness >= weights.similarWord;
  const [letters, contextLetters, otherLetters] = [typed, around, others].map((words) => joined(words).length);
  const total = letters + contextLetters + otherLetters;
  const textCost = cost + weights.otherEdit * (strange.length + edits) + (isWhole ? 0 : weights.wordsMissing);
  const contextCost = (weights.unexplainedLetters * otherLetters) / total + weights.unexplainedToken * others.length;
  const uses = typed.map(([word]) => gazetteer.wordUse(word));
  return {
    ...plainSituation,
    textCost,
    contextCost,
    margin: hasOther ? 0 : null,
    isOneOfSeveral: hasOther,
    isEdited: textCost > cost,
    letters: Math.max(1, isWhole ? letters : letters - joined(strange).length),
    commonness: contextLetters > 0 ? 0 : leastCommon(uses),
    signs: signsOf(text),
    isOtherName: others.some(([word]) => !hasKnownUse(word) && gazetteer.placeNames.exact(word).to > 0),
    isPersonal: typed.length === 2 && typed.length === queryWords(text).length && isGivenName(typed[0][0], uses[0]),
    hasContext: contextLetters > 0 && contextCost <= maxExplained,
    explainedShare: contextLetters / Math.max(1, total - letters),
    prominence: weights.streetProminence,
  };
}

const joined = (words: readonly Word[]): string => words.map(([typed]) => typed).join('');

/** Points for how an address was found. */
const costOfMatch: Readonly<Record<Address['matchType'], number>> = {
  exact: 0,
  intersection: 0,
  interpolated: weights.streetAlone,
  street: weights.streetAlone,
  partial: weights.contradictedHouse,
};

/** The situation of an address among those that were found with it. */
export function situationOfAddress(store: Store, text: string, address: Address, found: readonly Address[]): Situation {
  const { street, matchType, components = [] } = address;
  const isElsewhere = isInOtherTown(store, address);
  const isOther = isElsewhere || isOtherStreet(address);
  const cost = isOther ? weights.otherStreet : costOfMatch[matchType];
  const isStreet = ({ component }: AddressComponent) => component === 'street';
  const others = components.filter((each) => !isStreet(each) && each.component !== 'unit');
  const typed = (each: readonly AddressComponent[]) => each.flatMap(({ input }) => input ?? []).join(' ');
  const isRead = ({ status }: AddressComponent) =>
    status === 'confirmed' || status === 'corrected' || status === 'inferred';
  const parts = {
    name: typed(components.filter(isStreet)),
    context: typed(others.filter(isRead)),
    edits: others.filter(({ status }) => status === 'corrected').length,
    unread: typed(others.filter((each) => !isRead(each))),
  };
  // Where there are several such streets or houses, the text says less. Of a name alone that a dataset has one street of, the
  // world has more: `Albert Einstein`.
  const isNamed = parts.context + parts.unread !== '' || queryWords(text).some((word) => word.some(isStreetType));
  const isBare = !isNamed && address.object?.startsWith('w') === true;
  const hasOther = isBare || found.some((other) => !isNear(other, address, otherKm));
  const situation = situationOfName(store, text, [street], parts, { hasOther, cost });
  return { ...situation, ...(isElsewhere ? { explainedShare: 0 } : isOther ? {} : houseInTown(address)) };
}

/** Whether a street has not the number and lies in another town than the text has: `Main St 10 Boston` is not in Watertown. */
function isInOtherTown({ cities }: Store, { country, components = [] }: Address): boolean {
  const isOther = ({ component, input, value, status }: AddressComponent) => {
    if (status !== 'confirmed' || (component !== 'city' && component !== 'admin1')) return false;
    const [typed, own] = [input, value].map((name) => cities.resolve(name ?? '', country)?.index);
    return typed !== undefined && own !== undefined && typed !== own;
  };
  const lacksHouse = components.some((each) => each.component === 'house_number' && each.status === 'missing');
  return lacksHouse && components.some(isOther);
}

/** Whether the text names another kind of street than the one that was found: `Schulweg 4` is not Schulstraße 4. */
function isOtherStreet({ components = [] }: Address): boolean {
  const isKind = ({ input }: AddressComponent) => queryWords(input ?? '').some((word) => word.some(isStreetType));
  const isOfStreet = ({ component }: AddressComponent) => component === 'street';
  return (
    components.some((each) => each.status === 'unread' && isKind(each)) && !components.filter(isOfStreet).some(isKind)
  );
}

/**
 * What differs for a house that the text names with its number and its town or postal code: these agree seldom by chance, so
 * that a typo in the street says little against it, and words beside them, such as a firm or a unit, next to nothing.
 */
function houseInTown({ matchType, components = [] }: Address): Partial<Situation> {
  const partsThatAre = (status: AddressComponent['status']) => components.filter((each) => each.status === status);
  const confirmed = new Set(partsThatAre('confirmed').map(({ component }) => component));
  const isLocated = confirmed.has('city') || confirmed.has('postal_code');
  if (matchType !== 'exact' || !isLocated || !confirmed.has('house_number')) return {};
  if (partsThatAre('contradicted').length > 0) return {};
  const isEdited = partsThatAre('corrected').length > 0;
  const typed = components.filter(({ input, status }) => input !== null && status !== 'unread');
  return {
    textCost: isEdited ? weights.editedHouse : 0,
    contextCost: weights.unreadBesideHouse * partsThatAre('unread').length,
    isEdited,
    letters: typed.reduce((sum, { input }) => sum + input!.length, 0),
    isPersonal: false,
    isOtherName: false,
    hasContext: true,
  };
}

/** The situation of a postal code, alone or with the name of its place, country or region. */
export function situationOfCode(
  { facts }: Gazetteer,
  text: string,
  { place, cost, record, lacksCode, hasOther }: PostalHit,
): Situation {
  // Somewhere in a city is as good as elsewhere in it.
  const isWide = !lacksCode && (record.radiusKm ?? 0) > otherKm;
  return {
    ...plainSituation,
    textCost: cost,
    margin: hasOther || isWide ? 0 : null,
    letters: record.postalCode.length,
    signs: signsOf(text),
    hasContext: hasOther === undefined && !isWide,
    prominence: Math.max(weights.streetProminence, facts.prominence(place)),
  };
}

/** The share of a text that is signs which names do not have: most of `¯\\_(ツ)_/¯` and of code. */
function signsOf(text: string): number {
  const signs = text.match(/[^\p{L}\p{M}\p{N}\s,.'’‘-]/gu);
  return signs === null ? 0 : signs.join('').length / text.replace(/\s/g, '').length;
}

/** Whether two answers are one place for whoever asks: near each other, or one in the other. */
function isSame(one: Where, other: Where): boolean {
  if (isWithin(one, other) || isWithin(other, one)) return true;
  const [from, to] = [one.position, other.position];
  return from !== undefined && to !== undefined && isNear(from, to, otherKm);
}

function isWithin({ located: { country, admin1, admin2 } }: Where, { area }: Where): boolean {
  return area === country || area === admin1 || area === admin2;
}
