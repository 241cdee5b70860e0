/** Keys of clients that cannot send the header: map libraries, plugins of other projects. */
import type { Call } from './call.ts';

/** Parameters that carry a key. */
export const keyParameters = ['key', 'api_key'] as const;

/** Uses the first of these texts that looks like a key as the header, if the call has none. */
export function takeKey({ request: { headers } }: Call, texts: readonly unknown[]): void {
  const key = texts.find((text) => typeof text === 'string' && text.startsWith('wab_'));
  if (key !== undefined) headers['x-api-key'] ??= key as string;
}
