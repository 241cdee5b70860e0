/**
 * Limits on connections and heads, by public events of node:http: a network has only its share of them, a client that is silent or
 * does not read is disconnected, and so is one that sends requests without waiting for answers.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { onRequestHookHandler } from 'fastify';
import { clientNetworks } from '../core/ip/address.ts';
import { WhereaboutsError } from '../errors.ts';
import { callerOf, isProxy } from './call.ts';
import type { Service } from './service.ts';

/** The latest answer of a connection, the one before it, and how many pipelined ones are not sent yet. */
type Line = { last: ServerResponse; before: ServerResponse | undefined; open: number };

const lines = new WeakMap<Socket, Line>();
const maxDroppedBytes = 16 * 1024 * 1024;
/** What it takes to read a larger body, and to collect what that leaves: no turn has that in it. */
export const readBytesPerMs = 60_000;
/** This many chunks of a body may have any length; behind them they need this many bytes on average. */
export const freeChunks = 512;
export const minMeanBytes = 16;

/** Whether so many chunks of a body have too few bytes. */
export const isTooFine = (bytes: number, chunks: number) => chunks > freeChunks && bytes < chunks * minMeanBytes;

/** Counts what Node parses for nothing: a body with too small chunks, or the requests of a connection that is cut. */
export function noteFlood(service: Service, { remoteAddress }: Socket): void {
  const [name] = isProxy(service, remoteAddress) ? [] : clientNetworks(remoteAddress);
  if (name !== undefined) service.floods.add(name, service.limits.floodMs);
}

/**
 * Runs something once a turn of the event loop has brought no connection, or a slice is over: libuv accepts one of each listener a turn, so that who
 * waits to be accepted would wait for the requests of all before it.
 */
export function afterArrivals(service: Service, run: () => void): void {
  let before = service.accepted;
  const end = performance.now() + service.limits.sliceMs;
  const look = () => {
    if (service.accepted === before || performance.now() > end) return run();
    before = service.accepted;
    setImmediate(look);
  };
  // The first is still in this turn.
  setImmediate(() => setImmediate(look));
}

/** Keeps a server's connections within the limits. Trusted proxies may use every slot. */
export function guardConnections(server: Server, service: Service): void {
  const { limits } = service;
  const byNetwork = new Map<string, Set<Socket>>();

  /**
   * Closes a connection of the network with the most connections, if these are more than its own: the oldest idle one, or
   * else the oldest, unless both networks would then have the same number.
   */
  function makeRoom(own: Set<Socket> | undefined): boolean {
    const before = (own?.size ?? 1) - 1;
    let largest: Set<Socket> | undefined;
    for (const sockets of byNetwork.values()) {
      if (sockets !== own && sockets.size > (largest?.size ?? before)) largest = sockets;
    }
    if (!largest) return false;
    const [oldest] = largest;
    const closed =
      largest.values().find((socket) => !isAnswering(socket)) ?? (largest.size > before + 1 ? oldest : undefined);
    closed?.destroy();
    return closed !== undefined;
  }

  server.on('connection', (socket: Socket) => {
    service.connections++;
    service.accepted++;
    const { remoteAddress } = socket;
    const [name] = isProxy(service, remoteAddress) ? [] : clientNetworks(remoteAddress);
    let own: Set<Socket> | undefined;
    const isShut = name !== undefined && service.floods.of(name) > limits.maxFloodsMs;
    if (name !== undefined) {
      own = byNetwork.get(name) ?? new Set();
      byNetwork.set(name, own.add(socket));
    } else {
      // A proxy that ends its side has no client any more: what waits is not answered.
      socket.once('end', () => socket.destroy());
    }
    socket.once('close', () => {
      service.connections--;
      own?.delete(socket);
      if (own?.size === 0) byNetwork.delete(name!);
    });
    const isOver = own !== undefined && own.size > limits.connectionsPerAddress;
    if (isShut || isOver || (service.connections > limits.connections && !makeRoom(own))) socket.destroy();
  });
  // Node's own timer: it restarts with every byte received, and with every byte that the client takes.
  server.on('timeout', (socket: Socket) => {
    // Nothing is waiting to be sent: the service is still working.
    if (isAnswering(socket) && socket.writableLength === 0) socket.setTimeout(limits.stalledMs);
    else socket.destroy();
  });
}

const isAnswering = (socket: Socket) => lines.get(socket)?.last.writableFinished === false;

const broken = new WeakSet<Socket>();

/**
 * Runs for the first error of a connection alone, as each further read of it is one, when the answers before it are sent; but for the
 * one to a request that has not arrived whole. Until then nothing is read.
 */
export function onceBroken(socket: Socket, run: () => void): void {
  if (broken.has(socket)) return;
  broken.add(socket);
  const { last, before } = lines.get(socket) ?? {};
  const pending = last?.req.complete || last?.writableEnded ? last : before;
  if (pending?.writableFinished === false) {
    socket.pause();
    pending.once('close', () => {
      socket.resume();
      run();
    });
  } else run();
}

