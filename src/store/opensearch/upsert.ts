/** Live data: adds, changes and deletes addresses and points of the served index by their source's identifiers. */
import { normaliseHouseNumber } from '../../core/address/house-number.ts';
import type { LatLng } from '../../core/geo.ts';
import { poiCategories } from '../../core/poi-category.ts';
import { UsageError } from '../../errors.ts';
import { fold } from '../../text/fold.ts';
import { wholeName } from '../../text/whole-name.ts';
import { nameWords, queryWords, searchTerms } from '../../text/words.ts';
import { extended } from '../bounds.ts';
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
  type IndexFacts,
  type Kind,
  numberOf,
  type PartFacts,
  partTerm,
  poiName,
  type StreetDocument,
  wordName,
} from './documents.ts';
import { servedIndex } from './engine.ts';
import type { LiveAddress, LivePoi, LiveRecord } from './live-record.ts';
import type { Found } from './look-ups.ts';
import { Refused } from './request.ts';
import { poiDocumentOf, streetDocuments, wordDocument } from './write-documents.ts';

/** First ordinal of live houses: above those of any block, below those of interpolated positions. */
const firstLiveOrdinal = 98_304;
/** First number of settlements that the dataset lacks. */
const firstLiveArea = 2 ** 30;
/** Maximum number of attempts for a record that another writer changed meanwhile. */
const attempts = 8;

type Versioned<T> = { found: boolean; _id: string; _seq_no: number; _primary_term: number; _source: T };

/** Applies records in order to the served version; nodes answer with them within seconds. Returns their number. */
export async function upsertLive(connection: Connection, records: AsyncIterable<LiveRecord>): Promise<number> {
  const served = await servedIndex(connection);
  if (!served) throw new UsageError('nothing is published in this cluster; publish a dataset first');
  const writer = new LiveWriter(connection, served.index, structuredClone(served.facts));
  let count = 0;
  for await (const record of records) {
    await writer.apply(record);
    count++;
  }
  if (count > 0) await writer.finish();
  return count;
}

class LiveWriter {
  readonly #connection: Connection;
  readonly #index: string;
  readonly #facts: IndexFacts;

  constructor(connection: Connection, index: string, facts: IndexFacts) {
    this.#connection = connection;
    this.#index = index;
    this.#facts = facts;
  }

