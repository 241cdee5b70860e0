/** Paths compared with patterns, for what Fastify's router is not asked: entries of a batch, the methods of a path. */

/** Matches the paths of a pattern such as `/country/{code}` or `/country/:code`, with or without a slash at their end. */
export function pathPattern(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/\{(\w+)\}|:(\w+)/g, (_, name, other) => `(?<${name ?? other}>[^/]+)`)}/?$`);
}

type Found<T> = T & { path: Record<string, string | undefined> };

/** Creates a search among routes by path; it returns one with its path parameters decoded, undefined for none or a bad path. */
export function findByPath<T extends { path: string }>(routes: readonly T[]): (path: string) => Found<T> | undefined {
  const patterns = routes.map(({ path }) => pathPattern(path));
  return (path) => {
    const decoded = decodedPath(path);
    if (decoded === undefined) return undefined;
    for (const [at, pattern] of patterns.entries()) {
      const groups = pattern.exec(path)?.groups ?? (pattern.test(path) ? {} : undefined);
      if (!groups) continue;
      const parameters = Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]);
      return { ...routes[at], path: Object.fromEntries(parameters) };
    }
    return undefined;
  };
}

/** A path without percent-encoding; undefined where that is wrong. */
export function decodedPath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
