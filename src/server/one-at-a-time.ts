/** The requests of one connection, which a client may send without waiting for answers (pipelining). */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { WhereaboutsError } from '../errors.ts';
import type { Network } from '../keys/networks.ts';
import { boundChunks } from './chunks.ts';
import { countedNetwork } from './connections.ts';
import type { Limits } from './limits.ts';

type Turn = { request?: IncomingMessage; response?: ServerResponse; run?: () => void };
/** The current and the waiting requests of a connection. `network`: set while some wait. */
type Line = { current: Turn; waiting: Turn[]; network: string | undefined };

export type Lines = {
  /** Listens to requests. */
  listener: RequestListener;
  /** Runs when all answers on the connection are sent; immediately if the current request is incomplete. */
  afterAnswers(socket: Socket, run: () => void): void;
  /** The request whose head was received last on a connection. */
  latest(socket: Socket): IncomingMessage | undefined;
  /** Whether a completely received request is not answered yet. */
  isAnswering(socket: Socket): boolean;
  /** Parses a new connection's bytes only while its requests may wait; `refuse` ends it with an error. */
  guard(socket: Socket, refuse: (error: WhereaboutsError) => void): void;
};

/** Return values of node:http's callback for each parsed head: 0 continues, 2 (for upgrades) stops parsing. */
type WithParser = {
  parser?: { onIncoming?: ((request: IncomingMessage, keepAlive: boolean) => number) | null };
};
const stopParsing = 2;

/**
 * Passes a connection's next request to the listener only when the client has received the answer before it, so that at
 * most one answer waits for a client that does not read. Meanwhile nothing more is read from it. A client with too many
 * pipelined requests is disconnected: node:http parses 64 KiB at a time, which can hold thousands.
 */
export function oneAtATime(
  listener: RequestListener,
  limits: Pick<Limits, 'pipelinedRequests' | 'pipelinedRequestsPerAddress' | 'pipelinedRequestsInAll'>,
  exempt: readonly Network[],
  cut: (socket: Socket) => void,
): Lines {
  const lines = new WeakMap<Socket, Line>();
  const waitingOf = new Map<string, number>();
  let waitingInAll = 0;

  function book(network: string, count: number): void {
    waitingInAll += count;
    const now = (waitingOf.get(network) ?? 0) + count;
    if (now === 0) waitingOf.delete(network);
    else waitingOf.set(network, now);
  }

  function next(line: Line, socket: Socket): void {
    // After the last answer of a connection nothing is answered.
    const turn = socket.writable ? line.waiting.shift() : undefined;
    if (!turn) return;
    line.current = turn;
    book(line.network!, -1);
    if (line.waiting.length > 0) follow(line, socket);
    else socket.resume();
    if (turn.run) turn.run();
    else listener(turn.request!, turn.response!);
  }

  /** Waits until the current answer is sent, and then for the other connections. */
  const follow = (line: Line, socket: Socket) =>
    line.current.response?.once('close', () => setImmediate(() => next(line, socket)));

  const isFree = ({ current, waiting }: Line) => waiting.length === 0 && current.response?.writableFinished === true;

  function wait(line: Line, socket: Socket, turn: Turn): void {
    if (line.network === undefined) {
      line.network = countedNetwork(socket.remoteAddress, exempt) ?? '';
      socket.once('close', () => {
        book(line.network!, -line.waiting.length);
        line.waiting.length = 0;
      });
    }
    line.waiting.push(turn);
    book(line.network, 1);
    if (line.waiting.length === 1) follow(line, socket);
  }

  const isOver = ({ waiting, network = '' }: Line) =>
    waiting.length > limits.pipelinedRequests ||
    waitingInAll > limits.pipelinedRequestsInAll ||
    (network !== '' && waitingOf.get(network)! > limits.pipelinedRequestsPerAddress);

  return {
    listener(request, response) {
      const { socket } = request;
      const turn = { request, response };
      const line = lines.get(socket);
      if (!line) lines.set(socket, { current: turn, waiting: [], network: undefined });
      else if (isFree(line)) line.current = turn;
      else {
        if (socket.destroyed) return;
        wait(line, socket, turn);
        if (isOver(line)) cut(socket);
        else socket.pause();
        return;
      }
      listener(request, response);
    },
    afterAnswers(socket, run) {
      const line = lines.get(socket);
      if (!line || socket.destroyed || line.current.request?.complete === false || isFree(line)) run();
      else wait(line, socket, { run });
    },
    latest(socket) {
      const { current, waiting = [] } = lines.get(socket) ?? {};
      return waiting.findLast(({ request }) => request)?.request ?? current?.request;
    },
    isAnswering(socket) {
      const { request, response } = lines.get(socket)?.current ?? {};
      return request?.complete === true && response?.writableFinished === false;
    },
    guard(socket, refuse) {
      const { parser } = socket as WithParser;
      const take = parser?.onIncoming;
      if (!parser || !take) return;
      parser.onIncoming = (request, keepAlive) => {
        if (socket.destroyed) return stopParsing;
        if (request.headers['transfer-encoding'] !== undefined) boundChunks(request, refuse);
        return take(request, keepAlive);
      };
    },
  };
}
