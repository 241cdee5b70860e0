import { existsSync, readFileSync } from 'node:fs';

/** The texts of a gettext catalogue (`.mo`, little-endian) by their identifiers. Throws where there is no such file. */
export function catalogue(path: string): Map<string, string> {
  if (!existsSync(path)) throw new Error(`there is no ${path}`);
  const bytes = readFileSync(path);
  const text = (table: number, at: number) => {
    const from = bytes.readUInt32LE(table + 8 * at + 4);
    return bytes.toString('utf8', from, from + bytes.readUInt32LE(table + 8 * at));
  };
  const [count, ids, texts] = [8, 12, 16].map((at) => bytes.readUInt32LE(at));
  return new Map(Array.from({ length: count }, (_, at) => [text(ids, at), text(texts, at)]));
}
