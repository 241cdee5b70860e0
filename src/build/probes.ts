/** Known-answer probes: queries that every good dataset answers as expected, kept as data in sources/probes.json. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '../api/execute.ts';
import { createOperation } from '../api/operation.ts';
import { endpointNamed } from '../endpoints/index.ts';
import { UsageError } from '../errors.ts';
import { schemaFaults, Type } from '../schema.ts';
import { type LayerName, layerNames } from '../store/manifest-format.ts';
import type { Store } from '../store/store.ts';

/**
 * A query of the API, `search?q=paris`, and what its answer contains: by path (`results.0.country`) a value, or a
 * minimum and maximum.
 */
export type Probe = {
  layer: LayerName;
  ask: string;
  expect: Record<string, string | number | boolean | null | [least: number, greatest: number]>;
};

const schema = Type.Object({
  probes: Type.Array(
    Type.Object(
      {
        layer: Type.Unsafe<LayerName>({ type: 'string', enum: layerNames }),
        ask: Type.String({ minLength: 1 }),
        expect: Type.Record(
          Type.String(),
          Type.Unsafe({
            anyOf: [
              ...['string', 'number', 'boolean', 'null'].map((type) => ({ type })),
              { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
            ],
          }),
        ),
      },
      { additionalProperties: false },
    ),
  ),
});

/** The probes that come with the program. */
export const shippedProbes = (): Probe[] =>
  JSON.parse(readFileSync(new URL('../../sources/probes.json', import.meta.url), 'utf8'));

/** The user's own probes, `probes.json` in the data directory; empty without it. Throws UsageError for a wrong file. */
export function ownProbes(dataDirectory: string): Probe[] {
  const path = join(dataDirectory, 'probes.json');
  let probes: Probe[];
  try {
    probes = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
  const [fault] = schemaFaults(schema, { probes });
  if (fault) throw new UsageError(`${path}: ${fault.instancePath} ${fault.message}; see "Guards" in docs/updating.md`);
  return probes;
}

/** What is wrong with a dataset's answer to a probe, as a sentence; undefined when it is as expected. */
export function probeFault(store: Store, { layer, ask, expect }: Probe): string | undefined {
  let answer: object;
  try {
    answer = answerOf(store, ask);
  } catch (error) {
    return `layer ${layer}: ${ask} failed: ${(error as Error).message}`;
  }
  for (const [path, expected] of Object.entries(expect)) {
    const got = valueAt(answer, path);
    const isMatched = Array.isArray(expected)
      ? typeof got === 'number' && got >= expected[0] && got <= expected[1]
      : got === expected;
    if (isMatched) continue;
    const wanted = Array.isArray(expected) ? expected.join(' to ') : JSON.stringify(expected);
    return `layer ${layer}: ${ask} has ${path} ${JSON.stringify(got) ?? 'missing'}, expected ${wanted}`;
  }
  return undefined;
}

function answerOf(store: Store, request: string): object {
  const [path, query = ''] = request.split('?');
  const context = { store, profile: 'default', now: Date.now(), clientAddress: undefined } as const;
  return ask(createOperation(path, endpointNamed(path)), Object.fromEntries(new URLSearchParams(query)), context);
}

const valueAt = (answer: unknown, path: string): unknown =>
  path.split('.').reduce((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], answer);
