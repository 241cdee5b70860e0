import type { Answer } from '../api/answer.ts';
import type { Soon } from '../keys/soon.ts';
import type { Asset } from './asset.ts';
import type { Call } from './call.ts';

/** An answer over HTTP; an asset is a body that is the same for everybody, bytes are sent as they are. */
export type HttpAnswer = Answer<Answer['body'] | Asset | Buffer>;

/** A route: the handler of the requests to a path. */
export type Route = {
  /** As the log and the metrics name it. */
  name: string;
  method: 'GET' | 'POST' | 'PATCH';
  /** Path from the root; `{name}` marks a path parameter. */
  path: string;
  /** Throws or rejects WhereaboutsError for what is reported to the client; anything else is a bug. */
  handle(call: Call): Soon<HttpAnswer>;
};

export const jsonType = 'application/json; charset=utf-8';

/** An answer that holds for this moment only. */
export const json = (status: number, body: Answer['body']): HttpAnswer => ({
  status,
  headers: ['Content-Type', jsonType, 'Cache-Control', 'no-store'],
  body,
});
