/** The body of a JSON answer: fields for callers in this process, text for sending. */
import type { TObject } from 'typebox';
import { KeptRecord, noRef, recordOf, withRecords } from '../endpoints/kept-record.ts';
import type { Store } from '../store/store.ts';
import { compileShape, type Shape } from './shape.ts';

// A cache of the texts of records, of fixed size.

/** Maximum number of cached texts of a dataset: 16,384, about 300 bytes each. */
const setBits = 12;
const wayNumbers = [0, 1, 2, 3];
const ways = wayNumbers.length;
/** Maximum number of distinct makers of texts. */
const makers = 64;
/** Of this many texts that find no slot, one is kept. */
const patience = 16;

/**
 * A key has four possible slots. If all are taken, a text replaces one that was not used recently, and only when it is
 * requested twice in succession: so traffic that requests everything once costs little more than the look-ups. Every
 * sixteenth is kept nevertheless: what nobody requests any more would otherwise stay for ever where two texts take turns.
 */
export class KeptTexts {
  readonly #keys = new Int32Array(ways << setBits).fill(-1);
  readonly #texts = new Array<readonly string[] | undefined>(ways << setBits).fill(undefined);
  /** Whether a text was used since the last search for a free slot. */
  readonly #isUsed = new Uint8Array(ways << setBits);
  /** By set, the last missing key, and how many found no slot. */
  readonly #missed = new Int32Array(1 << setBits).fill(-1);
  readonly #misses = new Uint8Array(1 << setBits);
  readonly #numbers = new Map<object, number>();

