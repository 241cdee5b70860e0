import type { Manifest } from '../store/manifest-format.ts';

/** The credits required of a dataset's operator, as Markdown: a section per licence, a line per source. */
export function attributionOf({ sources }: Pick<Manifest, 'sources'>): string {
  const byLicence = Map.groupBy(
    [...sources].sort((a, b) => (a.title < b.title ? -1 : 1)),
    ({ licence }) => licence,
  );
  const sections = [...byLicence].sort().map(([licence, credited]) => {
    const lines = credited.map(({ title, url, attribution, version, vintage }) => {
      const data = vintage === null ? 'data of unknown date' : `data of ${vintage}`;
      return `- ${url === '' ? title : `[${title}](${url})`}: ${attribution} (${version}, ${data})`;
    });
    return `## ${licence}\n\n${lines.join('\n')}`;
  });
  return sections.join('\n\n');
}
