/** Live data as documents: a point is one of its own, an address a house of its street's, which is added where the index has none. */
import { hash } from 'node:crypto';
import { baseNumber, normaliseHouseNumber } from '../../../src/core/address/house-number.ts';
import { poiCategories } from '../../../src/core/place-kinds.ts';
import { UsageError } from '../../../src/errors.ts';
import type { SourceInfo } from '../../../src/store/manifest.ts';
import { unpackHouses } from '../../../src/store/sqlite/house-block.ts';
import { countryTerm } from '../../../src/store/sqlite/terms.ts';
import { wholeNameTerm } from '../../../src/store/sqlite/word-triples.ts';
import { together } from '../../../src/store/store.ts';
import { fold } from '../../../src/text/fold.ts';
import { nameWords, queryWords, searchTerms, wholeName } from '../../../src/text/words.ts';
import {
  type AreaDocument,
  anyOf,
  areaName,
  areaOfDocument,
  blockName,
  numberOf,
  type PoiDocument,
  poiName,
  type StreetDocument,
  streetName,
} from './documents.ts';
import { type Changes, partOf } from './live-index.ts';
import { type LiveAddress, type LivePoi, type LiveRecord, type LiveSource, unnamedSource } from './live-record.ts';
import { inPieces } from './look-ups.ts';
import { poiDocumentOf, withStreetTerms } from './write-documents.ts';

/** A record with its source. */
export type Sourced = { record: Exclude<LiveRecord, LiveSource>; source: SourceInfo };

/** First ordinal of live houses: above those of any block, below those of interpolated positions. */
const firstLiveOrdinal = 98_304;
/** Numbers of settlements, points and streets that the dataset lacks: by a hash, so that several programs choose the same. */
const [firstLiveArea, liveAreas] = [2 ** 30, 2 ** 30];
const [firstLivePoi, livePois] = [2 ** 30, 2 ** 29];
/** The upper half of what identifiers have room for. */
const [firstLiveStreet, liveStreets] = [2 ** 23, 2 ** 23 - 2 ** 10];
/** Maximum number of streets of a name, or of a settlement, that are looked at, and of names that are searched for together. */
const [maxCandidates, maxNames] = [50, 200];
/** Maximum number of documents that have an identifier of one of a batch of records. */
const maxKnown = 10_000;

/** Adds, changes and deletes what records say, in their order. */
export function planRecords(changes: Changes, records: readonly Sourced[]): void {
  /** The documents that stand for each identifier. */
  const places = new Map(records.map(({ record }) => [record.id, new Set<string>()]));
  const { streets } = changes.known;
  const addresses = records.flatMap(({ record }) =>
    'street' in record && !streets.has(keyOf(record)) ? [record] : [],
  );
  const inCities = [...Map.groupBy(addresses, ({ city, country }) => `${city}\n${country}`).values()];
  const lookUps = inCities.map((some) => () => findStreets(changes, some));
  together([() => addKnown(changes, places), ...lookUps], (lookUp) => lookUp());
  // What streets refer to is fetched before they are changed: the changes are planned anew after each round of look-ups.
  together([...new Set(streets.values())], (name) => {
    const street = name && changes.document<StreetDocument>(name);
    if (street) together([blocksOf, linesOf], (look) => look(changes, name, street));
  });
  together(records, ({ record, source }) => {
    const { id } = record;
    const known = places.get(id)!;
    refuseClash(changes, { record, source }, known);
    const put = (): string | undefined => {
      if ('deleted' in record) return undefined;
      if ('street' in record) return putAddress(changes, record, source, streets.get(keyOf(record)));
      const point = [...known].find((name) => name.startsWith('p'));
      return putPoi(changes, record, source, point);
    };
    const name = put();
    if (name !== undefined && 'lat' in record) changes.reach(name, record);
    together([...known], (other) => {
      if (other === name) return;
      known.delete(other);
      if (other.startsWith('p')) changes.put(other, undefined);
      else withHouses(changes, other, (live) => live.filter((house) => house.id !== id));
    });
    if (name !== undefined) known.add(name);
  });
}

const keyOf = ({ street, city, country }: LiveAddress) => `${street}\n${city}\n${country}`;

function addKnown(changes: Changes, places: ReadonlyMap<string, Set<string>>): void {
  const filter = [{ terms: { sid: [...places.keys()] } }];
  const found = changes.lookUps.parts<{ _id: string }>({ size: maxKnown, _source: false, filter });
  together(found, ({ _id }) => {
    const { live = [], ids } = changes.document<Partial<StreetDocument & PoiDocument>>(_id) ?? {};
    for (const id of [ids, ...live.map((house) => house.id)]) places.get(id!)?.add(_id);
  });
}

