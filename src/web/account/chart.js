/** Calls by day as bars; the table beside it has the same for those who do not see it. */
const svgName = 'http://www.w3.org/2000/svg';

function shape(name, attributes, text) {
  const made = document.createElementNS(svgName, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

/** `days` are `{date, calls}`, today first. */
export function barChart(days) {
  const [width, height, floor] = [720, 176, 150];
  const ordered = days.toReversed();
  const most = Math.max(1, ...ordered.map(({ calls }) => calls));
  const step = width / ordered.length;
  const chart = shape('svg', {
    class: 'chart',
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'aria-label': `Calls of the last ${days.length} days, at most ${most} a day`,
    preserveAspectRatio: 'none',
  });
  ordered.forEach(({ date, calls }, index) => {
    const tall = calls === 0 ? 2 : Math.max(4, (calls / most) * (floor - 16));
    const bar = shape('rect', {
      x: index * step + step * 0.15,
      y: floor - tall,
      width: step * 0.7,
      height: tall,
      rx: 2,
      class: calls === 0 ? 'none' : 'some',
    });
    bar.append(shape('title', {}, `${date}: ${calls.toLocaleString('en')} calls`));
    chart.append(bar);
  });
  chart.append(
    shape('line', { x1: 0, x2: width, y1: floor + 1, y2: floor + 1 }),
    shape('text', { x: 4, y: floor + 18 }, ordered[0].date.slice(5)),
    shape('text', { x: width - 4, y: floor + 18, 'text-anchor': 'end' }, 'today'),
    shape('text', { x: 4, y: 12 }, `most: ${most.toLocaleString('en')}`),
  );
  return chart;
}
