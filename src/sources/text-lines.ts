import { SourceError } from '../core/street-records.ts';
import { openBytes } from './open-bytes.ts';

const longestLine = 1 << 22;

/**
 * The lines of a text file, plain or packed (see open-bytes.ts), in batches, without their line ends; empty lines and a
 * byte order mark are left out. Of a zip every file whose name `isWanted` is read. `progress` is told the share of the
 * packed bytes read. Throws SourceError naming the file when it is missing, empty or broken.
 */
export async function* textLines(
  path: string,
  options: { isWanted?: (name: string) => boolean; progress?: (share: number) => void } = {},
): AsyncGenerator<string[]> {
  for await (const { name, chunks } of openBytes(path, options)) {
    const text = new TextDecoder('utf-8');
    let rest = '';
    for await (const chunk of chunks) {
      const lines = (rest + text.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() as string;
      // A small packed file can unpack to gigabytes without a line end; no table has such lines.
      if (rest.length > longestLine) {
        throw new SourceError(`${name} has a line of over ${longestLine} characters; it is no text table`);
      }
      yield withoutEnds(lines);
    }
    yield withoutEnds([rest + text.decode()]);
  }
}

function withoutEnds(lines: readonly string[]): string[] {
  const kept: string[] = [];
  for (const line of lines) {
    const content = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (content !== '') kept.push(content);
  }
  return kept;
}
