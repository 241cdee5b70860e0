/**
 * Reading in rounds. Node reads and parses the data of all connections in one turn of the event loop, so one address
 * with many connections could block a turn for seconds. If reading for a network takes longer than a slice, its
 * connections are from then on read one after the other, as many per turn as fit into a slice.
 */
import type { Socket } from 'node:net';
import { clientNetwork } from '../core/ip/client-network.ts';
import type { Limits } from './limits.ts';
import type { Turns } from './turns.ts';

/** A network's connections; `held`: those that are paused, the next one first. */
type Reader = { sockets: Set<Socket>; held: Set<Socket>; spentMs: number; reads: number; costMs: number };

export type Rounds = {
  /** Reads a new connection in rounds if necessary, and ends it in stages. */
  add(socket: Socket): void;
  /**
   * Ends a connection so that its client can still read the last answer: further data is dropped until the client
   * closes its side, for at most `lingerMs` or 16 MiB. A connection closed with bytes unread is reset, and what was
   * sent may be lost (RFC 9112, 9.6).
   */
  end(socket: Socket, last?: string): void;
  /** Whether a connection waits to be read. */
  isHeld(socket: Socket): boolean;
};

/** The handle by which reading is stopped and resumed; `socket.pause` is used for other purposes. */
type WithHandle = { _handle?: { reading?: boolean; readStop(): void; readStart(): void } | null };
/** The callback index under which node:http's parser passes on parsed bytes. */
type WithParser = { parser?: Record<string, unknown> | null };
type OnExecute = (bytes: number | Error) => void;

/** A read of fewer bytes is not measured unless its turn is. */
const lightBytes = 4096;
const maxDroppedBytes = 16 * 1024 * 1024;

export function readInRounds(turns: Turns, { sliceMs }: Pick<Limits, 'sliceMs'>): Rounds {
  const readers = new Map<string, Reader>();
  /** Those with something to do at the end of the turn. */
  const active = new Set<Reader>();

  function hold(reader: Reader, socket: Socket): void {
    const handle = (socket as WithHandle)._handle;
    if (handle?.reading) handle.readStop();
    reader.held.add(socket);
  }

  function release(reader: Reader, socket: Socket): void {
    const handle = (socket as WithHandle)._handle;
    if (handle?.reading) handle.readStart();
    reader.held.delete(socket);
  }

  function measure(reader: Reader, socket: Socket): void {
    reader.spentMs += turns.measure(reader.held.size > 0);
    reader.reads++;
    active.add(reader);
    if (reader.held.size > 0) hold(reader, socket);
    else if (reader.spentMs > sliceMs) {
      // This one was just read: it moves to the end of the round.
      for (const other of reader.sockets) if (other !== socket) hold(reader, other);
      hold(reader, socket);
    }
  }

  turns.onTurnEnd(() => {
    for (const reader of active) {
      if (reader.reads > 0) reader.costMs = Math.max(reader.spentMs / reader.reads, reader.costMs / 2);
      reader.spentMs = reader.reads = 0;
      let left = sliceMs;
      for (const socket of reader.held) {
        release(reader, socket);
        left -= reader.costMs;
        if (left <= 0) break;
      }
      if (reader.held.size === 0) active.delete(reader);
    }
    return active.size > 0;
  });

  function end(socket: Socket, last = ''): void {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const reader = readerOf(socket);
    let dropped = 0;
    socket.end(last);
    // Nothing more is parsed.
    socket
      .removeAllListeners('data')
      .on('data', (chunk) => {
        if (reader) measure(reader, socket);
        dropped += chunk.length;
        if (dropped > maxDroppedBytes) socket.destroy();
      })
      .resume();
  }

  const readerOf = (socket: Socket) => readers.get(clientNetwork(socket.remoteAddress));
  return {
    end,
    add(socket) {
      // What node:http ends a connection with.
      socket.destroySoon = () => end(socket);
      const { parser } = socket as WithParser;
      const name = Object.keys(parser ?? {}).find((key) => isOnExecute(parser![key]));
      if (!parser || name === undefined) return;
      const network = clientNetwork(socket.remoteAddress);
      let reader = readers.get(network);
      if (!reader)
        readers.set(network, (reader = { sockets: new Set(), held: new Set(), spentMs: 0, reads: 0, costMs: 0 }));
      const own = reader;
      own.sockets.add(socket);
      const take = parser[name] as OnExecute;
      parser[name] = (bytes: number | Error) => {
        take(bytes);
        if (turns.isMeasured || !(Number(bytes) < lightBytes)) measure(own, socket);
      };
      // Node begins to read it in a tick of its own, before this one.
      if (own.held.size > 0) process.nextTick(() => !socket.destroyed && hold(own, socket));
      socket.once('close', () => {
        own.sockets.delete(socket);
        own.held.delete(socket);
        if (own.sockets.size === 0) readers.delete(network);
      });
    },
    isHeld: (socket) => readerOf(socket)?.held.has(socket) ?? false,
  };
}

const isOnExecute = (value: unknown): value is OnExecute =>
  typeof value === 'function' && value.name === 'bound onParserExecute';
