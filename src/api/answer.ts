import type { JsonText } from './json-body.ts';

/** An answer, independent of caller and transport. */
export type Answer<Body = JsonText | Record<string, unknown> | string | undefined> = {
  /** HTTP status. */
  status: number;
  /** Name, value, name, value: the headers that belong to this answer, rather than to every one. */
  headers: string[];
  /** An object is sent as JSON with `query_ms` as its last field; text is sent as it is. Undefined: none. */
  body: Body;
};
