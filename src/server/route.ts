/** A route as its face declares it, and how it is registered. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Answer } from '../api/execute.ts';
import { checkBody, readStreams } from './body.ts';
import { callerOf } from './call.ts';
import { sendAnswer } from './send.ts';
import type { Call, HttpAnswer, Route, Service } from './service.ts';

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

/** A path as routers write it: `/country/:code`. */
export const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** A plugin of routes; each face of the service is one. HEAD is answered where GET is. */
export const face = (routes: readonly Route[]) => async (app: FastifyInstance) => {
  const service = app.whereabouts;
  readStreams(app, [...new Set(routes.flatMap(({ takes }) => takes?.streamed?.types ?? []))]);
  for (const route of routes) {
    const { method, path, takes, handle } = route;
    app.route({
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      url: routerPath(path),
      config: { route },
      ...(takes ? { preParsing: checkBody(service, takes) } : {}),
      handler(request, reply): FastifyReply | Promise<FastifyReply> {
        const { call } = request;
        call.body = request.body;
        // What waited for a body or for calls of a quota goes on in the turn of whatever brought these.
        const hasTurn = service.lanes.isInside || route.isVital;
        const answer = hasTurn
          ? handle(call)
          : service.lanes.run(
              () => callerOf(service, call),
              () => handle(call),
            );
        return answer instanceof Promise
          ? answer.then((later) => sendAnswer(call, reply, later))
          : sendAnswer(call, reply, answer);
      },
    });
  }
};
