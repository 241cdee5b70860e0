/** Requests to the nodes of an OpenSearch cluster: each has a deadline, and others to turn to when a node fails or is slow. */
import { setTimeout as wait } from 'node:timers/promises';
import { StreetsUnavailable } from '../streets-unavailable.ts';
import { openClients } from './client.ts';
import { type Node, Nodes } from './nodes.ts';
import { Refused, type Request, send } from './request.ts';

/** A request that changes nothing. `preferring` makes it ask certain copies of the data, where that matters. */
export type Read = Request & { preferring?: (preference: string) => Partial<Request> };

export type Fault = (answer: unknown) => Error | undefined;

export type Connection = {
  /** The name that the cluster's address has behind its host. */
  readonly name: string;
  /** Whether the last read was answered. */
  readonly isUp: boolean;
  /**
   * Asks for something that changes nothing. An answer that `fault` finds incomplete counts as none. Throws `StreetsAway`
   * when no node answers in time, `Refused` when the cluster says no.
   */
  read<T>(request: Read, fault?: Fault): Promise<T>;
  /** Has something done, which may take its time. Repeated while nodes are away, so it must bear that. */
  write<T>(request: Request, fault?: Fault): Promise<T>;
  close(): Promise<void>;
};

export type ConnectionLimits = {
  /** Until a read is answered or fails. */
  deadlineMs?: number;
  /** Most reads under way; more are refused at once. */
  maxReads?: number;
};

/** A read that is not answered by then is sent to another node too. */
const hedgeAfterMs = [150, 500, 1200];
/** Of reads that are sent twice because they are slow: at most this share, or a slow cluster would get slower. */
const hedgedShare = 0.1;
const maxHedges = 20;
/** After so many reads in a row that no node answered, all fail at once for a while. */
const failuresToOpen = 5;
const openMs = 2000;
/** A bulk of documents may wait for a merge. */
const writeTimeoutMs = 120_000;
const writeAttempts = 5;

/** Connects to the nodes at `https://user:password@host:9200/name`, or several addresses separated by commas. */
export async function connect(
  address: string,
  { deadlineMs = 4000, maxReads = 512 }: ConnectionLimits = {},
): Promise<Connection> {
  const { clients, name } = await openClients(address);
  const nodes = new Nodes(clients);
  let pending = 0;
  let hedges = maxHedges;
  let failures = 0;
  let refusedUntil = 0;

  const unavailable = (reason: string, retryAfterMs = 1000) =>
    new StreetsUnavailable(reason, Math.ceil(retryAfterMs / 1000));

  async function read<T>(request: Read, fault: Fault = () => undefined): Promise<T> {
    const now = performance.now();
    if (now < refusedUntil) throw unavailable('no node answered before', refusedUntil - now);
    if (pending >= maxReads) throw unavailable(`${pending} requests are waiting already`);
    pending++;
    hedges = Math.min(maxHedges, hedges + hedgedShare);
    try {
      const answer = await firstAnswer<T>(
        nodes,
        { request, fault, deadlineMs },
        () => nodes.size > 1 && hedges >= 1 && --hedges >= 0,
      );
      failures = 0;
      return answer;
    } catch (error) {
      if (error instanceof Refused) {
        failures = 0;
        throw error;
      }
      if (++failures >= failuresToOpen) refusedUntil = performance.now() + openMs;
      throw unavailable((error as Error).message);
    } finally {
      pending--;
    }
  }

  async function write<T>(request: Request, fault: Fault = () => undefined): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await send<T>(nodes.next([]).client, request, writeTimeoutMs).answer;
        const found = fault(answer);
        if (found) throw found;
        return answer;
      } catch (error) {
        if ((error instanceof Refused && error.isFinal) || attempt === writeAttempts) throw error;
        nodes.examine();
        await wait(200 * 2 ** attempt);
      }
    }
  }

  return {
    name,
    get isUp() {
      return failures === 0;
    },
    read,
    write,
    close: () => nodes.close(),
  };
}

/** The first answer of the nodes that are asked one after the other: when one fails, takes long, or is left out meanwhile. */
function firstAnswer<T>(
  nodes: Nodes,
  { request, fault, deadlineMs }: { request: Read; fault: Fault; deadlineMs: number },
  mayHedge: () => boolean,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const deadline = performance.now() + deadlineMs;
  const sent: { abort(): void }[] = [];
  const tried: Node[] = [];
  let waiting = 0;
  let isDone = false;
  let lastError: Error = new Error(`no answer within ${deadlineMs} ms`);
  const timers: NodeJS.Timeout[] = [];

  function settle(finish: () => void): void {
    if (isDone) return;
    isDone = true;
    for (const timer of timers) clearTimeout(timer);
    stopListening();
    for (const one of sent) one.abort();
    finish();
  }

  function ask(): void {
    const left = deadline - performance.now();
    if (isDone || left <= 0) return;
    const node = nodes.next(tried);
    tried.push(node);
    const preferred = nodes.preference === undefined ? {} : request.preferring?.(nodes.preference);
    const { answer, abort } = send<T>(node.client, { ...request, ...preferred }, left);
    sent.push({ abort });
    waiting++;
    answer.then((value) => {
      const found = fault(value);
      if (found) failed(found);
      else settle(() => resolve(value));
    }, failed);
  }

  function failed(error: Error): void {
    waiting--;
    if (isDone) return;
    lastError = error;
    if (error instanceof Refused && error.isFinal) {
      settle(() => reject(error));
      return;
    }
    nodes.examine();
    if (waiting > 0) return;
    // All nodes may have failed for a moment, as at a change of the cluster's manager.
    if (tried.length < nodes.size) ask();
    else timers.push(setTimeout(ask, Math.min(1000, 20 * 2 ** tried.length)));
  }

  function slow(): void {
    nodes.examine();
    if (mayHedge()) ask();
  }

  // The answer may have been waited for from the node that is left out, whichever node was asked for it.
  const stopListening = nodes.onExcluded(() => {
    stopListening();
    ask();
  });
  timers.push(setTimeout(() => settle(() => reject(lastError)), deadlineMs));
  for (const ms of hedgeAfterMs) timers.push(setTimeout(slow, ms));
  ask();
  return promise;
}
