/** Requests without a route: preflights, wrong methods, and unknown paths. */
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { WhereaboutsError } from '../errors.ts';
import { admitCall } from './access.ts';
import { missingPage, wantsPage } from './faces/portal.ts';
import { defaultLimits } from './limits.ts';
import { loggedPath } from './problem.ts';
import { sendAnswer } from './send.ts';

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'] as const;
const preflight = {
  'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers':
    'Authorization, Content-Type, If-None-Match, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, X-API-Key, X-API-Variant, ' +
    'X-Owner-Code, X-Request-Id, X-Requested-With',
  'access-control-max-age': '86400',
};

/** A URL as the target, as proxies are sent it, and its path. Not parsed as one: the Punycode of a host takes the square of its letters. */
const absolute = /^https?:\/\/(?:[\w.-]{1,255}|\[[\da-f.:]{2,45}\])(?::\d{0,5})?(?=[/?]|$)([^#]*)$/i;

/** Whether the path of a target is percent-encoded UTF-8. */
function isEncoded(target: string): boolean {
  if (!target.includes('%')) return true;
  try {
    decodeURI(target.split('?', 1)[0]);
    return true;
  } catch {
    return false;
  }
}

/** A table of paths that are found as Fastify finds its routes. */
export const createPaths = () => findMyWay({ ignoreTrailingSlash: true, maxParamLength: defaultLimits.urlLength });

/** Path of a request whose target has none; no route has it. */
const noPath = '/*';

/** A target as the router gets it: a path. What it would refuse before any hook has no route instead, nor have `*` and other targets. */
export function routedUrl({ url = '' }: { url?: string }): string {
  const path = url.startsWith('/') ? url : absolute.exec(url)?.[1].replace(/^(?!\/)/, '/');
  return path !== undefined && isEncoded(path) ? path : noPath;
}

/**
 * Answers what has no route, before its body is read: 404, 405 with the methods of the path, which come from the table of
 * routes, or 204 to OPTIONS. Below /v1, callers without a key get only 401. Registered before the routes.
 */
export function answerUnrouted(app: FastifyInstance): onRequestHookHandler {
  const missing = missingPage();
  const table = createPaths();
  app.addHook('onRoute', ({ url, method }) => table.on([method].flat() as HTTPMethod[], url, () => {}));

  /** The methods of a path, as `Allow` names them; undefined where there is no such path, as with a slash behind it in an application whose router minds that. */
  function allowed(path: string, asked: string): string | undefined {
    const named = methods.filter((method) => table.find(method, path));
    return named.length === 0 || named.some((method) => method === asked)
      ? undefined
      : [...named, 'OPTIONS'].join(', ');
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { call, raw, originalUrl } = request;
    const { method = '' } = raw;
    const shown = JSON.stringify(loggedPath(originalUrl).slice(0, 100));
    if (!isEncoded(originalUrl))
      throw new WhereaboutsError('malformed_request', `the path ${shown} is not percent-encoded UTF-8`);
    const [path] = routedUrl(raw).split('?', 1);
    const allow = allowed(path, method);
    if (allow !== undefined) reply.header('allow', allow);
    // Without a 2xx to its preflight, a script in a browser cannot read the 404 of a path that does not exist.
    const isPreflight = raw.headers['access-control-request-method'] !== undefined || originalUrl === '*';
    if (method === 'OPTIONS' && (allow !== undefined || isPreflight)) {
      reply
        .code(204)
        .headers({ allow: allow ?? 'GET, HEAD, OPTIONS', ...preflight })
        .send();
      return;
    }
    if (path.startsWith('/v1/')) await admitCall(app.whereabouts, call, {});
    if (allow !== undefined) {
      throw new WhereaboutsError('method_not_allowed', `${loggedPath(path)} does not support ${method}; use ${allow}`);
    }
    if (!path.startsWith('/v1/') && wantsPage(raw)) {
      await sendAnswer(call, reply, missing(call));
      return;
    }
    const hint = allowed(`/v1${path}`, '') ? `did you mean /v1${path}?` : '/openapi.json lists the paths of the API';
    throw new WhereaboutsError('not_found', `there is no path ${shown}; ${hint}`);
  }

  return (request, reply, done) => {
    if (request.call.route !== undefined) return done();
    // A hook that answers ends the request.
    answer(request, reply).catch((error) => done(error));
  };
}
