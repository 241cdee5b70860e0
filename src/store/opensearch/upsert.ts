/** Live data: adds, changes and deletes addresses and points of the served index by their source's identifiers. */
import { setTimeout as wait } from 'node:timers/promises';
import { normaliseHouseNumber } from '../../core/address/house-number.ts';
import { poiCategories } from '../../core/poi-category.ts';
import { UsageError } from '../../errors.ts';
import { fold } from '../../text/fold.ts';
import { wholeName } from '../../text/whole-name.ts';
import { nameWords, queryWords, searchTerms } from '../../text/words.ts';
import type { SourceInfo } from '../manifest-format.ts';
import { unpackHouses } from '../sqlite/house-block.ts';
import { countryTerm, wholeNameTerm } from '../sqlite/terms.ts';
import { isCorrectable } from '../sqlite/vocabulary.ts';
import type { Connection } from './connection.ts';
import {
  type AreaDocument,
  anyOf,
  areaName,
  areaOfDocument,
  blockName,
  type Kind,
  numberOf,
  partTerm,
  poiName,
  type StreetDocument,
  wordName,
} from './documents.ts';
import { isConflict, LiveIndex, partOf, type Versioned } from './live-index.ts';
import { type LiveAddress, type LivePoi, type LiveRecord, type LiveSource, unnamedSource } from './live-record.ts';
import type { Found } from './look-ups.ts';
import { isNamable, poiDocumentOf, streetDocuments, wordDocument } from './write-documents.ts';

/** First ordinal of live houses: above those of any block, below those of interpolated positions. */
const firstLiveOrdinal = 98_304;
/** First number of settlements that the dataset lacks. */
const firstLiveArea = 2 ** 30;
/** How long a record is tried while other programs change the same documents. */
const timeoutMs = 30_000;
const maxPauseMs = 50;
/** Nodes notice the changes of a long file while it is applied, and of one that is broken off. */
const reportEveryMs = 1000;

type LiveData = Exclude<LiveRecord, LiveSource>;

/** Applies records in order to the served version; nodes answer with them within seconds. Returns their number. */
export async function upsertLive(connection: Connection, records: AsyncIterable<LiveRecord>): Promise<number> {
  const index = await LiveIndex.open(connection);
  let source = unnamedSource;
  let count = 0;
  let reportedAt = performance.now();
  try {
    for await (const record of records) {
      if ('source' in record) {
        source = index.sourceOf(record);
        continue;
      }
      await apply(index, record, source);
      count++;
      if (performance.now() - reportedAt < reportEveryMs) continue;
      await index.report();
      reportedAt = performance.now();
    }
  } catch (error) {
    if (count > 0) await index.report().catch(() => {});
    const reason = index.reasonOf(error);
    throw reason instanceof UsageError ? new UsageError(`${reason.message} (records applied: ${count})`) : reason;
  }
  if (count > 0) await index.report();
  return count;
}

async function apply(index: LiveIndex, record: LiveData, source: SourceInfo): Promise<void> {
  for (const startedAt = performance.now(); ; ) {
    try {
      if ('isDeleted' in record) await removeAll(index, record.id);
      else if ('street' in record) await putAddress(index, record, source);
      else await putPoi(index, record, source);
      return;
    } catch (error) {
      if (!isConflict(error) || performance.now() - startedAt > timeoutMs) throw error;
      await wait(Math.random() * maxPauseMs);
      await index.refresh();
    }
  }
}

/** Removes what an identifier of the source stands for, except from one document. */
async function removeAll(index: LiveIndex, id: string, except?: string): Promise<void> {
  const found = (await index.ofSource(id)).filter(({ _id }) => _id !== except);
  for (const { _id } of found) {
    if (_id.startsWith('p')) {
      await index.delete(_id);
      continue;
    }
    const street = await index.document<StreetDocument>(_id);
    await putStreet(index, street, { live: street._source.live?.filter((house) => house.id !== id) ?? [] });
  }
  if (found.length > 0) await index.refresh();
}

