/** Rows of the first sheet of an Excel workbook (.xlsx). */
import { fromBufferPromise } from 'yauzl';
import { Failure, optionalPackages, UsageError } from '../errors.ts';

/** A sheet is held in memory: packed and unpacked. A million rows of ten cells are about 500 MB unpacked. */
const maxBytes = { packed: 1 << 27, unpacked: 1 << 29 };
/** Rows as Excel has them. */
const maxExtent = { rows: 1_048_576, cells: 50_000_000 };

/** The rows with texts, numbers, dates (ISO 8601) and truth values as texts. Throws UsageError for a broken workbook. */
export async function* sheetRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes.packed) throw tooLarge();
    pieces.push(chunk);
  }
  const workbook = Buffer.concat(pieces);
  const rows = await rowsOf(workbook).catch((error: Error) => {
    if (error instanceof UsageError) throw error;
    throw new Failure(`the input is not an Excel workbook, or a damaged one: ${error.message}`);
  });
  for (const row of rows) if (row.some((cell) => cell !== null)) yield row.map(textOf);
}

async function rowsOf(workbook: Buffer) {
  const zip = await fromBufferPromise(workbook, { autoClose: false });
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    unpacked += entry.uncompressedSize;
    if (unpacked > maxBytes.unpacked) throw tooLarge();
    if (entry.fileName.startsWith('xl/worksheets/')) await checkExtent(await zip.openReadStreamPromise(entry));
  }
  // Loaded only where a workbook is read.
  const { readSheet } = await optionalPackages(
    'reading Excel files',
    ['read-excel-file'],
    () => import('read-excel-file/node'),
  );
  return readSheet(workbook);
}

/** A row or a cell, with its attributes; one of them is its position. */
const positioned = /<(?:[\w.-]+:)?(row|c)(?=[\s"'/>])((?:"[^"]*"|'[^']*'|[^"'<>])*)/g;
const positionsIn = /(?:^|[\s"'])r\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const maxTagLength = 1 << 16;

/**
 * Throws UsageError for a sheet that is too large. The reader makes a list of all rows up to the last position, as long as the
 * last column: a few bytes can name any.
 */
async function checkExtent(sheet: AsyncIterable<Buffer>): Promise<void> {
  let [rows, columns, rest] = [0, 0, ''];
  for await (const chunk of sheet) {
    const text = rest + chunk.toString('latin1');
    for (const [, tag, attributes] of text.matchAll(positioned)) {
      const positions = [...attributes.matchAll(positionsIn)];
      // Optional in the format, but not for the reader; some programs leave them out.
      if (tag === 'c' && positions.length === 0)
        throw new UsageError(
          'the workbook has cells without a position; open and save it in a spreadsheet program, or save the sheet as CSV',
        );
      for (const [, quoted, otherwise = quoted] of positions) {
        const [, letters, digits] =
          (tag === 'c' ? /^\$?([A-Z]{1,3})\$?(\d{1,15})$/i : /^()(\d{1,15})$/).exec(otherwise) ?? [];
        if (digits === undefined)
          throw new Failure(
            `the input is a broken Excel workbook: ${JSON.stringify(otherwise.slice(0, 40))} is no cell or row`,
          );
        rows = Math.max(rows, Number(digits));
        columns = Math.max(columns, columnOf(letters));
      }
    }
    rest = text.slice(Math.max(0, text.lastIndexOf('<')));
    if (rows > maxExtent.rows || rows * columns > maxExtent.cells || rest.length > maxTagLength) throw tooLarge();
  }
}

/** Number of a column by its letters: A is 1, AA 27. */
const columnOf = (letters: string) =>
  [...letters.toUpperCase()].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);

const tooLarge = () => new UsageError('the workbook is too large; save the sheet as CSV');

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  // Excel has fifteen digits, and no time zone; a date alone has no time, and a time alone is one of its day 0.
  if (typeof cell === 'number') return String(Number(cell.toPrecision(15)));
  if (!(cell instanceof Date)) return String(cell);
  return cell
    .toISOString()
    .replace(/^1899-12-30T|T00:00:00\.000Z$/, '')
    .replace(/(\.000)?Z$/, '');
}
