/** Compares a new dataset with the current one; a build stops before the swap when the losses are too large. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Static } from 'typebox';
import { ask, createOperation } from '../api/execute.ts';
import { openDataset } from '../api/open.ts';
import { countryCode } from '../core/source-records.ts';
import { endpointNamed } from '../endpoints/index.ts';
import { UsageError } from '../errors.ts';
import { schemaFaults, Type } from '../schema.ts';
import {
  type LayerInfo,
  type LayerName,
  layerNames,
  type Manifest,
  readManifest,
  streetLayerNames,
} from '../store/manifest.ts';
import type { Store } from '../store/store.ts';
import { currentManifest } from './versions.ts';

/** Layers that lose fewer records than this are accepted, unless nothing is left. */
const minRecords = 10;
const number = new Intl.NumberFormat('en');

type GuardOptions = {
  dataDirectory: string;
  /** The new dataset, complete but not yet current. */
  directory: string;
  /** Layers that were rebuilt; the others are those of the current dataset. */
  layers: ReadonlySet<LayerName>;
  /** Sources without a record. */
  emptySources: readonly string[];
  /** The user's own probes. */
  probes: readonly Probe[];
  maxLossPercent: number;
};

/**
 * Reasons not to make a new dataset current, a sentence for each: a source without a record, losses, a probe of the
 * user's that fails, or a shipped one that the current dataset passes. Empty when all is well.
 */
export function faultsOf({
  dataDirectory,
  directory,
  layers,
  emptySources,
  probes,
  maxLossPercent,
}: GuardOptions): string[] {
  const before = currentManifest(dataDirectory);
  return [
    ...emptySources.map((source) => `${source} has no records`),
    ...(before ? losses(before, readManifest(directory), maxLossPercent) : []),
    ...failedProbes(before && join(dataDirectory, before.version), directory, probes, layers),
  ];
}

function failedProbes(
  current: string | undefined,
  directory: string,
  own: readonly Probe[],
  layers: ReadonlySet<LayerName>,
): string[] {
  const isOfLayers = ({ layer }: Probe) => layers.has(layer);
  const shipped = current === undefined ? [] : shippedProbes().filter(isOfLayers);
  const probes = own.filter(isOfLayers);
  if (shipped.length + probes.length === 0) return [];
  const before = current === undefined ? undefined : openReadable(current);
  const after = openDataset(directory, { isLazy: true });
  try {
    const regressions = before ? shipped.filter((probe) => probeFault(before, probe) === undefined) : [];
    return [...probes, ...regressions].flatMap((probe) => probeFault(after, probe) ?? []);
  } finally {
    before?.close();
    after.close();
  }
}

/** Opens a dataset; undefined when this program cannot read it. */
function openReadable(directory: string): Store | undefined {
  try {
    return openDataset(directory, { isLazy: true });
  } catch {
    return undefined;
  }
}

type Compared = Pick<Manifest, 'layers' | 'parts'>;
type Counted = Pick<LayerInfo, 'records' | 'countries'>;

/**
 * Layers, parts and countries that lost more than `maxLossPercent` of their records from one dataset to the next, a
 * sentence for each; empty when none did. Countries are compared where both datasets counted them. A missing part was
 * removed on purpose.
 */
function losses(before: Compared, after: Compared, maxLossPercent: number): string[] {
  type Layers = Partial<Record<string, Counted>>;
  const pairs = (layers: Layers, now: Layers, where = '') =>
    Object.entries(layers).map(([name, layer]) => [`${where}layer ${name}`, layer!, now[name]] as const);
  const isOfParts = (name: string) => streetLayerNames.some((layer) => layer === name);
  const whole = Object.fromEntries(Object.entries(before.layers).filter(([name]) => !isOfParts(name)));
  const ofParts = before.parts.flatMap(({ name, layers }) => {
    const now = after.parts.find((part) => part.name === name);
    return now ? pairs(layers, now.layers, `part ${name}, `) : [];
  });
  return [...pairs(whole, after.layers), ...ofParts].flatMap(
    ([where, layer, { records, countries } = { records: {}, countries: {} }]) => [
      ...decreased(layer.records, records, maxLossPercent, (kind) => `${where}: ${kind}`),
      ...decreased(
        countries && ofToday(layer.countries),
        countries,
        maxLossPercent,
        (code) => `${where}, ${code}: records`,
      ),
    ],
  );
}

/** Without codes that are no country any more, whose records count where they lie. */
const ofToday = (countries: Counted['countries'] = {}) =>
  Object.fromEntries(Object.entries(countries).filter(([code]) => code === 'none' || countryCode(code) === code));

function decreased(
  before: Readonly<Record<string, number>> = {},
  after: Readonly<Record<string, number>> = {},
  maxLossPercent: number,
  nameOf: (key: string) => string,
): string[] {
  return Object.entries(before).flatMap(([key, count]) => {
    const now = after[key] ?? 0;
    const lost = count - now;
    const isFew = lost <= minRecords && now > 0;
    if (lost <= 0 || isFew || lost <= (count * maxLossPercent) / 100) return [];
    const share = Math.round((100 * lost) / count);
    return [`${nameOf(key)} fell from ${number.format(count)} to ${number.format(now)} (-${share}%)`];
  });
}

// Known-answer probes: queries that every good dataset answers as expected, kept as data in sources/probes.json.

/**
 * A query of the API, `search?q=paris`, and what its answer contains: by path (`results.0.country`) a value, or a
 * minimum and maximum.
 */
const probeSchema = Type.Object(
  {
    layer: Type.Unsafe<LayerName>({ type: 'string', enum: layerNames }),
    ask: Type.String({ minLength: 1 }),
    expect: Type.Record(
      Type.String(),
      Type.Unsafe<string | number | boolean | null | [least: number, greatest: number]>({
        anyOf: [
          ...['string', 'number', 'boolean', 'null'].map((type) => ({ type })),
          { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
        ],
      }),
    ),
  },
  { additionalProperties: false },
);
type Probe = Static<typeof probeSchema>;

const schema = Type.Object({ probes: Type.Array(probeSchema) });

/** The probes that come with the program. */
const shippedProbes = (): Probe[] =>
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
function probeFault(store: Store, { layer, ask, expect }: Probe): string | undefined {
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