/** Throws UsageError where a record would change one of another source; without a source any is deleted. */
function refuseClash(changes: Changes, { record, source }: Sourced, known: ReadonlySet<string>): void {
  const isNamed = source.id !== unnamedSource.id;
  if (!isNamed && 'deleted' in record) return;
  for (const name of known) {
    const { live = [], src } = changes.document<Partial<StreetDocument & PoiDocument>>(name)!;
    const owner = name.startsWith('p') ? src : live.find(({ id }) => id === record.id)?.src;
    if (owner === undefined || owner === source.id || owner === unnamedSource.id) continue;
    const other = isNamed ? `give this one another, such as ${source.id}:${record.id}` : 'name that source before it';
    throw new UsageError(`the id ${record.id} is one of the source ${owner}; ${other}, or delete that one first`);
  }
}

/** Adds or changes a point, of which there is a document where it is known; returns the document's name. */
function putPoi(changes: Changes, poi: LivePoi, source: SourceInfo, known: string | undefined): string {
  const { id, name, category, cuisine = null, lat, lng } = poi;
  const part = changes.partWith('pois');
  const isFree = (document: PoiDocument | undefined) => !document || document.ids === id;
  const start = hashOf(id);
  const document = known ?? firstFree(changes, (at) => poiName(part, firstLivePoi + ((start + at) % livePois)), isFree);
  const facts = { category: poiCategories.indexOf(category), cuisine, source: 0, object: null, tag: null };
  const position = { lat: Math.round(lat * 1e7), lng: Math.round(lng * 1e7) };
  const row = { id: numberOf(document), name, others: '', ...facts, ...position };
  changes.put(document, poiDocumentOf(partOf(document), row, { ids: id, src: source.id }));
  changes.addWords(`p${partOf(document)}`, searchTerms(name));
  return document;
}

/** Adds or changes an address in the street that a search finds, else in one of its own; returns the street's document's name. */
function putAddress(changes: Changes, address: LiveAddress, source: SourceInfo, known: string | undefined): string {
  const name = known ?? newStreet(changes, address, source.id);
  const { id, postal_code: postalCode, house_number: houseNumber, lat, lng } = address;
  const number = normaliseHouseNumber(houseNumber);
  const street = changes.document<StreetDocument>(name)!;
  const blocks = blocksOf(changes, name, street);
  const base = baseNumber(number);
  const { packed } = blocks.findLast(({ first }) => first <= base) ?? {};
  const houses = packed === undefined ? [] : housesOf(changes, packed);
  withHouses(changes, name, (live, gone, codes) => {
    if (postalCode !== undefined && !codes.includes(postalCode)) codes.push(postalCode);
    const before = live.find((house) => house.id === id);
    // It keeps the identifier of the dataset's house that it replaces.
    const same = houses.find(
      (one) =>
        one.base === base &&
        normaliseHouseNumber(one.text) === number &&
        (one.ordinal === before?.ordinal || !gone.includes(one.ordinal)),
    );
    const ordinal =
      before?.ordinal ?? same?.ordinal ?? Math.max(firstLiveOrdinal, ...live.map((house) => house.ordinal + 1));
    if (same && !gone.includes(same.ordinal)) gone.push(same.ordinal);
    const postcode = postalCode === undefined ? -1 : codes.indexOf(postalCode);
    const position = { y: Math.round(lat * 1e6), x: Math.round(lng * 1e6) };
    const house = { id, src: source.id, text: houseNumber, ...position, postcode, ordinal };
    return before ? live.with(live.indexOf(before), house) : [...live, house];
  });
  return name;
}

type Houses = NonNullable<StreetDocument['live']>;

/** Changes the live houses of a street, and adds to its deleted houses and postal codes. */
function withHouses(
  changes: Changes,
  name: string,
  change: (live: Houses, gone: number[], codes: string[]) => Houses,
): void {
  const { live: before = [], gone: deleted = [], p: lines, ...street } = changes.document<StreetDocument>(name)!;
  const gone = [...deleted];
  const codes = lines === undefined ? [] : lines.split('\n');
  const live = change(before, gone, codes);
  changes.put(name, {
    ...street,
    ...(codes.length > 0 && { p: codes.join('\n') }),
    ...(live.length > 0 && { live }),
    ...(gone.length > 0 && { gone }),
  } satisfies StreetDocument);
}

/** Looks up the streets of addresses in one settlement: each the most prominent one of its name, if the index has any. */
function findStreets(changes: Changes, addresses: readonly LiveAddress[]): void {
  const [{ city, country }] = addresses;
  const written = Map.groupBy(addresses, ({ street }) => street);
  const named = Map.groupBy(written.keys(), wholeOf);
  const found = together(inPieces([...named.keys()], maxNames), (names) => {
    const streets = inCity(changes, names, city, country).toReversed();
    return new Map(streets.flatMap(({ _id, _source: { n } }) => n.split('\n').map((name) => [wholeOf(name), _id])));
  });
  for (const [at, [name, some]] of [...named].entries()) {
    const street = found[Math.floor(at / maxNames)].get(name);
    for (const each of some) changes.known.streets.set(keyOf(written.get(each)![0]), street);
  }
}