async function putAddress(index: LiveIndex, address: LiveAddress, source: SourceInfo): Promise<void> {
  await index.credit(source, ['addresses', 'streets']);
  const name = (await streetOf(index, address)) ?? (await newStreet(index, address, source.id));
  const street = await index.document<StreetDocument>(name);
  const { live = [], gone = [], p = '' } = street._source;
  const codes = p === '' ? [] : p.split('\n');
  const { id, postalCode, houseNumber, lat, lng } = address;
  if (postalCode !== undefined && !codes.includes(postalCode)) codes.push(postalCode);
  const number = normaliseHouseNumber(houseNumber);
  const before = live.find((house) => house.id === id);
  const houses = (await blocksOf(index, street)).flatMap(({ block }) => unpackHouses(block));
  // It keeps the identifier of the dataset's house that it replaces.
  const same = houses.find(
    ({ text, ordinal }) =>
      normaliseHouseNumber(text) === number && (ordinal === before?.ordinal || !gone.includes(ordinal)),
  );
  const ordinal =
    before?.ordinal ?? same?.ordinal ?? Math.max(firstLiveOrdinal, ...live.map((house) => house.ordinal + 1));
  const house = {
    id,
    src: source.id,
    text: houseNumber,
    y: Math.round(lat * 1e6),
    x: Math.round(lng * 1e6),
    postcode: postalCode === undefined ? -1 : codes.indexOf(postalCode),
    ordinal,
  };
  await putStreet(index, street, {
    live: [...live.filter((other) => other.id !== id), house],
    gone: same && !gone.includes(same.ordinal) ? [...gone, same.ordinal] : gone,
    p: codes.join('\n'),
  });
  index.reach(name, address);
  await index.refresh();
  await removeAll(index, id, name);
}

/** The document of the street of that name in the settlement; undefined where the index has none. */
async function streetOf(index: LiveIndex, { street, city, country }: LiveAddress): Promise<string | undefined> {
  const named = { term: { t: wholeNameTerm(wholeName(nameWords(street))) } };
  const words = queryWords(city).map((word) => anyOf(word));
  const found = await index.search<StreetDocument>([named, { term: { t: countryTerm(country) } }, ...words], 50);
  return (await inCity(index, found, city))?._id;
}

async function inCity(index: LiveIndex, found: readonly Found<StreetDocument>[], city: string) {
  for (const one of found.filter(({ _id }) => _id.startsWith('s'))) {
    const area = await index.document<AreaDocument>(areaName(partOf(one._id), one._source.a));
    if (area.found && area._source.city !== null && fold(area._source.city) === fold(city)) return one;
  }
  return undefined;
}

async function newStreet(index: LiveIndex, address: LiveAddress, src: string): Promise<string> {
  const { street, city, country, lat, lng } = address;
  const words = queryWords(city).map((word) => anyOf(word));
  const others = await index.search<StreetDocument>([{ term: { t: countryTerm(country) } }, ...words], 50);
  const neighbour = await inCity(index, others, city);
  const part = neighbour ? partOf(neighbour._id) : partWith(index, 'streets');
  const area = neighbour ? neighbour._source.a : await newArea(index, part, city, country);
  const { _source } = await index.document<AreaDocument>(areaName(part, area));
  const id = (await lastOf(index, 's', part)) + 1;
  const [y, x] = [Math.round(lat * 1e7), Math.round(lng * 1e7)];
  const facts = { highway: null, source: 0, stretches: null, lines: null, blocks: [], postcodes: '' };
  const row = { id, names: street, area, lat: y, lng: x, ...facts };
  const [[name, document]] = streetDocuments(part, row, areaOfDocument(_source), { src });
  await index.create(name, document);
  await addWords(index, `s${part}`, searchTerms(street));
  await index.refresh();
  // Another program may have added it too: the first one remains.
  const first = (await streetOf(index, address)) ?? name;
  if (first !== name) await index.delete(name);
  return first;
}

/** Number of a settlement that the part lacks. */
async function newArea(index: LiveIndex, part: number, city: string, country: string): Promise<number> {
  const text = `${country} ${fold(city)}`;
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 2;
  const words = [...new Set([...searchTerms(city), ...searchTerms(country)])].join(' ');
  const area: AreaDocument = { city, admin1: null, country, words };
  for (let number = firstLiveArea + hash; ; number++) {
    const { found, _source } = await index.document<AreaDocument>(areaName(part, number));
    if (!found) await index.create(areaName(part, number), area);
    // Another settlement may have the same hash.
    if (!found || (_source.country === country && fold(_source.city ?? '') === fold(city))) return number;
  }
}

