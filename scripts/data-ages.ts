import type { dataAges } from '../src/server/faces/portal/dataset-parts.ts';

/** How old the data of each layer are, as a table of a Markdown page. */
export function agesTable(ages: ReturnType<typeof dataAges>): string {
  const code = (ids: readonly string[]) => ids.map((id) => `\`${id}\``).join(', ');
  const rows = ages.map(
    ({ layer, dated, undated }) =>
      `| ${layer} | ${dated.map(({ vintage, sources }) => `${vintage}: ${code(sources)}`).join('; ')} | ${code(undated)} |`,
  );
  return ['| layer | date of the data | no date stated |', '|---|---|---|', ...rows].join('\n');
}
