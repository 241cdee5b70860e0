/**
 * Street-level data of a directory, opened by the engine that the tests run on: the files themselves, or with
 * STREET_ENGINE the search cluster at that address. A cluster answers asynchronously, but the tests call it
 * synchronously: the engine runs in a thread, and this one blocks until it answers.
 */
import { randomBytes } from 'node:crypto';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { openDataset, openStreetLevel, type StreetLevel } from '../../src/api/open.ts';
import type { OpenedPart } from '../../src/store/sqlite/street-level.ts';
import type { CityNames } from '../../src/store/store.ts';
import { withMadePlaces as madePlaces } from './made-places.ts';

const address = process.env.STREET_ENGINE;

type AddressExplanation = Parameters<NonNullable<Parameters<StreetLevel['addresses']['search']>[1]>>[0];

export type ThreadJob = {
  address: string;
  directory: string;
  hasPlaces: boolean;
  withMadePlaces: boolean;
  parts: readonly OpenedPart[] | undefined;
  signal: SharedArrayBuffer;
  port: MessagePort;
};
export type EngineRequest = {
  layer: 'addresses' | 'streets' | 'pois' | 'map';
  method: string;
  args: unknown[];
  isExplained: boolean;
};
export type Answered = { value?: unknown; explanation?: AddressExplanation; error?: string };

const noPlaces: CityNames = { resolve: () => undefined, countriesNamed: () => [], regionsNamed: () => [] };

const opened = new Map<string, CityNames>();
/** The settlements of the world of a dataset; opened once, as a cluster's tests write another manifest beside it. */
export const citiesOf = (directory: string): CityNames =>
  opened.getOrInsertComputed(directory, () => openDataset(directory, { layers: ['world'] }).cities);

/**
 * Opens the street-level files of a directory, only those of `parts` where set; `places` of its world or none, and those
 * of made-places.ts.
 */
export function openStreets(
  directory: string,
  places: CityNames | undefined,
  parts?: readonly OpenedPart[],
  { withMadePlaces = false } = {},
): StreetLevel {
  const known = places && withMadePlaces ? madePlaces(places) : (places ?? noPlaces);
  if (address === undefined) return openStreetLevel(directory, known, parts);
  const { port1, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const name = `test-${randomBytes(6).toString('hex')}`;
  const job: ThreadJob = {
    address: `${address}/${name}`,
    directory,
    hasPlaces: places !== undefined,
    withMadePlaces,
    parts,
    signal: signal.buffer,
    port: port2,
  };
  const worker = new Worker(
    new URL('../../packages/opensearch/test/support/street-engine-thread.ts', import.meta.url),
    {
      workerData: job,
      transferList: [port2],
    },
  );
  worker.unref();

  function wait(): Answered {
    Atomics.wait(signal, 0, 0, 120_000);
    Atomics.store(signal, 0, 0);
    const { message } = receiveMessageOnPort(port1) as { message: Answered };
    if (message.error !== undefined) throw new Error(message.error);
    return message;
  }
  wait();

  function ask<T>(
    layer: EngineRequest['layer'],
    method: string,
    args: unknown[],
    explained?: (found: AddressExplanation) => void,
  ): T {
    port1.postMessage({ layer, method, args, isExplained: explained !== undefined } satisfies EngineRequest);
    const { value, explanation } = wait();
    if (explanation) explained?.(explanation);
    return value as T;
  }
  return {
    addresses: {
      search: (query, explained) => ask('addresses', 'search', [query], explained),
      nearest: (from, options) => ask('addresses', 'nearest', [from, options]),
      byId: (id) => ask('addresses', 'byId', [id]),
      idOfObject: (object) => ask('addresses', 'idOfObject', [object]),
    },
    streets: {
      mayBegin: (words) => ask('streets', 'mayBegin', [words]),
      villages: (text, within) => ask('streets', 'villages', [text, within]),
      search: (query) => ask('streets', 'search', [query]),
      nearest: (from, options) => ask('streets', 'nearest', [from, options]),
      byId: (id) => ask('streets', 'byId', [id]),
    },
    pois: {
      mayBegin: (words) => ask('pois', 'mayBegin', [words]),
      have: (names) => ask('pois', 'have', [names]),
      // A function cannot be sent to another thread.
      named: (name, { admits = () => true, ...options }) =>
        ask<ReturnType<StreetLevel['pois']['named']>>('pois', 'named', [name, options]).filter(admits),
      nearest: (from, options) => ask('pois', 'nearest', [from, options]),
      byId: (id) => ask('pois', 'byId', [id]),
      idOfObject: (object) => ask('pois', 'idOfObject', [object]),
    },
    map: {
      streets: (bounds, limit) => ask('map', 'streets', [bounds, limit]),
      houses: (bounds) => ask('map', 'houses', [bounds]),
      pois: (bounds, limit) => ask('map', 'pois', [bounds, limit]),
    },
    close() {
      port1.postMessage(undefined);
      wait();
      port1.close();
    },
  };
}
