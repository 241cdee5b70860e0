/** The requests of one connection, which a client may send without waiting for answers (pipelining). */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Turn = { request?: IncomingMessage; response?: ServerResponse; run: () => void };
/** Whose turn it is on a connection, and who is next. */
type Line = { current: Turn; waiting: Turn[] };

export type Lines = {
  /** Listens to requests. */
  listener: RequestListener;
  /** Runs when the answers to all that came over the connection are taken; at once where the request under way is torn. */
  afterAnswers(socket: Socket, run: () => void): void;
};

/**
 * Gives a listener a connection's next request only when the client has taken the answer before it, so that no more than
 * one answer waits for a client that does not read. Meanwhile nothing more is read from it. A client with more than
 * `mostWaiting` requests under way is cut off.
 */
export function oneAtATime(listener: RequestListener, mostWaiting: number): Lines {
  const lines = new WeakMap<Socket, Line>();

  function next(line: Line, socket: Socket): void {
    const turn = line.waiting.shift();
    if (socket.destroyed || !turn) return;
    line.current = turn;
    if (line.waiting.length > 0) follow(line, socket);
    else socket.resume();
    turn.run();
  }

  /** Waits for the current answer to be taken, and then for other connections to have their turn. */
  const follow = (line: Line, socket: Socket) =>
    line.current.response?.once('close', () => setImmediate(() => next(line, socket)));

  const isFree = ({ current, waiting }: Line) => waiting.length === 0 && current.response?.writableFinished === true;

  function wait(line: Line, socket: Socket, turn: Turn): void {
    line.waiting.push(turn);
    if (line.waiting.length === 1) follow(line, socket);
  }

  return {
    listener(request, response) {
      const { socket } = request;
      const turn = { request, response, run: () => listener(request, response) };
      const line = lines.get(socket);
      if (!line) lines.set(socket, { current: turn, waiting: [] });
      else if (isFree(line)) line.current = turn;
      else {
        wait(line, socket, turn);
        if (line.waiting.length > mostWaiting) socket.destroy();
        else socket.pause();
        return;
      }
      listener(request, response);
    },
    afterAnswers(socket, run) {
      const line = lines.get(socket);
      if (!line || line.current.request?.complete === false || isFree(line)) run();
      else wait(line, socket, { run });
    },
  };
}
