/** The body of a JSON answer: fields for callers in this process, text for sending. */
import type { Shape } from './shape.ts';

/** JSON of which the text is made when `query_ms`, its last field, is known. */
export interface JsonText {
  /** The text in UTF-8, a character for each byte: what is put together from such texts is sent as it lies. */
  bytes(queryMs: number): string;
}

/** What an endpoint answered. */
export class JsonBody implements JsonText {
  readonly #answer: object;
  readonly #shape: Shape;

  constructor(answer: object, shape: Shape) {
    this.#answer = answer;
    this.#shape = shape;
  }

  /** Its fields without `query_ms`. */
  fields(): Record<string, unknown> {
    return this.#shape(this.#answer);
  }

  bytes(queryMs: number): string {
    const fields = this.fields();
    fields.query_ms = queryMs;
    return bytesOf(JSON.stringify(fields));
  }
}

/** A list of entries, which are JSON already with commas between them, and what stands behind it. */
export const jsonList = (entries: string, others: object): JsonText => ({
  bytes: (queryMs) => `{"results":[${entries}],${JSON.stringify({ ...others, query_ms: queryMs }).slice(1)}`,
});

/** A text in UTF-8, a character for each byte. */
export const bytesOf = (text: string) =>
  Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
