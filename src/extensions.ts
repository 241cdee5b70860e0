/**
 * Engines that are installed apart: each is a package of the folder `packages`, with dependencies of its own, and stands for
 * addresses of certain schemes. It is loaded when a setting or command has such an address.
 */
import { optionalPackages } from './errors.ts';

/** Name of an extension → schemes of the addresses that it stands for, as `URL.protocol` has them. */
export const schemes = {
  'object-store': ['s3:'],
  opensearch: ['http:', 'https:'],
  valkey: ['redis:', 'rediss:', 'valkey:', 'valkeys:'],
} as const satisfies Record<string, readonly string[]>;

type ExtensionName = keyof typeof schemes;

/** Whether an extension stands for an address. */
export const standsFor = (name: ExtensionName, address: string): boolean =>
  schemes[name].some((scheme) => address.startsWith(`${scheme}//`));

/** Why texts are no addresses of some schemes; undefined where they are. They are not shown, as they may hold a password. */
export function addressFault(texts: readonly string[], wanted: readonly string[]): string | undefined {
  const urls = texts.map((text) => URL.parse(text.trim()));
  if (!urls.every((url) => url !== null && wanted.includes(url.protocol)))
    return `is no ${wanted.map((scheme) => `${scheme}//`).join(' or ')} address`;
  try {
    for (const url of urls) decodeURIComponent(`${url?.username}:${url?.password}`);
    return undefined;
  } catch {
    return 'has a % in its user or password that is no code of a character; write %25';
  }
}

/**
 * The module of an extension, whose type is a contract of the room that asks for it. Throws UsageError, which begins with the
 * purpose and says how to install it, where it or what it depends on is missing.
 */
export function loadExtension<T>(name: ExtensionName, purpose: string): Promise<T> {
  // In a clone and in the container it lies beside the product, elsewhere npm has put it where packages are.
  const isSource = import.meta.url.endsWith('.ts');
  const module = isSource ? new URL(`../packages/${name}/src/index.ts`, import.meta.url).href : `@whereabouts/${name}`;
  return optionalPackages(purpose, [`@whereabouts/${name}`], () => import(module));
}
