/** The nodes of a cluster. One that does not answer is left out until it does, and so are the copies of data that it holds. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@opensearch-project/opensearch';
import { Refused, send } from './request.ts';

/** A node that does not answer the smallest question by then is left out. */
const pingMs = 100;
/** A question that is lost, as on a connection to a node that is cut off, is repeated after this time. */
const pingTimeoutMs = 1000;
const pingEveryMs = 250;

export type Node = {
  readonly client: Client;
  /** By which the cluster knows it; undefined until it was asked, or where nobody may ask. */
  id: string | undefined;
  isExcluded: boolean;
};

type Watched = Node & { ping: Promise<void> | undefined };

export class Nodes {
  readonly #nodes: readonly Watched[];
  readonly #listeners = new Set<() => void>();
  readonly #closed = new AbortController();
  #nextIndex = 0;

  constructor(clients: readonly Client[]) {
    this.#nodes = clients.map((client) => ({ client, id: undefined, isExcluded: false, ping: undefined }));
  }

  get size(): number {
    return this.#nodes.length;
  }

  /** The node whose turn it is, of those that were not tried and answer; of the others where there is none. */
  next(tried: readonly Node[]): Node {
    const untried = this.#nodes.filter((node) => !tried.includes(node));
    const choice = [untried, this.#nodes].map((nodes) => nodes.filter(({ isExcluded }) => !isExcluded));
    const nodes = [...choice, untried, this.#nodes].find(({ length }) => length > 0)!;
    return nodes[this.#nextIndex++ % nodes.length];
  }

  /** Which copies are to be asked while a node is left out: those of the others. */
  get preference(): string | undefined {
    if (!this.#nodes.some(({ isExcluded }) => isExcluded)) return undefined;
    const ids = this.#nodes.flatMap(({ isExcluded, id }) => (isExcluded || id === undefined ? [] : [id]));
    return ids.length > 0 ? `_prefer_nodes:${ids.join()}` : undefined;
  }

  /** Calls when a node is left out from now on. Returns how to stop that. */
  onExcluded(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Finds out which nodes answer. A slow request may be due to any of them, as each asks the others for what it does not hold. */
  examine(): void {
    if (this.#nodes.length < 2) return;
    for (const node of this.#nodes)
      node.ping ??= this.#ping(node).finally(() => {
        node.ping = undefined;
      });
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await Promise.all(this.#nodes.map(({ client }) => client.close()));
  }

  async #ping(node: Watched): Promise<void> {
    let isAnswered = false;
    // An answer may have come that this process, being busy, has not read yet.
    const onTimeout = () => setImmediate(() => isAnswered || this.#exclude(node));
    const timer = setTimeout(onTimeout, pingMs);
    while (!this.#closed.signal.aborted && !(await isAnswering(node))) {
      this.#exclude(node);
      await wait(pingEveryMs, undefined, { signal: this.#closed.signal, ref: false }).catch(() => {});
    }
    isAnswered = true;
    clearTimeout(timer);
    node.isExcluded = false;
  }

  #exclude(node: Watched): void {
    if (node.isExcluded) return;
    node.isExcluded = true;
    // Where all are slow none of them is the reason, and more requests would make them slower.
    if (this.#nodes.every(({ isExcluded }) => isExcluded)) return;
    for (const listener of this.#listeners) listener();
  }
}

/** Whether a node answers; notes by what name the cluster knows it. */
async function isAnswering(node: Node): Promise<boolean> {
  const local = { method: 'GET', path: '/_nodes/_local?filter_path=nodes.*.name' } as const;
  try {
    const { nodes } = await send<{ nodes: Record<string, object> }>(node.client, local, pingTimeoutMs).answer;
    [node.id] = Object.keys(nodes);
    return true;
  } catch (error) {
    // Who may not ask that has an answer too.
    return error instanceof Refused && error.isFinal;
  }
}
