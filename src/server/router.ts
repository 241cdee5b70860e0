/** Finds the route of a request. */
import FindMyWay, { type HTTPMethod } from 'find-my-way';
import { WhereaboutsError } from '../errors.ts';
import type { Call } from './call.ts';
import type { Route } from './route.ts';

type Found = { route: Route; path: Call['path']; search: string };

export type Router = {
  /** The route of a request, with path parameters decoded; undefined for none. Throws 400 or 414 for what is not a path. */
  find(method: string, url: string): Found | undefined;
  /** The methods of a path as `Allow` names them; undefined where there is no such path. */
  allowed(url: string): string | undefined;
};

const methods = ['GET', 'HEAD', 'POST', 'PATCH'] as const;

/**
 * Whether a request's target has a path, unlike `*` and the target of CONNECT. Requests to a proxy have a whole URL.
 */
const isPath = (target: string) => target.startsWith('/') || /^https?:\/\//i.test(target);

/** Makes the router of a list of routes. A path may end with a slash or without; HEAD is answered where GET is. */
export function createRouter(routes: readonly Route[], maxParameterLength: number): Router {
  const tree = FindMyWay({
    ignoreTrailingSlash: true,
    maxParamLength: maxParameterLength,
    // Parameters are parsed later, by code that detects repeated and undecodable ones.
    querystringParser: (text) => text as never,
    onBadUrl: (path) => {
      const shown = JSON.stringify(path.slice(0, 100));
      throw new WhereaboutsError('malformed_request', `the path ${shown} is not percent-encoded UTF-8`);
    },
    onMaxParamLength: () => {
      throw new WhereaboutsError('uri_too_long', 'a part of the path is too long');
    },
  });
  for (const route of routes) {
    const served: HTTPMethod[] = route.method === 'GET' ? ['GET', 'HEAD'] : [route.method];
    tree.on(served, route.path.replace(/\{(\w+)\}/g, ':$1'), () => {}, route);
  }
  return {
    find(method, url) {
      if (!isPath(url)) return undefined;
      const found = tree.find(method as HTTPMethod, url);
      if (!found) return undefined;
      // What is wrong with the address is thrown by a handler that the tree found for it.
      if (!found.store) found.handler(undefined as never, undefined as never, {}, undefined, {});
      return { route: found.store, path: found.params, search: found.searchParams as unknown as string };
    },
    allowed(url) {
      const [path] = url.split('?', 1);
      if (!isPath(path)) return undefined;
      const named = methods.filter((method) => tree.find(method, path)?.store);
      return named.length === 0 ? undefined : [...named, 'OPTIONS'].join(', ');
    },
  };
}
