/**
 * The nodes of a cluster. One that does not answer is excluded until it does, with the copies of data that it holds.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@opensearch-project/opensearch';
import { Refused, send } from './request.ts';

/** A node that does not answer a ping within this time is excluded. */
const pingMs = 100;
/** A ping that was lost, for example on a broken connection, is repeated after this time. */
const pingTimeoutMs = 1000;
/** Time in which at least half of the nodes must answer a node. */
const reachMs = 500;
const pingEveryMs = 250;
/** A node on which this many reads in a row ended without an answer, from whatever node, is not asked for a while. */
const failuresToOpen = 5;
const openMs = 2000;

export type Node = {
  readonly client: Client;
  /** Its identifier in the cluster; undefined until known, or where the user may not read it. */
  id: string | undefined;
  isExcluded: boolean;
  failures: number;
  /** Of `performance.now()`: until when it is not asked, as it left too many reads without an answer. */
  openUntil: number;
};

type Watched = Node & { ping: Promise<void> | undefined };

export type Nodes = ReturnType<typeof watchNodes>;

/** The nodes of some clients. */
export function watchNodes(clients: readonly Client[]) {
  const all = clients.map(
    (client): Watched => ({ client, id: undefined, isExcluded: false, failures: 0, openUntil: 0, ping: undefined }),
  );
  const listeners = new Set<() => void>();
  const closed = new AbortController();
  let nextIndex = 0;

  async function ping(node: Watched): Promise<void> {
    let isAnswered = false;
    // The answer may have arrived but not been read yet by this busy process.
    const onTimeout = () => setImmediate(() => isAnswered || setExcluded(node, true));
    const timer = setTimeout(onTimeout, pingMs);
    let isCutOff = false;
    while (!closed.signal.aborted) {
      const isThere = await isAnswering(node);
      isAnswered ||= isThere;
      if (isThere) {
        if (!isCutOff) setExcluded(node, false);
        isCutOff = !(await reachesOthers(node));
        if (!isCutOff) break;
      }
      setExcluded(node, true);
      await wait(pingEveryMs, undefined, { signal: closed.signal, ref: false }).catch(() => {});
    }
    clearTimeout(timer);
    setExcluded(node, false);
  }

  function setExcluded(node: Watched, isExcluded: boolean): void {
    if (node.isExcluded === isExcluded) return;
    node.isExcluded = isExcluded;
    const { length } = all.filter((one) => one.isExcluded);
    // If all are slow, none of them is the cause, and more requests would make them slower.
    if (length === 0 || length === all.length) return;
    for (const listener of listeners) listener();
  }

  return {
    size: all.length,
    /** The next node in turn, of those that answer and were not tried; of the others if there is none. */
    next(tried: readonly Node[]): Node {
      const untried = all.filter((node) => !tried.includes(node));
      const choice = [untried, all].map((nodes) => nodes.filter((node) => !isLeftOut(node)));
      const nodes = [...choice, untried, all].find(({ length }) => length > 0)!;
      return nodes[nextIndex++ % nodes.length];
    },
    /** A read was answered by a node, or by none of those that were asked. */
    ended(answered: Node | undefined, asked: Iterable<Node>): void {
      if (answered) answered.failures = 0;
      else
        for (const node of new Set(asked))
          if (++node.failures >= failuresToOpen) node.openUntil = performance.now() + openMs;
    },
    /** For how long no node is asked, ms; 0 where one is. */
    get refusesMs(): number {
      return Math.max(0, Math.min(...all.map(({ openUntil }) => openUntil)) - performance.now());
    },
    /** The copies to query while a node is excluded: those of the other nodes. */
    get preference(): string | undefined {
      if (!all.some(isLeftOut)) return undefined;
      const ids = all.flatMap((node) => (isLeftOut(node) || node.id === undefined ? [] : [node.id]));
      return ids.length > 0 ? `_prefer_nodes:${ids.join()}` : undefined;
    },
    /** Calls `listener` whenever a node is excluded or is back, and others answer without it. Returns a function that unsubscribes it. */
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Pings the nodes. A slow request may be due to any of them, as each queries the others for data that it lacks. */
    examine(): void {
      if (all.length < 2) return;
      for (const node of all) node.ping ??= ping(node).finally(() => (node.ping = undefined));
    },
    async close(): Promise<void> {
      closed.abort();
      await Promise.all(all.map(({ client }) => client.close()));
    },
  };
}

const isLeftOut = ({ isExcluded, openUntil }: Node) => isExcluded || openUntil > performance.now();

/** Whether a node answers; sets its identifier in the cluster. */
const isAnswering = (node: Node) =>
  says(node, '/_nodes/_local?filter_path=nodes.*.name', pingTimeoutMs, ({ nodes }: { nodes: object }) => {
    [node.id] = Object.keys(nodes);
    return true;
  });

/** Whether a node has a connection to most of its cluster; one that is cut off from it waits for copies of data elsewhere. */
const reachesOthers = (node: Node) =>
  says(
    node,
    `/_nodes/_all/os?timeout=${reachMs}ms&filter_path=_nodes`,
    reachMs + pingTimeoutMs,
    ({ _nodes }: { _nodes: { total: number; failed: number } }) => _nodes.failed * 2 <= _nodes.total,
  );

/** Whether a node has an answer that holds, or a refusal, which is an answer too. */
async function says<T>({ client }: Node, path: string, timeoutMs: number, holds: (answer: T) => boolean) {
  try {
    return holds(await send<T>(client, { method: 'GET', path }, timeoutMs).answer);
  } catch (error) {
    return error instanceof Refused && error.isFinal;
  }
}