/** Sends "100 Continue" when it is an answer's turn: Node would put it behind the head of one that waits for others. */
export function sendContinue(response: ServerResponse): void {
  const { before } = lines.get(response.req.socket) ?? {};
  const send = () => !response.headersSent && response.writeContinue();
  if (before?.writableFinished === false) before.once('close', () => setImmediate(send));
  else send();
}

/** Disconnects a client with too many requests in progress on one connection: each may have an answer that waits for it. */
export const boundPipelines =
  (service: Service): onRequestHookHandler =>
  ({ raw: { socket }, call: { response } }, reply, done) => {
    const line = lines.get(socket);
    // What was sent is kept by nothing: an idle connection would keep its last answer.
    response.once('close', () => {
      const line = lines.get(socket);
      if (line?.last === response) lines.delete(socket);
      else if (line?.before === response) line.before = undefined;
    });
    if (!line) lines.set(socket, { last: response, before: undefined, open: 0 });
    else {
      const isPipelined = !line.last.writableFinished;
      line.before = line.last;
      line.last = response;
      if (isPipelined) {
        line.open++;
        response.once('close', () => line.open--);
        if (line.open > service.limits.pipelinedRequests) {
          noteFlood(service, socket);
          socket.destroy();
          return void reply.hijack();
        }
      }
    }
    done();
  };

/** Bodies that take no more than this are read at once and not counted, so that small ones always pass; bytes. */
export const smallBytes = 8_192;

/** Whether a request has a larger body, or one whose length is not known. */
export const mayBeLarge = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > smallBytes;

/** Whether the connection of a request ends with its answer, its body unread: a proxy has that itself, and passes the answer on. */
export const leavesUnread = (service: Service, request: IncomingMessage): boolean =>
  !request.complete && mayBeLarge(request) && isProxy(service, request.socket.remoteAddress);

/**
 * Closes a connection whose request was answered before its body had arrived, unless the rest comes soon: closed at once, it
 * would be reset, and the answer may be lost (RFC 9112, 9.6). That rest is read in a turn of its sender, whose time it takes.
 */
export function dropUnread(service: Service): onRequestHookHandler {
  return ({ raw, call }, reply, done) => {
    if (raw.headers['content-length'] !== undefined || raw.headers['transfer-encoding'] !== undefined) {
      // Before Node's own listener, which has a body that nobody reads dropped without a bound.
      reply.raw.prependOnceListener('finish', () => {
        if (raw.complete || raw.readableEnded) return void raw.resume();
        const { socket } = raw;
        // Node would drop what neither was read nor is to flow.
        raw.resume().pause();
        const timer = setTimeout(() => raw.destroy(), service.limits.lingerMs);
        raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
        if (leavesUnread(service, raw)) {
          // Forgets what has come; the last of these has Node read on.
          while (raw.read() !== null);
          process.nextTick(() => socket.pause());
          // Node would close at once what says so.
          socket.destroySoon = () => {};
          return;
        }
        let dropped = 0;
        let chunks = 0;
        const caller = callerOf(service, call);
        raw.on('data', (chunk) => {
          service.lanes.count(caller, chunk.length / readBytesPerMs);
          dropped += chunk.length;
          const isFine = isTooFine(dropped, ++chunks);
          if (isFine) noteFlood(service, socket);
          if (isFine || dropped > maxDroppedBytes) raw.pause().destroy();
        });
        service.lanes.turn(caller).then(
          () => raw.resume(),
          () => raw.destroy(),
        );
      });
    }
    done();
  };
}

/**
 * Answers 400 unless a request names its host once (RFC 9112, 3.2; those of HTTP/1.0 need none), 414 to one with too long an
 * address, 400 to one with too many parameters.
 */
export const checkHead =
  ({ limits }: Service): onRequestHookHandler =>
  ({ raw: { rawHeaders, httpVersionMinor }, originalUrl, call }, _reply, done) => {
    let hosts = 0;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      if (rawHeaders[at].length === 4 && rawHeaders[at].toLowerCase() === 'host') hosts++;
    }
    if (hosts !== 1 && (hosts !== 0 || httpVersionMinor !== 0)) {
      return done(new WhereaboutsError('malformed_request', `the request has ${hosts} Host headers, expected one`));
    }
    const { urlLength, parameters } = limits;
    const { length } = originalUrl;
    if (length > urlLength) {
      const detail = `the URL has ${length} characters, expected at most ${urlLength}`;
      return done(new WhereaboutsError('uri_too_long', detail));
    }
    const { search } = call;
    if (search.length <= 2 * parameters || search.split('&').length <= parameters) return done();
    const detail = `the query has more parameters than ${parameters}; send the others in further requests`;
    done(new WhereaboutsError('invalid_parameter', detail));
  };