const wholeOf = (street: string) => wholeName(nameWords(street));

/** The streets in a settlement by prominence, of some names or any. */
function inCity(changes: Changes, names: readonly string[], city: string, country: string) {
  const ofNames = names.length > 0 ? [anyOf(names.map(wholeNameTerm))] : [];
  const filter = [...ofNames, { term: { t: countryTerm(country) } }, ...queryWords(city).map((word) => anyOf(word))];
  const size = maxCandidates * Math.max(1, names.length);
  // With their versions: most of them are changed.
  const body = { size, sort: [{ i: 'asc' }], seq_no_primary_term: true, filter };
  const found = changes.lookUps.search<StreetDocument>(body).filter(({ _id }) => _id.startsWith('s'));
  const areas = together(found, ({ _id, _source }) => changes.document<AreaDocument>(areaName(partOf(_id), _source.a)));
  return found.filter((_, at) => areas[at] && areas[at].city !== null && fold(areas[at].city) === fold(city));
}

/** The document of a street that no search finds: one that is added now, or was a moment ago. */
function newStreet(changes: Changes, { street, city, country, lat, lng }: LiveAddress, src: string): string {
  const [neighbour] = inCity(changes, [], city, country);
  const part = neighbour ? partOf(neighbour._id) : changes.partWith('streets');
  const a = neighbour?._source.a ?? newArea(changes, part, city, country);
  const start = hashOf(`${a} ${wholeOf(street)}`);
  const isSame = (known: StreetDocument | undefined) =>
    !known || (known.a === a && wholeOf(known.n) === wholeOf(street));
  const name = firstFree(changes, (at) => streetName(part, firstLiveStreet + ((start + at) % liveStreets)), isSame);
  if (changes.document(name)) return name;
  const position = { y: Math.round(lat * 1e7), x: Math.round(lng * 1e7) };
  changes.put(name, { n: street, a, ...position, src } satisfies StreetDocument);
  changes.addWords(`s${part}`, searchTerms(street));
  return name;
}

/** Number of a settlement that the part lacks. */
function newArea(changes: Changes, part: number, city: string, country: string): number {
  const start = hashOf(`${country} ${fold(city)}`);
  const isSame = (known: AreaDocument | undefined) =>
    !known || (known.country === country && fold(known.city ?? '') === fold(city));
  const name = firstFree(changes, (at) => areaName(part, firstLiveArea + ((start + at) % liveAreas)), isSame);
  const words = [...new Set([...searchTerms(city), ...searchTerms(country)])].join(' ');
  if (!changes.document(name)) changes.put(name, { city, admin1: null, country, words } satisfies AreaDocument);
  return numberOf(name);
}

const hashOf = (text: string): number => hash('sha1', text, 'buffer').readUInt32BE();

/** The first name whose document is free or the right one: others may have the same hash. */
function firstFree<T>(changes: Changes, nameAt: (at: number) => string, isFree: (document: T | undefined) => boolean) {
  for (let at = 0; ; at++) {
    const name = nameAt(at);
    if (isFree(changes.document<T>(name))) return name;
  }
}

/** A changed document with its search terms, which the index does not return. */
export function withTerms(changes: Changes, name: string, document: object): object {
  if (!name.startsWith('s')) return document;
  const part = partOf(name);
  const street = document as StreetDocument;
  const packed = linesOf(changes, name, street);
  const lines = packed === undefined ? null : Buffer.from(packed, 'base64');
  const houses = blocksOf(changes, name, street).flatMap(({ packed }) => housesOf(changes, packed));
  const area = areaOfDocument(changes.document<AreaDocument>(areaName(part, street.a))!);
  return withStreetTerms(part, numberOf(name), street, { area, houses, lines });
}

function housesOf({ known: { houses } }: Changes, packed: string) {
  let found = houses.get(packed);
  if (!found) houses.set(packed, (found = unpackHouses(Buffer.from(packed, 'base64'))));
  return found;
}

/** The packed vertices of a street in Base64. */
const linesOf = (changes: Changes, name: string, { l }: StreetDocument) =>
  l?.startsWith('#') ? changes.document<{ b: string }>(blockName(partOf(name), numberOf(name), 'l'))!.b : l;

/** The packed houses of a street in Base64, with the lowest number of each block but the first. */
function blocksOf(changes: Changes, name: string, { h, f = [] }: StreetDocument) {
  if (h === undefined) return [];
  const further = together(f, (first, at) => {
    const { b } = changes.document<{ b: string }>(blockName(partOf(name), numberOf(name), at))!;
    return { first, packed: b };
  });
  return [{ first: 0, packed: h }, ...further];
}
