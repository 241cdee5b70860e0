/** The tables of docs/internal/quality.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const page = join(import.meta.dirname, '../../docs/internal/quality.md');
const end = '<!-- end -->';

export const share = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);

export function tableOf(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Writes sections in the place of a part of the page. Throws when the page has no such part. */
export function replacePart(part: string, sections: readonly string[]): void {
  const text = readFileSync(page, 'utf8');
  const begin = `<!-- made by a bench: ${part} -->`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`docs/internal/quality.md has no "${begin}" with an "${end}" after it`);
  writeFileSync(page, `${text.slice(0, from)}${begin}\n\n${sections.join('\n\n')}\n\n${text.slice(to)}`);
}
