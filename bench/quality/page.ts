/** Tables that benches write into the pages of docs/internal. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const pages = join(import.meta.dirname, '../../docs/internal');
const end = '<!-- end -->';

export const share = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);

export function tableOf(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Replaces a part of a page with sections. Throws when the page has no such part. */
export function replacePart(part: string, sections: readonly string[], name = 'quality.md'): void {
  const page = join(pages, name);
  const text = readFileSync(page, 'utf8');
  const begin = `<!-- made by a bench: ${part} -->`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`docs/internal/${name} has no "${begin}" with an "${end}" after it`);
  writeFileSync(page, `${text.slice(0, from)}${begin}\n\n${sections.join('\n\n')}\n\n${text.slice(to)}`);
}
