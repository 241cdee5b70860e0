import { createWriteStream } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { finished } from 'node:stream/promises';

const leastBytes = 65_536;

/** Takes text and writes it in large pieces, waiting for a slow reader. */
export type Output = { write(text: string): Promise<void> | undefined; close(): Promise<void> };

/** Writes to a stream that stays open, such as standard output. */
export function streamOutput(stream: NodeJS.WritableStream): Output {
  let pending = '';
  const flush = () =>
    new Promise<void>((resolve, reject) => {
      stream.write(pending, (error) => (error ? reject(error) : resolve()));
      pending = '';
    });
  return {
    write(text) {
      pending += text;
      return pending.length < leastBytes ? undefined : flush();
    },
    close: flush,
  };
}

/** Writes a file from a position on; what it had there before is cut off first. */
export async function fileOutput(path: string, keptBytes: number): Promise<Output> {
  if (keptBytes > 0) await truncate(path, keptBytes);
  const stream = createWriteStream(path, keptBytes > 0 ? { flags: 'r+', start: keptBytes } : {});
  const output = streamOutput(stream);
  return {
    write: output.write,
    async close() {
      await output.close();
      stream.end();
      await finished(stream);
    },
  };
}