async function putPoi(index: LiveIndex, poi: LivePoi, source: SourceInfo): Promise<void> {
  await index.credit(source, ['pois']);
  const known = (await index.ofSource(poi.id)).find(({ _id }) => _id.startsWith('p'))?._id;
  const name = known ?? (await newPoiName(index));
  const document = documentOf(poi, name, source.id);
  if (known === undefined) {
    await index.create(name, document);
    await index.refresh();
    // Another program may have added it too: the first one remains.
    const first = (await index.ofSource(poi.id)).find(({ _id }) => _id.startsWith('p'))?._id;
    if (first !== undefined && first !== name) {
      await index.delete(name);
      return putPoi(index, poi, source);
    }
  } else await index.replace(await index.document(known), document);
  await addWords(index, `p${partOf(name)}`, searchTerms(poi.name));
  index.reach(name, poi);
  await index.refresh();
  await removeAll(index, poi.id, name);
}

function documentOf({ id, name, category, cuisine, lat, lng }: LivePoi, document: string, src: string) {
  const [y, x] = [Math.round(lat * 1e7), Math.round(lng * 1e7)];
  const facts = { category: poiCategories.indexOf(category), lat: y, lng: x, cuisine: cuisine ?? null, source: 0 };
  return poiDocumentOf(partOf(document), { id: numberOf(document), name, others: '', ...facts }, { ids: id, src });
}

async function newPoiName(index: LiveIndex): Promise<string> {
  const part = partWith(index, 'pois');
  return poiName(part, (await lastOf(index, 'p', part)) + 1);
}

async function putStreet(
  index: LiveIndex,
  street: Versioned<StreetDocument>,
  changed: Partial<StreetDocument>,
): Promise<void> {
  const part = partOf(street._id);
  const {
    n,
    a,
    y,
    x,
    p = '',
    highway,
    o = 0,
    src,
    r,
    l,
    live,
    gone,
  }: StreetDocument = { ...street._source, ...changed };
  const packed = l?.startsWith('#')
    ? (await index.document<{ b: string }>(blockName(part, numberOf(street._id), 'l')))._source.b
    : l;
  const area = await index.document<AreaDocument>(areaName(part, a));
  const rows = {
    id: numberOf(street._id),
    names: n,
    area: a,
    postcodes: p,
    lat: y,
    lng: x,
    highway: highway ?? null,
    source: o,
    stretches: r ?? null,
    lines: packed === undefined ? null : Buffer.from(packed, 'base64'),
    blocks: await blocksOf(index, street),
  };
  const [[, document]] = streetDocuments(part, rows, areaOfDocument(area._source), {
    ...(live && { live }),
    ...(gone && { gone }),
    ...(src !== undefined && { src }),
  });
  await index.replace(street, document);
}

async function blocksOf(index: LiveIndex, { _id, _source: { h, f = [] } }: Versioned<StreetDocument>) {
  if (h === undefined) return [];
  const first = Buffer.from(h, 'base64');
  const blocks = [{ first: unpackHouses(first)[0].base, block: first }];
  for (const [at, lowest] of f.entries()) {
    const { _source } = await index.document<{ b: string }>(blockName(partOf(_id), numberOf(_id), at));
    blocks.push({ first: lowest, block: Buffer.from(_source.b, 'base64') });
  }
  return blocks;
}

/** Adds words for corrections; their frequencies are counted when a dataset is published. */
async function addWords(index: LiveIndex, part: string, words: readonly string[]): Promise<void> {
  for (const w of words.filter((word) => isCorrectable(word) && isNamable(word))) {
    await index.create(wordName(w), wordDocument({ w, c: { [part]: 1 } })).catch((error) => {
      if (!isConflict(error)) throw error;
    });
  }
}

function partWith({ facts }: LiveIndex, kind: 'streets' | 'pois'): number {
  const part = facts.parts.find((one) => one[kind] !== undefined);
  if (!part) throw new UsageError(`the published dataset has no ${kind}; publish a dataset that has some first`);
  return part.number;
}

/** The highest number of a street or point of a part; 0 where it has none. */
async function lastOf(index: LiveIndex, kind: Kind, part: number): Promise<number> {
  const [last] = await index.search([anyOf([partTerm(kind, part)])], 1, 'desc');
  return last ? numberOf(last._id) : 0;
}
