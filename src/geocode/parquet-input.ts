/** Rows of a Parquet file, which a thread of its own reads: damaged pages can make hyparquet loop. */

import { Failure, UsageError } from '../errors.ts';
import { fromThread } from '../own-thread.ts';

/** The file is held in memory; larger ones are cut or given as CSV. */
const maxBytes = 1 << 30;
/** Processor time for a batch of rows, ms. */
const maxCpuMs = 30_000;
// The same ending as this file: .ts from the sources, .js in the published package.
const script = new URL(`./parquet-table-thread${import.meta.url.slice(-3)}`, import.meta.url);

/** The header, then the rows; lists and groups as JSON. Throws UsageError for a broken file. */
export async function* parquetRows(chunks: AsyncIterable<Buffer>, limits = { maxCpuMs }): AsyncGenerator<string[]> {
  const { buffer, byteOffset, byteLength } = await wholeBuffer(chunks);
  const file = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  const late = `the input is a damaged Parquet file: a part of it cannot be read in ${limits.maxCpuMs / 1000} s of processor time`;
  const refuse = (reason = late) => new Failure(reason);
  for await (const rows of fromThread<string[][]>(script, file, { ...limits, refuse, transferList: [file] }))
    yield* rows;
}

async function wholeBuffer(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new UsageError('the Parquet file is larger than 1 GB; process its parts one by one, or use CSV');
    pieces.push(chunk);
  }
  return Buffer.concat(pieces);
}
