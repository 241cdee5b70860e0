/** A route as its face declares it, and how it is registered. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { LookUps } from '../store/store.ts';
import { checkBody, interrupted, type ReadBody } from './body.ts';
import { callerOf } from './call.ts';
import type { JobService } from './jobs/runner.ts';
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
    whereabouts: JobService;
  }
}

export const jsonType = 'application/json; charset=utf-8';

/** An answer that holds for this moment only. */
export const json = (status: number, body: HttpAnswer['body']): HttpAnswer => ({
  status,
  headers: ['Content-Type', jsonType, 'Cache-Control', 'no-store'],
  body,
});

/** Has the look-ups of a call fetched; its search goes on in a turn of its caller, as what it does then takes the thread's time too. */
export const fetchedFor =
  (service: Service, call: Call, kind: object | string | undefined = call.route) =>
  async (lookUps: LookUps): Promise<void> => {
    await service.lookUps(callerOf(service, call), () => lookUps.fetch());
    await service.lanes.turn(callerOf(service, call), kind, true);
    if (call.response.destroyed) throw interrupted();
  };

/** A path as routers write it: `/country/:code`. */
export const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** A plugin of routes; each face of the service is one. HEAD is answered where GET is. */
export const face = (routes: readonly Route[]) => async (app: FastifyInstance) => {
  const service = app.whereabouts;
  for (const route of routes) {
    const { method, path, takes, handle } = route;
    app.route({
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      url: routerPath(path),
      config: { route },
      ...(takes ? { preParsing: checkBody(service, takes) } : {}),
      handler(request, reply): FastifyReply | Promise<FastifyReply> {
        const { call } = request;
        const answer = () => {
          if (call.refusal) throw call.refusal;
          const { body } = request;
          call.body = typeof body === 'function' ? (body as ReadBody)() : body;
          const answered = handle(call);
          return answered instanceof Promise
            ? answered.then((later) => sendAnswer(call, reply, later))
            : sendAnswer(call, reply, answered);
        };
        // At once where the request has its turn; one that has waited for its body since then needs another.
        return service.lanes.run(() => callerOf(service, call), answer, route) as FastifyReply | Promise<FastifyReply>;
      },
    });
  }
};
