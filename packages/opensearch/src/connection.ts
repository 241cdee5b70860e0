/**
 * Requests to the nodes of an OpenSearch cluster: each has a deadline, and falls back to other nodes when one fails or
 * is slow.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from '@opensearch-project/opensearch';
import { UsageError } from '../../../src/errors.ts';
import { StreetsUnavailable } from '../../../src/store/store.ts';
import type { LookUpOutcome, StreetEngineOptions } from '../../../src/store/street-engine.ts';
import { type Node, type Nodes, watchNodes } from './nodes.ts';
import { Refused, type Request, send } from './request.ts';

/** A read-only request. `preferring` directs it to certain copies of the data, where that matters. */
type Read = Request & { preferring?: (preference: string) => Partial<Request> };

type Fault = (answer: unknown) => Error | undefined;

export type Connection = Awaited<ReturnType<typeof connect>>;

export type ConnectionLimits = Partial<StreetEngineOptions> & {
  /** Maximum number of pending reads; further ones are refused immediately. */
  maxReads?: number;
};

const defaultName = 'whereabouts';
/** Maximum number of connections to a node. */
const maxSockets = 64;
/** Times after which an unanswered read is also sent to another node. */
const hedgeAfterMs = [150, 500, 1200];
/** Maximum share of slow reads that are sent twice; more would make a slow cluster slower. */
const hedgedShare = 0.1;
const maxHedges = 20;
/** A bulk of documents may wait for a merge. */
const writeTimeoutMs = 120_000;
const writeAttempts = 5;

/** Connects to the nodes at `https://user:password@host:9200/name`, or several addresses separated by commas. */
export async function connect(address: string, { deadlineMs = 2000, maxReads = 512, onLookUp }: ConnectionLimits = {}) {
  const { clients, name, endpoint } = await openClients(address);
  const nodes = watchNodes(clients);
  let pending = 0;
  let hedges = maxHedges;
  let isUp = true;

  const unavailable = (reason: string, retryAfterMs = 1000) =>
    new StreetsUnavailable(reason, Math.ceil(retryAfterMs / 1000));

  /**
   * Sends a read-only request. An answer that `fault` finds incomplete counts as none. Throws `StreetsUnavailable` when
   * no node answers within `limitMs`, `Refused` when the cluster refuses the request.
   */
  async function read<T>(request: Read, fault: Fault = () => undefined, limitMs = deadlineMs): Promise<T> {
    const now = performance.now();
    const ended = (outcome: LookUpOutcome) => onLookUp?.(outcome, performance.now() - now);
    const { refusesMs } = nodes;
    if (refusesMs > 0 || pending >= maxReads) ended('refused');
    if (refusesMs > 0) throw unavailable('no node has answered yet', refusesMs);
    if (pending >= maxReads) throw unavailable(`${pending} requests are already waiting`);
    pending++;
    hedges = Math.min(maxHedges, hedges + hedgedShare);
    try {
      const answer = await firstAnswer<T>(
        nodes,
        { request, fault, deadlineMs: limitMs },
        () => nodes.size > 1 && hedges >= 1 && --hedges >= 0,
      );
      isUp = true;
      ended('answered');
      return answer;
    } catch (error) {
      if (error instanceof Refused && error.isFinal) {
        isUp = true;
        ended('answered');
        throw error;
      }
      isUp = false;
      ended('failed');
      throw unavailable((error as Error).message);
    } finally {
      pending--;
    }
  }

  /**
   * Sends a modifying request, which may take long. It is repeated while nodes are unavailable, so it must be
   * idempotent.
   */
  async function write<T>(request: Request, fault: Fault = () => undefined): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await send<T>(nodes.next([]).client, request, writeTimeoutMs).answer;
        const found = fault(answer);
        if (found) throw found;
        return answer;
      } catch (error) {
        if (error instanceof Refused && (error.isFinal || attempt === writeAttempts)) throw error;
        if (attempt === writeAttempts) throw unavailable((error as Error).message);
        nodes.examine();
        await wait(200 * 2 ** attempt);
      }
    }
  }

  return {
    /** The name that the cluster's address has behind its host. */
    name,
    /** The address without user and password. */
    endpoint,
    /** Maximum time of all reads for one request, ms. */
    deadlineMs,
    /** Whether the last read was answered. */
    get isUp() {
      return isUp;
    },
    /** Whether reads are refused at once, as the last ones had no answer from any node. */
    get isRefusing() {
      return nodes.refusesMs > 0;
    },
    read,
    write,
    close: () => nodes.close(),
  };
}

