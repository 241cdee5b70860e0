/** Clients that send one request after the other over kept connections, and report how each ended. */
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export type Outcome = {
  /** Status of a whole answer; undefined when there was none. */
  status: number | undefined;
  body: string;
  retryAfter: string | undefined;
  /** An answer began and broke off. */
  isCut: boolean;
  /** No byte of an answer came, and why. */
  error: string | undefined;
  /** The connection had been used before: the server may have closed it while the request was on its way. */
  wasReused: boolean;
};

/** Sends one request; never rejects. */
function askOnce(agent: Agent, url: string, key: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const sent = request(url, { agent, headers: { 'x-api-key': key } });
    let outcome: Outcome = {
      status: undefined,
      body: '',
      retryAfter: undefined,
      isCut: false,
      error: undefined,
      wasReused: false,
    };
    sent.on('response', (response) => {
      outcome = { ...outcome, retryAfter: response.headers['retry-after'], isCut: true };
      response.setEncoding('utf8');
      response.on('data', (text) => {
        outcome.body += text;
      });
      response.on('end', () => {
        if (response.complete) resolve({ ...outcome, status: response.statusCode, isCut: false });
      });
      response.on('close', () => resolve(outcome));
    });
    sent.on('error', (error: Error & { code?: string }) =>
      resolve({ ...outcome, error: error.code ?? error.message, wasReused: sent.reusedSocket }),
    );
    sent.end();
  });
}

export type Load = {
  outcomes: Outcome[];
  /** Each client pauses from now on between two requests, while a test waits for what takes seconds and all processors. */
  goEasy(): void;
  stop(): Promise<Outcome[]>;
};

/**
 * `clients` clients send requests until they are stopped or `maxRequests` requests in all are sent. `beforeRetry`: a
 * request without any answer is sent once more, on a new connection, as RFC 9110 (9.2.2) lets every client do with a
 * GET; it waits for this first.
 */
export function startLoad(
  urlOf: (index: number) => string,
  key: string,
  {
    clients = 16,
    maxRequests = Infinity,
    beforeRetry,
  }: { clients?: number; maxRequests?: number; beforeRetry?: () => Promise<void> } = {},
): Load & { done: Promise<Outcome[]> } {
  const outcomes: Outcome[] = [];
  let isStopped = false;
  let pauseMs = 0;
  let sent = 0;
  const agents: Agent[] = [];
  const client = async (place: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    agents.push(agent);
    while (!isStopped && sent < maxRequests) {
      const url = urlOf(place + sent++);
      let outcome = await askOnce(agent, url, key);
      if (beforeRetry !== undefined && outcome.error !== undefined) {
        await beforeRetry();
        outcome = await askOnce(new Agent(), url, key);
      }
      outcomes.push(outcome);
      // The server is gone: a client that continued at once would only keep the processor busy.
      if (outcome.error === 'ECONNREFUSED') return;
      if (pauseMs > 0) await wait(pauseMs);
    }
  };
  const done = Promise.all(Array.from({ length: clients }, (_, place) => client(place))).then(() => {
    for (const agent of agents) agent.destroy();
    return outcomes;
  });
  return {
    outcomes,
    done,
    goEasy() {
      pauseMs = 25;
    },
    stop() {
      isStopped = true;
      return done;
    },
  };
}

/** How many outcomes there are of each kind: a status, or what went wrong. */
export function tally(outcomes: readonly Outcome[]): Record<string, number> {
  const kinds = outcomes.map(({ status, isCut, error }) => (isCut ? 'cut' : String(status ?? error)));
  return Object.fromEntries([...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length]));
}
