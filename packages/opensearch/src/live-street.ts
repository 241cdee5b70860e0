/** Addresses as live data: each is a house of its street's document, which is added where the index has none. */
import { normaliseHouseNumber } from '../../../src/core/address/house-number.ts';
import type { SourceInfo } from '../../../src/store/manifest-format.ts';
import { unpackHouses } from '../../../src/store/sqlite/house-block.ts';
import { countryTerm } from '../../../src/store/sqlite/terms.ts';
import { wholeNameTerm } from '../../../src/store/sqlite/word-triples.ts';
import { fold } from '../../../src/text/fold.ts';
import { wholeName } from '../../../src/text/whole-name.ts';
import { nameWords, queryWords, searchTerms } from '../../../src/text/words.ts';
import {
  type AreaDocument,
  anyOf,
  areaName,
  areaOfDocument,
  blockName,
  numberOf,
  type StreetDocument,
} from './documents.ts';
import { type LiveIndex, partOf, type Versioned } from './live-index.ts';
import type { LiveAddress } from './live-record.ts';
import type { Found } from './look-ups.ts';
import { streetDocuments } from './write-documents.ts';

/** First ordinal of live houses: above those of any block, below those of interpolated positions. */
const firstLiveOrdinal = 98_304;
/** First number of settlements that the dataset lacks. */
const firstLiveArea = 2 ** 30;

/** Adds or changes an address; returns the name of its street's document. */
export async function putAddress(index: LiveIndex, address: LiveAddress, source: SourceInfo): Promise<string> {
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
  return name;
}

/** Removes the address of a source's identifier from a street. */
export async function removeHouse(index: LiveIndex, name: string, id: string): Promise<void> {
  const street = await index.document<StreetDocument>(name);
  await putStreet(index, street, { live: street._source.live?.filter((house) => house.id !== id) ?? [] });
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
  const part = neighbour ? partOf(neighbour._id) : index.partWith('streets');
  const area = neighbour ? neighbour._source.a : await newArea(index, part, city, country);
  const { _source } = await index.document<AreaDocument>(areaName(part, area));
  const id = (await index.lastNumber('s', part)) + 1;
  const [y, x] = [Math.round(lat * 1e7), Math.round(lng * 1e7)];
  const facts = { highway: null, source: 0, stretches: null, lines: null, objects: null, blocks: [], postcodes: '' };
  const row = { id, names: street, area, lat: y, lng: x, ...facts };
  const [[name, document]] = streetDocuments(part, row, areaOfDocument(_source), { src });
  await index.create(name, document);
  await index.addWords(`s${part}`, searchTerms(street));
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
    ob,
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
    objects: ob ?? null,
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
