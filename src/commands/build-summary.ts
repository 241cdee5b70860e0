import type { Manifest } from '../store/store.ts';

const number = new Intl.NumberFormat('en');
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

/** What a build made, as text: records, size and time per layer, and the rows that were dropped and why. */
export function summarise(manifest: Manifest): string {
  const lines = [`Dataset ${manifest.version}`];
  let total = 0;
  for (const [name, layer] of Object.entries(manifest.layers)) {
    const bytes = layer.files.reduce((sum, file) => sum + file.bytes, 0);
    total += bytes;
    const records = Object.entries(layer.records).map(([kind, count]) => `${number.format(count)} ${kind}`);
    lines.push(
      `  ${name.padEnd(10)} ${megabytes(bytes).padStart(9)}  ${`${layer.buildSeconds} s`.padStart(7)}  ${records.join(', ')}`,
    );
    const dropped = Object.entries(layer.dropped).filter(([, count]) => count > 0);
    if (dropped.length > 0)
      lines.push(
        `${' '.repeat(32)}dropped: ${dropped.map(([reason, count]) => `${number.format(count)} ${reason}`).join(', ')}`,
      );
  }
  lines.push(`  ${'in all'.padEnd(10)} ${megabytes(total).padStart(9)}`);
  return lines.join('\n');
}
