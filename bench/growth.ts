/**
 * Draws how time, memory and disk grow with the addresses as docs/internal/plots/growth.svg: from what bench/addresses.ts has
 * printed, and beyond its largest number from the table of docs/internal/scale.md, which takes hours to measure.
 *   node bench/addresses.ts <dataset> <directory> 10000 100000 1000000 > lines; node bench/growth.ts lines
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeChart } from './plot.ts';

type Point = { addresses: number; seconds: number; bytes: number; peakMb: number; medianUs: Record<string, number> };

const queries = [
  '/address, with city',
  '/address, one letter missing, with city',
  '/streets, within 5 km',
  'nearest address within 50 m',
];

function measured(lines: string): Point[] {
  const points: Point[] = [];
  const medians = new Map<string, Record<string, number>>();
  let current = '';
  for (const line of lines.split('\n')) {
    const built =
      /^(\d+): (\d+) addresses, .* ([\d.]+) s of processor: (\d+) .*; ([\d.]+) bytes an address .*peak memory (\d+) MB/.exec(
        line,
      );
    if (built) {
      const [, count, addresses, , rate, bytes, peakMb] = built.map(Number);
      medians.set(String(count), {});
      points.push({
        addresses,
        seconds: addresses / rate,
        bytes: bytes * addresses,
        peakMb,
        medianUs: medians.get(String(count))!,
      });
    }
    current = /^(\d+): memory/.exec(line)?.[1] ?? current;
    const [, name, us] = /^ {2}(.+): p50 (\d+) µs/.exec(line) ?? [];
    if (name) medians.get(current)![name] = Number(us);
  }
  return points;
}

/** The columns of the first table of scale.md. */
function fromScale(): Point[] {
  const page = readFileSync(join(import.meta.dirname, '../docs/internal/scale.md'), 'utf8');
  const row = (start: string) =>
    page
      .split('\n')
      .find((line) => line.startsWith(`| ${start}`) || line.startsWith(`| \`${start.replace(',', '`,')}`))!
      .split('|')
      .slice(2, 5);
  const number = (cell: string) => Number(cell.replaceAll(',', '').match(/[\d.]+/)![0]);
  return [1e6, 1e7, 1e8].map((addresses, at) => ({
    addresses,
    seconds: addresses / number(row('addresses a second')[at]),
    bytes: addresses * number(row('bytes an address')[at]),
    peakMb: number(row('peak memory of the build')[at]),
    medianUs: Object.fromEntries(
      queries.map((name) => [
        name,
        number(row(name === '/address, with city' ? '/address, with city: p50' : name)[at]),
      ]),
    ),
  }));
}

const own = measured(readFileSync(process.argv[2], 'utf8'));
const largest = Math.max(...own.map(({ addresses }) => addresses));
const points = [...own, ...fromScale().filter(({ addresses }) => addresses > 1.5 * largest)];
const column = (value: (point: Point) => number | undefined) => points.map(value);
writeChart('growth', {
  title: 'Made-up addresses: what they take',
  x: { title: 'addresses', values: points.map(({ addresses }) => addresses), isLog: true },
  panels: [
    {
      title: 'processor time of the build, s',
      isLog: true,
      series: [{ name: 'build', values: column(({ seconds }) => seconds) }],
    },
    {
      title: 'disk, MB',
      isLog: true,
      series: [{ name: 'streets, houses', values: column(({ bytes }) => bytes / 1e6) }],
    },
    { title: 'most memory of the build, MB', series: [{ name: 'build', values: column(({ peakMb }) => peakMb) }] },
    {
      title: 'a query, µs (p50)',
      isLog: true,
      series: queries.map((name) => ({ name, values: column(({ medianUs }) => medianUs[name]) })),
    },
  ],
});
console.table(points.map(({ medianUs, ...point }) => ({ ...point, ...medianUs })));