  async apply(record: LiveRecord): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        if ('isDeleted' in record) await this.#remove(record.id);
        else if ('street' in record) await this.#address(record);
        else await this.#poi(record);
        return;
      } catch (error) {
        // Another writer was there first.
        if (!(error instanceof Refused && error.status === 409) || attempt === attempts) throw error;
        await this.#refresh();
      }
    }
  }

  /** Makes the changes visible, and records their number for the nodes. */
  async finish(): Promise<void> {
    await this.#refresh();
    const facts = { ...this.#facts, changes: this.#facts.changes + 1 };
    await this.#connection.write({ method: 'PUT', path: `/${this.#index}/_mapping`, body: { _meta: facts } });
  }

  async #refresh(): Promise<void> {
    await this.#connection.write({ method: 'POST', path: `/${this.#index}/_refresh` });
  }

  async #remove(id: string, except?: string): Promise<void> {
    for (const { _id } of await this.#search([{ term: { sid: id } }], 10)) {
      if (_id === except) continue;
      if (_id.startsWith('p')) {
        await this.#connection.write({ method: 'DELETE', path: this.#path(_id) });
        continue;
      }
      const street = await this.#document<StreetDocument>(_id);
      const live = street._source.live?.filter((house) => house.id !== id) ?? [];
      await this.#putStreet(street, { live });
    }
    await this.#refresh();
  }

  async #address(address: LiveAddress): Promise<void> {
    const name = (await this.#streetOf(address)) ?? (await this.#newStreet(address));
    await this.#remove(address.id, name);
    const street = await this.#document<StreetDocument>(name);
    const { live = [], gone = [], p = '' } = street._source;
    const codes = p === '' ? [] : p.split('\n');
    const { postalCode, houseNumber, lat, lng } = address;
    if (postalCode !== undefined && !codes.includes(postalCode)) codes.push(postalCode);
    const number = normaliseHouseNumber(houseNumber);
    const before = live.find((house) => house.id === address.id);
    const houses = (await this.#blocks(street)).flatMap(({ block }) => unpackHouses(block));
    // It keeps the identifier of the dataset's house that it replaces.
    const same = houses.find(
      ({ text, ordinal }) =>
        normaliseHouseNumber(text) === number && (ordinal === before?.ordinal || !gone.includes(ordinal)),
    );
    const ordinal =
      before?.ordinal ?? same?.ordinal ?? Math.max(firstLiveOrdinal, ...live.map((house) => house.ordinal + 1));
    const house = {
      id: address.id,
      text: houseNumber,
      y: Math.round(lat * 1e6),
      x: Math.round(lng * 1e6),
      postcode: postalCode === undefined ? -1 : codes.indexOf(postalCode),
      ordinal,
    };
    await this.#putStreet(street, {
      live: [...live.filter(({ id }) => id !== address.id), house],
      gone: same && !gone.includes(same.ordinal) ? [...gone, same.ordinal] : gone,
      p: codes.join('\n'),
    });
    this.#reach(name, address);
    await this.#refresh();
  }

  /** The document of the street of that name in the settlement; undefined where the index has none. */
  async #streetOf({ street, city, country }: LiveAddress): Promise<string | undefined> {
    const named = { term: { t: wholeNameTerm(wholeName(nameWords(street))) } };
    const words = queryWords(city).map((word) => anyOf(word));
    const found = await this.#search<StreetDocument>([named, { term: { t: countryTerm(country) } }, ...words], 50);
    return (await this.#inCity(found, city))?._id;
  }

  async #inCity(found: readonly Found<StreetDocument>[], city: string): Promise<Found<StreetDocument> | undefined> {
    for (const one of found.filter(({ _id }) => _id.startsWith('s'))) {
      const area = await this.#document<AreaDocument>(areaName(partOf(one._id), one._source.a));
      if (area.found && area._source.city !== null && fold(area._source.city) === fold(city)) return one;
    }
    return undefined;
  }

  async #newStreet({ street, city, country, lat, lng }: LiveAddress): Promise<string> {
    const words = queryWords(city).map((word) => anyOf(word));
    const others = await this.#search<StreetDocument>([{ term: { t: countryTerm(country) } }, ...words], 50);
    const neighbour = await this.#inCity(others, city);
    const part = neighbour ? partOf(neighbour._id) : this.#partWith('streets').number;
    const area = neighbour ? neighbour._source.a : await this.#newArea(part, city, country);
    const { _source } = await this.#document<AreaDocument>(areaName(part, area));
    const id = (await this.#last('s', part)) + 1;
    const [y, x] = [Math.round(lat * 1e7), Math.round(lng * 1e7)];
    const facts = { highway: null, source: 0, stretches: null, lines: null, blocks: [], postcodes: '' };
    const [[name, document]] = streetDocuments(
      part,
      { id, names: street, area, lat: y, lng: x, ...facts },
      areaOfDocument(_source),
    );
    await this.#create(name, document);
    await this.#addWords(`s${part}`, searchTerms(street));
    return name;
  }

  async #newArea(part: number, city: string, country: string): Promise<number> {
    const text = `${country} ${fold(city)}`;
    let hash = 0;
    for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 2;
    const number = firstLiveArea + hash;
    const words = [...new Set([...searchTerms(city), ...searchTerms(country)])].join(' ');
    const area: AreaDocument = { city, admin1: null, country, words };
    await this.#connection.write({ method: 'PUT', path: this.#path(areaName(part, number)), body: area });
    return number;
  }

  async #poi({ id, name, category, cuisine, lat, lng }: LivePoi): Promise<void> {
    const [before] = await this.#search([{ term: { sid: id } }], 1);
    const isKnown = before?._id.startsWith('p') === true;
    const part = isKnown ? partOf(before._id) : this.#partWith('pois').number;
    const number = isKnown ? numberOf(before._id) : (await this.#last('p', part)) + 1;
    const [y, x] = [Math.round(lat * 1e7), Math.round(lng * 1e7)];
    const at = poiCategories.indexOf(category);
    const poi = { id: number, name, others: '', category: at, lat: y, lng: x, cuisine: cuisine ?? null, source: 0 };
    const document = poiDocumentOf(part, poi, id);
    if (isKnown) await this.#connection.write({ method: 'PUT', path: this.#path(before._id), body: document });
    else await this.#create(poiName(part, number), document);
    await this.#addWords(`p${part}`, searchTerms(name));
    this.#reach(poiName(part, number), { lat, lng });
    await this.#refresh();
  }

  async #putStreet(street: Versioned<StreetDocument>, changed: Partial<StreetDocument>): Promise<void> {
    const { _id, _seq_no, _primary_term, _source } = street;
    const part = partOf(_id);
    const { n, a, y, x, p = '', highway, o = 0, r, l, live, gone }: StreetDocument = { ..._source, ...changed };
    const packed = l?.startsWith('#')
      ? (await this.#document<{ b: string }>(blockName(part, numberOf(_id), 'l')))._source.b
      : l;
    const area = await this.#document<AreaDocument>(areaName(part, a));
    const rows = {
      id: numberOf(_id),
      names: n,
      area: a,
      postcodes: p,
      lat: y,
      lng: x,
      highway: highway ?? null,
      source: o,
      stretches: r ?? null,
      lines: packed === undefined ? null : Buffer.from(packed, 'base64'),
      blocks: await this.#blocks(street),
    };
    const [[, document]] = streetDocuments(part, rows, areaOfDocument(area._source), {
      ...(live && { live }),
      ...(gone && { gone }),
    });
    const path = `${this.#path(_id)}?if_seq_no=${_seq_no}&if_primary_term=${_primary_term}`;
    await this.#connection.write({ method: 'PUT', path, body: document });
  }

  async #blocks({ _id, _source: { h, f = [] } }: Versioned<StreetDocument>) {
    if (h === undefined) return [];
    const first = Buffer.from(h, 'base64');
    const blocks = [{ first: unpackHouses(first)[0].base, block: first }];
    for (const [at, lowest] of f.entries()) {
      const { _source } = await this.#document<{ b: string }>(blockName(partOf(_id), numberOf(_id), at));
      blocks.push({ first: lowest, block: Buffer.from(_source.b, 'base64') });
    }
    return blocks;
  }

  /** Adds words for corrections; their frequencies are counted when a dataset is published. */
  async #addWords(part: string, words: readonly string[]): Promise<void> {
    for (const w of words.filter(isCorrectable)) {
      await this.#create(wordName(w), wordDocument({ w, c: { [part]: 1 } })).catch((error) => {
        if (!(error instanceof Refused && error.status === 409)) throw error;
      });
    }
  }

  /** Extends the part's bounds, outside of which it is not queried. */
  #reach(name: string, position: LatLng): void {
    const part = this.#facts.parts.find(({ number }) => number === partOf(name));
    if (part?.bounds) part.bounds = extended(part.bounds, position);
  }

  #partWith(kind: 'streets' | 'pois'): PartFacts {
    const part = this.#facts.parts.find((one) => one[kind] !== undefined);
    if (!part) throw new UsageError(`the published dataset has no ${kind}; publish a dataset that has some first`);
    return part;
  }

  async #last(kind: Kind, part: number): Promise<number> {
    const [last] = await this.#search([anyOf([partTerm(kind, part)])], 1, 'desc');
    return last ? numberOf(last._id) : 0;
  }

  async #search<T>(filter: object[], size: number, order: 'asc' | 'desc' = 'asc'): Promise<Found<T>[]> {
    const body = { size, sort: [{ i: order }], query: { bool: { filter } } };
    const path = `/${this.#index}/_search?allow_partial_search_results=false`;
    const { hits } = await this.#connection.read<{ hits: { hits: Found<T>[] } }>({ method: 'POST', path, body });
    return hits.hits;
  }

  async #document<T>(name: string): Promise<Versioned<T>> {
    const body = { ids: [name] };
    const { docs } = await this.#connection.read<{ docs: [Versioned<T>] }>({
      method: 'POST',
      path: `/${this.#index}/_mget`,
      body,
    });
    return docs[0];
  }

  #create(name: string, document: object): Promise<unknown> {
    const path = `/${this.#index}/_create/${encodeURIComponent(name)}`;
    return this.#connection.write({ method: 'PUT', path, body: document });
  }

  #path(name: string): string {
    return `/${this.#index}/_doc/${encodeURIComponent(name)}`;
  }
}

/** Number of the part of a street's or point's document. */
const partOf = (name: string): number => Number(name.slice(1, name.indexOf('.')));
