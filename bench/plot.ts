/** Line charts as SVG: panels above each other with one x axis, each with a y axis of its own. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type Panel = {
  title: string;
  isLog?: boolean;
  series: readonly { name: string; values: readonly (number | undefined)[] }[];
};
export type Chart = {
  title: string;
  x: { title: string; values: readonly number[]; isLog?: boolean };
  panels: readonly Panel[];
};

const [width, height, left, right, top, gap] = [860, 150, 90, 210, 46, 44];
const colours = ['#0b61a4', '#c2410c', '#15803d', '#7e22ce'];

/** Where the charts of the documentation are. */
export const plotFile = (name: string) => join(import.meta.dirname, '../docs/internal/plots', `${name}.svg`);

/** Writes a chart as an SVG file. */
export function writeChart(path: string, chart: Chart): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, chartOf(chart));
}

function chartOf({ title, x, panels }: Chart): string {
  const total = top + panels.length * (height + gap);
  const across = scale(x.values, x.isLog === true, left, width - right);
  const parts = panels.map((panel, at) => panelOf(panel, top + at * (height + gap), x.values, across));
  const xTicks = across.ticks.map((tick) => text(across.at(tick), total - gap + 16, shown(tick), 'middle'));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${total}" font-family="sans-serif" font-size="11">
<title>${title}</title>
<rect width="100%" height="100%" fill="#fff"/>
${text(left, 18, title, 'start', ' font-size="14"')}
${parts.join('\n')}
${xTicks.join('')}${text((left + width - right) / 2, total - 10, x.title, 'middle')}
</svg>
`;
}

type Scale = { at(value: number): number; ticks: number[] };

function panelOf({ title, isLog = false, series }: Panel, y: number, xs: readonly number[], across: Scale): string {
  const all = series.flatMap(({ values }) => values.filter((value) => value !== undefined));
  const down = scale(isLog ? all : [0, ...all], isLog, y + height, y);
  const grid = down.ticks.map(
    (tick) =>
      `<path d="M${left} ${down.at(tick).toFixed(1)}H${width - right}" stroke="#ddd"/>${text(left - 6, down.at(tick) + 4, shown(tick), 'end')}`,
  );
  const lines = series.map(({ name, values }, at) => {
    const points = values.flatMap((value, index) =>
      value === undefined ? [] : [`${across.at(xs[index]).toFixed(1)},${down.at(value).toFixed(1)}`],
    );
    const colour = colours[at % colours.length];
    const dots =
      points.length > 12
        ? ''
        : points.map((point) => `<circle cx="${point.replace(',', '" cy="')}" r="2.5" fill="${colour}"/>`).join('');
    return (
      `<polyline fill="none" stroke="${colour}" stroke-width="1.5" points="${points.join(' ')}"/>${dots}` +
      text(width - right + 8, y + 12 + at * 15, name, 'start', ` fill="${colour}"`)
    );
  });
  return `${grid.join('')}${text(left, y - 6, title, 'start')}${lines.join('')}`;
}

/** Where values lie between two ends, with round numbers as labels. */
function scale(values: readonly number[], isLog: boolean, from: number, to: number): Scale {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (isLog) {
    const [first, last] = [
      Math.floor(Math.log10(low)),
      Math.max(Math.ceil(Math.log10(high)), Math.floor(Math.log10(low)) + 1),
    ];
    const at = (value: number) => from + ((Math.log10(value) - first) / (last - first)) * (to - from);
    return { at, ticks: Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index)) };
  }
  const rough = (high - low || 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough)!;
  const end = Math.ceil(high / step) * step;
  const at = (value: number) => from + ((value - low) / (end - low || 1)) * (to - from);
  return { at, ticks: Array.from({ length: Math.floor((end - low) / step) + 1 }, (_, index) => low + index * step) };
}

const shown = (value: number) =>
  value >= 1e6
    ? `${value / 1e6} million`
    : value >= 1e4
      ? `${value / 1e3} thousand`
      : String(Number(value.toPrecision(6)));
const text = (x: number, y: number, content: string, anchor: string, more = '') =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}"${more}>${content}</text>`;