/**
 * The first answer of the nodes, which are tried one after the other: the next one when a node fails, is slow, or is
 * excluded meanwhile.
 */
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
  /** The copies that were asked for last. */
  let preference: string | undefined;

  function settle(finish: () => void, answered?: Node): void {
    if (isDone) return;
    isDone = true;
    nodes.ended(answered, tried);
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
    preference = nodes.preference;
    const preferred = preference === undefined ? {} : request.preferring?.(preference);
    const { answer, abort } = send<T>(node.client, { ...request, ...preferred }, left);
    sent.push({ abort });
    waiting++;
    // In a step of its own: an answer of another form, as a proxy may give, makes `fault` throw.
    const whole = answer.then((value) => {
      const found = fault(value);
      if (found) throw found;
      return value;
    });
    whole.then((value) => settle(() => resolve(value), node), failed.bind(undefined, node));
  }

  function failed(node: Node, error: Error): void {
    waiting--;
    if (isDone) return;
    lastError = error;
    if (error instanceof Refused && error.isFinal) {
      settle(() => reject(error), node);
      return;
    }
    nodes.examine();
    if (waiting > 0) return;
    // All nodes may fail briefly, for example when the cluster elects another manager.
    if (tried.length < nodes.size) ask();
    else timers.push(setTimeout(ask, Math.min(1000, 20 * 2 ** tried.length)));
  }

  function slow(): void {
    nodes.examine();
    if (mayHedge()) ask();
  }

  // An excluded node may be the one that the answer depends on, whichever node received the request.
  let changes = 0;
  const stopListening = nodes.onChange(() => {
    // Nodes that come and go, as those of a busy machine do, are no reason to ask the same again.
    if (nodes.preference === preference) return;
    if (++changes >= nodes.size) stopListening();
    ask();
  });
  timers.push(setTimeout(() => settle(() => reject(lastError)), deadlineMs));
  for (const ms of hedgeAfterMs) timers.push(setTimeout(slow, ms));
  ask();
  return promise;
}

/**
 * A client of each node of an address, the name of the alias in it, and the address without user and password:
 * `https://user:password@host:9200/name`. Several nodes are separated by commas; user, password and name may stand at any of them. Throws UsageError when it is wrong.
 */
async function openClients(address: string): Promise<{ clients: Client[]; name: string; endpoint: string }> {
  const nodes = address.split(',').map((part) => new URL(part.trim()));
  const { pathname, searchParams } = nodes.find((node) => node.pathname !== '/') ?? nodes[0];
  const { username, password } = nodes.find((node) => node.username !== '') ?? nodes[0];
  const name = pathname.slice(1) || defaultName;
  if (!/^[a-z][a-z0-9-]*$/.test(name)) {
    throw new UsageError(
      `the name ${JSON.stringify(name)} in the address of the search cluster is not a valid index name`,
    );
  }
  const region = searchParams.get('aws-region');
  const options = {
    ...(region === null ? {} : await awsSigner(region, searchParams.get('aws-service') ?? 'es')),
    ...(username === ''
      ? {}
      : { auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) } }),
    agent: { keepAlive: true, maxSockets, maxFreeSockets: maxSockets, scheduling: 'fifo' } as never,
    maxRetries: 0,
  };
  const origins = nodes.map(({ origin }) => origin);
  const clients = origins.map((node) => new Client({ ...options, node }));
  return { clients, name, endpoint: origins.map((origin) => `${origin}/${name}`).join() };
}

/** Signs requests to Amazon's service with the credentials of the usual variables, files and roles. */
async function awsSigner(region: string, service: string): Promise<object> {
  const { AwsSigv4Signer } = await import('@opensearch-project/opensearch/aws-v3');
  return AwsSigv4Signer({ region, service: service as 'es' });
}
