/** Requests without a route: preflights, wrong methods, and unknown paths. */
import { WhereaboutsError } from '../errors.ts';
import { admit, reserve } from './access.ts';
import type { Call } from './call.ts';
import { missingPage, wantsPage } from './faces/portal.ts';
import { loggedPath } from './logged-path.ts';
import { problemAnswer } from './problem.ts';
import type { HttpAnswer } from './route.ts';
import type { Router } from './router.ts';
import type { Service } from './service.ts';

const corsHeaders = [
  'Access-Control-Allow-Methods',
  'GET, HEAD, POST, PATCH, OPTIONS',
  'Access-Control-Allow-Headers',
  'Authorization, Content-Type, If-None-Match, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, X-API-Key, X-API-Variant, ' +
    'X-Owner-Code, X-Request-Id',
  'Access-Control-Max-Age',
  '86400',
];

/** Creates their handler. Below /v1, callers without a key get only 401. */
export function answerUnrouted(service: Service, router: Router): (call: Call) => HttpAnswer | Promise<HttpAnswer> {
  const missing = missingPage();

  async function refuse(call: Call, path: string, allowed: string | undefined): Promise<HttpAnswer> {
    const { request } = call;
    if (path.startsWith('/v1/')) admit(service, call, await reserve(service, call, 0), undefined);
    if (allowed) {
      throw new WhereaboutsError(
        'method_not_allowed',
        `${loggedPath(path)} does not support ${request.method}; use ${allowed}`,
      );
    }
    if (!path.startsWith('/v1/') && wantsPage(request)) return missing(call);
    const shown = JSON.stringify(loggedPath(path).slice(0, 100));
    throw new WhereaboutsError('not_found', `there is no path ${shown}; /openapi.json lists all paths`);
  }

  return (call) => {
    const { method, url = '' } = call.request;
    const { urlLength } = service.limits;
    if (url.length > urlLength) {
      throw new WhereaboutsError('uri_too_long', `the URL has ${url.length} characters, expected at most ${urlLength}`);
    }
    const [path] = url.split('?', 1);
    const allowed = router.allowed(path);
    // Without a 2xx to its preflight, a script in a browser cannot read the 404 of a path that does not exist.
    const isPreflight = call.request.headers['access-control-request-method'] !== undefined;
    if (method === 'OPTIONS' && (allowed || isPreflight || path === '*')) {
      return { status: 204, headers: ['Allow', allowed ?? 'GET, HEAD, OPTIONS', ...corsHeaders], body: undefined };
    }
    return refuse(call, path, allowed).catch((error) => {
      const answer = problemAnswer(service, call, error);
      if (allowed) answer.headers.push('Allow', allowed);
      return answer;
    });
  };
}
