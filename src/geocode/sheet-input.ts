/** Rows of the first sheet of an Excel workbook (.xlsx). */
import { fromBufferPromise } from 'yauzl';
import { UsageError } from '../errors.ts';

/** A sheet is held in memory: packed and unpacked. A million rows of ten cells are some 500 MB unpacked. */
const maxBytes = { packed: 1 << 27, unpacked: 1 << 29 };

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
    throw new UsageError(`the input is not an Excel workbook, or a broken one: ${error.message.split('\n')[0]}`);
  });
  for (const row of rows) if (row.some((cell) => cell !== null)) yield row.map(textOf);
}

async function rowsOf(workbook: Buffer) {
  const zip = await fromBufferPromise(workbook);
  let unpacked = 0;
  for await (const { uncompressedSize } of zip.eachEntry()) unpacked += uncompressedSize;
  if (unpacked > maxBytes.unpacked) throw tooLarge();
  // Loaded only where a workbook is read.
  const { readSheet } = await import('read-excel-file/node');
  return readSheet(workbook);
}

const tooLarge = () => new UsageError('the workbook is too large to be read at once; save the sheet as CSV');

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (!(cell instanceof Date)) return String(cell);
  // Excel has no time zone; a date alone has no time.
  return cell.toISOString().replace(/T00:00:00\.000Z$|\.000Z$/, '');
}