  /** A number for a maker of texts; undefined when there are too many makers. */
  numberOf(maker: object): number | undefined {
    let number = this.#numbers.get(maker);
    if (number === undefined && this.#numbers.size < makers) this.#numbers.set(maker, (number = this.#numbers.size));
    return number;
  }

  /** The text of a record by its maker's number, made if it is worth caching, else undefined. */
  at(
    record: KeptRecord,
    number: number,
    make: (record: KeptRecord) => readonly string[],
  ): readonly string[] | undefined {
    if (record.ref === noRef) return undefined;
    const key = record.ref * makers + number;
    const set = Math.imul(key, 0x9e3779b1) >>> (32 - setBits);
    const first = set * ways;
    for (let slot = first; slot < first + ways; slot++) {
      if (this.#keys[slot] !== key) continue;
      this.#isUsed[slot] = 1;
      return this.#texts[slot];
    }
    const slot = this.#placeFor(key, set);
    if (slot === undefined) return undefined;
    this.#keys[slot] = key;
    return (this.#texts[slot] = make(record));
  }

  /** The slot for a new key. */
  #placeFor(key: number, set: number): number | undefined {
    const slots = wayNumbers.map((way) => set * ways + way);
    const free = slots.find((slot) => this.#keys[slot] < 0);
    if (free !== undefined) return free;
    const isAskedAgain = this.#missed[set] === key;
    this.#missed[set] = key;
    if (!isAskedAgain && ++this.#misses[set] % patience !== 0) return undefined;
    const unused = slots.find((slot) => this.#isUsed[slot] === 0);
    for (const slot of slots) this.#isUsed[slot] = 0;
    return unused;
  }
}

/** Keyed by manifest, which a dataset has anew with each layer that arrives. */
const textsOfDatasets = new WeakMap<Store['manifest'], KeptTexts>();

/** The cached texts of a dataset. */
function textsOf({ manifest }: Store): KeptTexts {
  let texts = textsOfDatasets.get(manifest);
  if (texts === undefined) textsOfDatasets.set(manifest, (texts = new KeptTexts()));
  return texts;
}

/** JSON of which the text is made when `query_ms`, its last field, is known. */
export interface JsonText {
  /** The text in UTF-8, a character for each byte: what is put together from such texts is sent as it lies. */
  bytes(queryMs: number): string;
}

/** The serialiser of an endpoint's answers. */
type JsonWriter = {
  /** Copies an answer's fields. */
  shape: Shape;
  bytes(answer: object, queryMs: number): string;
};

/** What an endpoint answered. */
export class JsonBody implements JsonText {
  readonly #answer: object;
  readonly #writer: JsonWriter;

  constructor(answer: object, writer: JsonWriter) {
    this.#answer = answer;
    this.#writer = writer;
  }

  /** Its fields without `query_ms`. */
  fields(): Record<string, unknown> {
    return this.#writer.shape(withRecords(this.#answer));
  }

  bytes(queryMs: number): string {
    return this.#writer.bytes(this.#answer, queryMs);
  }
}

export const jsonWriter = (shape: Shape): JsonWriter => ({
  shape,
  bytes(answer, queryMs) {
    const fields = shape(withRecords(answer));
    fields.query_ms = queryMs;
    return bytesOf(JSON.stringify(fields));
  },
});

type List = { results: readonly unknown[] };

/**
 * The writer of answers of a schema. An answer that is a kept record is its text, a list of them is put together from their
 * texts where most are known.
 */
export function compileJsonWriter(schema: TObject): JsonWriter {
  const plain = jsonWriter(compileShape(schema));
  const joined = compileJoined(schema, plain);
  const wholePieces = (kept: KeptRecord) => [inOnePiece(`${JSON.stringify(plain.shape(kept.record())).slice(0, -1)},`)];
  return {
    shape: plain.shape,
    bytes(answer, queryMs) {
      if (answer instanceof KeptRecord) {
        const texts = textsOf(answer.store);
        const number = texts.numberOf(plain);
        const pieces = number === undefined ? undefined : texts.at(answer, number, wholePieces);
        // A record whose text is not worth keeping may be a list itself.
        return pieces ? `${pieces[0]}"query_ms":${queryMs}}` : plain.bytes(answer, queryMs);
      }
      return joined?.(answer as List, queryMs) ?? plain.bytes(answer, queryMs);
    },
  };
}

/** What writes lists of kept records; undefined for schemas of other answers. It returns undefined for other lists. */
function compileJoined(
  schema: TObject,
  writer: JsonWriter,
): ((answer: List, queryMs: number) => string | undefined) | undefined {
  const { results, ...others } = schema.properties as Record<string, { items?: TObject }>;
  const item = results?.items;
  if (!item?.properties || Object.keys(schema.properties)[0] !== 'results') return undefined;
  const names = Object.keys(item.properties);
  const shapeRecord = compileShape(item);
  const shapeOthers = compileShape({ ...schema, properties: others } as unknown as TObject);

  /** The text of a record in pieces: an own field's value belongs behind each but the last. */
  function piecesOf(kept: KeptRecord): string[] {
    const pieces = ['{'];
    let separator = '';
    for (const [name, value] of Object.entries(shapeRecord(kept.record()))) {
      if (value === undefined) continue;
      pieces[pieces.length - 1] += `${separator}${JSON.stringify(name)}:`;
      if (name in kept.own) pieces.push('');
      else pieces[pieces.length - 1] += JSON.stringify(value);
      separator = ',';
    }
    pieces[pieces.length - 1] += '}';
    return pieces.map(inOnePiece);
  }

  /** The text of a list most of whose records' texts are known; undefined for others, which are quicker as a whole. */
  function joined(list: readonly unknown[]): string | undefined {
    const [first] = list;
    if (!(first instanceof KeptRecord)) return undefined;
    const texts = textsOf(first.store);
    const number = texts.numberOf(writer);
    if (number === undefined) return undefined;
    let unknown = 0;
    const known = list.map((each) => {
      const pieces = each instanceof KeptRecord ? texts.at(each, number, piecesOf) : undefined;
      if (pieces === undefined) unknown++;
      return pieces;
    });
    if (unknown * 2 > list.length) return undefined;
    const own = names.filter((name) => name in first.own);
    let text = '';
    for (let at = 0; at < list.length; at++) {
      const pieces = known[at];
      if (at > 0) text += ',';
      if (pieces === undefined) text += bytesOf(JSON.stringify(shapeRecord(recordOf(list[at]) as object)));
      else {
        text += pieces[0];
        const values = (list[at] as KeptRecord).own;
        for (let place = 0; place < own.length; place++) text += valueBytes(values[own[place]]) + pieces[place + 1];
      }
    }
    return text;
  }

  return (answer, queryMs) => {
    const text = joined(answer.results);
    if (text === undefined) return undefined;
    const rest = bytesOf(JSON.stringify({ ...shapeOthers(answer), query_ms: queryMs }));
    return `{"results":[${text}],${rest.slice(1)}`;
  };
}

/** A list of entries, which are JSON already with commas between them, and what stands behind it. */
export const jsonList = (entries: string, others: object): JsonText => ({
  bytes: (queryMs) => `{"results":[${entries}],${JSON.stringify({ ...others, query_ms: queryMs }).slice(1)}`,
});

/** A text in UTF-8, a character for each byte. */
export const bytesOf = (text: string) =>
  Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');

const valueBytes = (value: unknown) =>
  typeof value === 'string' ? bytesOf(JSON.stringify(value)) : JSON.stringify(value);

/** A text that was put together, as bytes in one piece: V8 keeps a tree of its parts until somebody looks into it. */
function inOnePiece(text: string): string {
  text.charCodeAt(0);
  return bytesOf(text);
}
