/** What a cell may hold; null and undefined are empty cells. */
export type Cell = string | number | boolean | null | undefined;

const needsQuotes = /[",\r\n]|^[ \t]|[ \t]$/;
/**
 * The start of a spreadsheet formula, including full-width forms; a sign without letters, as in `+1-684`, `-03:30` or `-1;46.5`,
 * is harmless.
 */
const beginsFormula = /^(?:[=@＝＠\t\r]|[+\-＋－](?![\d .:;()-]*$))/;

/** One record of RFC 4180, CRLF included. Texts are written as they are; see `withoutFormula`. */
export function csvRecord(cells: readonly Cell[]): string {
  let record = '';
  for (let i = 0; i < cells.length; i++) record += i === 0 ? quoted(cells[i]) : `,${quoted(cells[i])}`;
  // An empty line would be no record at all to most readers.
  return record === '' ? '""\r\n' : `${record}\r\n`;
}

function quoted(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'string') return String(cell);
  return needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * A cell that no spreadsheet runs as a formula: a text that begins with `=`, `@`, a tab, or a sign before anything but
 * digits and their punctuation gets an apostrophe before it. Numbers stay as they are. (OWASP, CSV injection: open data
 * are written by anyone, and their readers open them in spreadsheets.)
 */
export function withoutFormula(cell: Cell): Cell {
  return typeof cell === 'string' && beginsFormula.test(cell) ? `'${cell}` : cell;
}

/** The delimiter that the first row has most of outside quotes, the first of equally frequent ones. */
export function delimiterOf(head: string, candidates: readonly string[]): string {
  const [row] = head.replace(/"[^"]*"?/g, '').split('\n', 1);
  const count = (candidate: string) => row.split(candidate).length;
  return candidates.reduce((best, each) => (count(each) > count(best) ? each : best));
}
