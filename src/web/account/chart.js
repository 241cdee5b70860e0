/** Calls by day as bars; the table next to it has the same for those who do not see it. */
import { element } from '../element.js';

const svgName = 'http://www.w3.org/2000/svg';

function shape(name, attributes, text) {
  const made = document.createElementNS(svgName, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Chart and legend; `days` are `{date, calls}`, the last first, which is called `end`. */
export function barChart(days, end = 'today') {
  const [width, height] = [720, 150];
  const ordered = days.toReversed();
  const max = Math.max(...ordered.map(({ calls }) => calls));
  const said = max === 0 ? 'no calls yet' : `at most ${max.toLocaleString('en')} a day`;
  const step = width / ordered.length;
  const chart = shape('svg', {
    class: 'chart',
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'aria-label': `Calls of ${days.length} days to ${end}: ${said}`,
    preserveAspectRatio: 'none',
  });
  ordered.forEach(({ date, calls }, index) => {
    const tall = calls === 0 ? 2 : Math.max(4, (calls / max) * (height - 6));
    const bar = shape('rect', {
      x: index * step + step * 0.15,
      y: height - tall,
      width: step * 0.7,
      height: tall,
      rx: 2,
      class: calls === 0 ? 'none' : 'some',
    });
    bar.append(shape('title', {}, `${date}: ${calls.toLocaleString('en')} calls`));
    chart.append(bar);
  });
  chart.append(shape('line', { x1: 0, x2: width, y1: height, y2: height }));
  const legend = element(
    'p',
    { className: 'chart-legend', 'aria-hidden': 'true' },
    element('span', {}, ordered[0].date),
    element('span', {}, said),
    element('span', {}, end),
  );
  return [chart, legend];
}
