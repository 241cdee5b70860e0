import { UsageError } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './index.ts';

/** Every endpoint's path without the slash, for a command's help. */
export const endpointPaths = Object.values(endpoints).map(({ path }) => path.slice(1));

/** The endpoint of a path below /v1, with or without its slash and path parameters. Throws UsageError for others. */
export function endpointNamed(name: string): Endpoint {
  const plain = (path: string) => path.replace(/^\//, '').replace(/\/\{\w+\}/g, '');
  const endpoint = Object.values<Endpoint>(endpoints).find(({ path }) => plain(path) === plain(name));
  if (!endpoint) throw new UsageError(`there is no endpoint "${name}"; expected one of ${endpointPaths.join(', ')}`);
  return endpoint;
}
