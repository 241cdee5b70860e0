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
export function lineForPeople(line: string): string {
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
  const reason = entry.err ? `: ${reasonOf(entry.err)}` : '';
  return `${[`${time} ${severity}${entry.msg ?? ''}${reason}`, ...details].join('  ')}\n`;
}

const reasonOf = ({ type = '', message = '', stack }: LoggedError) =>
  plainErrors.has(type) ? message : (stack ?? message);
