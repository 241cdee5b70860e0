/** Rows as a table of plain text, for people who read a terminal: columns under their names, two blanks between them. */
export function textTable(rows: readonly Readonly<Record<string, string | number>>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => [...line[column]].length)));
  const padded = (text: string, width: number) => text + ' '.repeat(width - [...text].length);
  return lines
    .map((line) =>
      line
        .map((text, column) => padded(text, widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
