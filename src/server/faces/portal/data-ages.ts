/** How old the data of a dataset are, by layer: what the page of the portal and docs/sources.md show. */
import type { Store } from '../../../store/store.ts';

/** The sources of a layer by the date of their data, the oldest first; and those that state none. */
export type LayerAges = { layer: string; dated: { vintage: string; sources: string[] }[]; undated: string[] };

export function dataAges({ layers, sources }: Pick<Store['manifest'], 'layers' | 'sources'>): LayerAges[] {
  const vintages = new Map(sources.map(({ id, vintage }) => [id, vintage]));
  return Object.entries(layers).map(([layer, info]) => {
    const byVintage = Map.groupBy(info.sources, (id) => vintages.get(id) ?? '');
    const undated = byVintage.get('') ?? [];
    byVintage.delete('');
    const dated = [...byVintage].sort(([a], [b]) => (a < b ? -1 : 1));
    return { layer, dated: dated.map(([vintage, ids]) => ({ vintage, sources: ids })), undated };
  });
}

/** The same as a table of a Markdown page. */
export function agesTable(ages: readonly LayerAges[]): string {
  const code = (ids: readonly string[]) => ids.map((id) => `\`${id}\``).join(', ');
  const rows = ages.map(
    ({ layer, dated, undated }) =>
      `| ${layer} | ${dated.map(({ vintage, sources }) => `${vintage}: ${code(sources)}`).join('; ')} | ${code(undated)} |`,
  );
  return ['| layer | date of the data | no date stated |', '|---|---|---|', ...rows].join('\n');
}
