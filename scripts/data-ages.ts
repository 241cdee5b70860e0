import { dataAges } from '../src/server/faces/portal/dataset-parts.ts';

/** How old the data of each layer of a dataset are, as a table of a Markdown page. */
export function agesTable(manifest: Parameters<typeof dataAges>[0]): string {
  const code = (ids: readonly string[]) => ids.map((id) => `\`${id}\``).join(', ');
  const rows = dataAges(manifest).map(
    ({ layer, dated, undated }) =>
      `| ${layer} | ${dated.map(({ vintage, sources }) => `${vintage}: ${code(sources)}`).join('; ')} | ${code(undated)} |`,
  );
  return ['| layer | date of the data | no date stated |', '|---|---|---|', ...rows].join('\n');
}
