/** The service's log: standard output, as JSON lines, or as text on a terminal. */
import { fstatSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

const standardOutput = 1;
/** Maximum buffer for a reader that does not read; further lines are dropped. */
const maxWaitingBytes = 1 << 20;
/** How long a stop waits until the last lines are read, ms. */
const drainMs = 1000;

export type LogStream = ReturnType<typeof openLog>;

/**
 * Opens the log. A terminal that was closed (EIO), a pipe without a reader (EPIPE), one whose reader sleeps, or a full
 * disk cost lines of the log and nothing else; the number of lines lost is written when there is room again.
 */
export function openLog() {
  const { stdout } = process;
  const output = fstatSync(standardOutput);
  const isStream = isatty(standardOutput) || output.isFIFO() || output.isSocket();
  const format = isatty(standardOutput) ? lineForPeople : (line: string) => line;
  // In place of the command line's listener, which ends the process.
  stdout.removeAllListeners('error').on('error', () => {});
  let dropped = 0;

  function put(text: string): boolean {
    try {
      // Writes to a file are immediate, and a stream would fail at the first full disk.
      if (!isStream) writeSync(standardOutput, text);
      else if (stdout.writableLength > maxWaitingBytes) return false;
      else stdout.write(text);
      return true;
    } catch {
      return false;
    }
  }

  return {
    /** Writes a line of JSON that ends in a newline. Never throws and never waits: what cannot be written is dropped. */
    write(line: string): void {
      if (dropped > 0 && put(format(`${JSON.stringify({ level: 40, time: Date.now(), dropped, msg: lost })}\n`))) {
        dropped = 0;
      }
      if (!put(format(line))) dropped++;
    },
    /** Resolves when what was written is taken, or after a second. */
    drain: () =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, drainMs);
        stdout.write('', () => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
}

const lost = 'log lines were lost, because their reader did not keep up';

/** Whether someone started this from a terminal, whose closing then sends SIGHUP. */
export const isOnTerminal = (): boolean => [0, 1, 2].some((descriptor) => isatty(descriptor));

type Entry = { level: number; time: number; msg?: string; err?: LoggedError; [name: string]: unknown };
type LoggedError = { type?: string; message?: string; stack?: string };

/** Fields of no use on a terminal. */
const leftOut = new Set(['level', 'time', 'msg', 'err', 'pid', 'hostname']);
/** Errors whose message states the remedy; for others the stack is shown. */
const plainErrors = new Set(['DatasetError', 'UsageError', 'WhereaboutsError']);

/**
 * A line of the log for people: `15:04:05 serving address=http://127.0.0.1:8080`, warnings and errors marked, an
 * error's message after the text. Takes a line of JSON as pino writes it; anything else is returned unchanged.
 */
function lineForPeople(line: string): string {
  let entry: Entry;
  try {
    entry = JSON.parse(line);
  } catch {
    return line;
  }
  const time = new Date(entry.time).toTimeString().slice(0, 8);
  const severity = entry.level >= 50 ? 'error: ' : entry.level >= 40 ? 'warning: ' : '';
  const details = Object.entries(entry)
    .filter(([name, value]) => !leftOut.has(name) && value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const { type = '', message = '', stack } = entry.err ?? {};
  const reason = entry.err ? `: ${plainErrors.has(type) ? message : (stack ?? message)}` : '';
  return `${[`${time} ${severity}${entry.msg ?? ''}${reason}`, ...details].join('  ')}\n`;
}
