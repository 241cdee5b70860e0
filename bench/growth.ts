/**
 * Draws how time, memory and disk grow with the number of addresses: measures each size by bench/addresses.ts, and writes
 * docs/internal/plots/growth.svg after each, so that what is measured is not lost. 100 million take hours and 40 GB.
 *
 *     node bench/growth.ts --dataset data/<version> --working <directory> [--sizes 10000,100000,1000000,10000000,100000000]
 *
 * `--known <file>` holds what bench/addresses.ts has printed before; its sizes are not measured again. `--plot <file>`
 * writes elsewhere.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { plotFile, writeChart } from './plot.ts';

const { values: options } = parseArgs({
  options: {
    dataset: { type: 'string' },
    working: { type: 'string' },
    sizes: { type: 'string', default: '10000,100000,1000000,10000000,100000000' },
    known: { type: 'string' },
    plot: { type: 'string', default: plotFile('growth') },
  },
});

type Point = {
  size: number;
  addresses: number;
  seconds: number;
  bytes: number;
  peakMb: number;
  medianUs: Record<string, number>;
};

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
        size: count,
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

/** What bench/addresses.ts prints about a size, which is shown here too. */
async function measure(size: number): Promise<string> {
  if (!options.dataset || !options.working) throw new Error('--dataset and --working are missing');
  const args = [join(import.meta.dirname, 'addresses.ts'), options.dataset, options.working, String(size)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (text) => {
    process.stdout.write(text);
    printed += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`bench/addresses.ts ended with ${code} at ${size} addresses`);
  return printed;
}

function draw(points: readonly Point[]): void {
  const column = (value: (point: Point) => number | undefined) => points.map(value);
  writeChart(options.plot, {
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
}

let lines = options.known ? readFileSync(options.known, 'utf8') : '';
for (const size of options.sizes.split(',').map(Number)) {
  if (!measured(lines).some((point) => point.size === size)) lines += await measure(size);
  draw(measured(lines));
}
console.table(measured(lines).map(({ medianUs, ...point }) => ({ ...point, ...medianUs })));
