/** A route as its face declares it, and how it is registered. */
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Answer } from '../api/execute.ts';
import type { WhereaboutsError } from '../errors.ts';
import type { Account } from '../keys/meter.ts';
import type { Soon } from '../keys/soon.ts';
import type { Asset } from './asset.ts';
import { type BodyRule, checkBody, readStreams } from './body.ts';
import type { Call } from './call.ts';
import { sendAnswer } from './send.ts';
import type { Service } from './service.ts';

/** An answer over HTTP; an asset is a body that is the same for everybody, bytes and a stream of them are sent as they are. */
export type HttpAnswer = Answer<Answer['body'] | Asset | Buffer | Readable>;

/** Who may call a route, and what a call costs; `access.ts` enforces it. */
export type Access = {
  /** Where a key may stand of clients that cannot send the header. */
  keyIn?: 'parameter' | 'bearer';
  /** The name by which keys are restricted to endpoints; undefined where the route checks that itself. */
  endpoint?: string;
  /** A key's owner, whatever origins the key is restricted to; or an operator with an admin key. */
  as?: 'owner' | 'admin';
  /** The name under which calls are counted, if not the endpoint's. */
  countedAs?: string;
  /** Calls that it costs, 0 by default. Throws what makes the request wrong for everybody. */
  callsOf?(call: Call): number;
  /** Further calls that depend on the account. */
  furtherCallsOf?(account: Account): number;
};

/** A route: the handler of the requests to a path. */
export type Route = {
  /** As the log and the metrics name it. */
  name: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path from the root; `{name}` marks a path parameter. */
  path: string;
  /** Undefined: open without a key. */
  access?: Access;
  /** Refuses what a key alone does not, before the body is read. */
  before?(call: Call): Soon<void>;
  /** What body it reads. */
  takes?: BodyRule;
  /** Whether it never waits for others: probes. */
  isVital?: boolean;
  /** Throws or rejects WhereaboutsError for what is reported to the client; anything else is a bug. */
  handle(call: Call): Soon<HttpAnswer>;
  /** Writes its errors, where that is not a problem document. */
  problem?(call: Call, error: WhereaboutsError): { type: string; body: string };
};

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: Route;
  }
  interface FastifyRequest {
    call: Call;
  }
  interface FastifyInstance {
    whereabouts: Service;
  }
}

export const jsonType = 'application/json; charset=utf-8';

/** An answer that holds for this moment only. */
export const json = (status: number, body: Answer['body']): HttpAnswer => ({
  status,
  headers: ['Content-Type', jsonType, 'Cache-Control', 'no-store'],
  body,
});

/** A plugin of routes; each face of the service is one. HEAD is answered where GET is. */
export const face = (routes: readonly Route[]) => async (app: FastifyInstance) => {
  const service = app.whereabouts;
  for (const route of routes) {
    const { method, path, takes, handle } = route;
    if (takes?.streamed) readStreams(app, takes.streamed.types);
    app.route({
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      config: { route },
      ...(takes ? { preParsing: checkBody(service, takes) } : {}),
      handler(request, reply): FastifyReply | Promise<FastifyReply> {
        const { call } = request;
        call.body = request.body;
        const answer = handle(call);
        return answer instanceof Promise
          ? answer.then((later) => sendAnswer(call, reply, later))
          : sendAnswer(call, reply, answer);
      },
    });
  }
};
