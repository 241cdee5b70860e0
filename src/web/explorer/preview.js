/**
 * The map as a plain picture on a canvas: there at once, before MapLibre is loaded, and instead of it where a browser
 * has no WebGL 2. It can be clicked, and shows the request and its results, but is neither moved nor zoomed by hand.
 */
import { element } from '../element.js';
import { loadCountries, loadPlaces } from './base-data.js';
import { boundsOf } from './drawing.js';
import { namedAt, palette } from './palette.js';

/** Width of the whole world at zoom 0, pixels, as MapLibre has it. */
const worldAtZero = 512;
/** The countries here are coarse: closer than this they would set a city in the sea. */
export const previewMaxZoom = 3.5;

const across = (lng) => (lng + 180) / 360;
const down = (lat) => {
  const sine = Math.sin((Math.max(-85.05, Math.min(85.05, lat)) * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
};
const latitude = (y) => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

/** Adds lines of `[lng, lat]` to a path whose unit is the width of the world. */
function add(path, lines) {
  for (const line of lines) {
    for (const [index, [lng, lat]] of line.entries()) path[index === 0 ? 'moveTo' : 'lineTo'](across(lng), down(lat));
  }
}

/** Draws in `container`, from `view`, `{lat, lng, zoom}`, but never closer than `previewMaxZoom`. `onClick({lat, lng})` is called for clicks. */
export async function createPreview(container, { lat, lng, zoom }, onClick) {
  let view = { lat, lng, zoom: Math.min(zoom, previewMaxZoom) };
  const canvas = element('canvas', { className: 'preview' });
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', 'Map');
  container.append(canvas);
  const pen = canvas.getContext('2d');
  const [{ land, borders }, places] = await Promise.all([loadCountries(110), loadPlaces('cities')]);
  const shapes = { land: new Path2D(), borders: new Path2D() };
  for (const { geometry } of land.features) for (const rings of geometry.coordinates) add(shapes.land, rings);
  add(shapes.borders, borders.coordinates);
  let features = [];
  let due = 0;
  const size = () => worldAtZero * 2 ** view.zoom;

  /** Pixels of a position; `turn` is a whole world to the right or left. */
  const at = (lng, lat, turn = 0) => [
    (across(lng) - across(view.lng) + turn) * size() + canvas.clientWidth / 2,
    (down(lat) - down(view.lat)) * size() + canvas.clientHeight / 2,
  ];

  function write(text, x, y, taken, colours) {
    const { width } = pen.measureText(text);
    const box = [x - width / 2 - 3, y + 4, x + width / 2 + 3, y + 20];
    if (taken.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1]))
      return false;
    taken.push(box);
    pen.lineWidth = 3;
    pen.strokeStyle = colours.halo;
    pen.strokeText(text, x, y + 16);
    pen.fillStyle = colours.text;
    pen.fillText(text, x, y + 16);
    return true;
  }

  function dot(x, y, radius, colour, colours) {
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fillStyle = colour;
    pen.fill();
    pen.lineWidth = 1.5;
    pen.strokeStyle = colours.halo;
    pen.stroke();
  }

  function paint() {
    due = 0;
    const { clientWidth: width, clientHeight: height } = canvas;
    const dense = devicePixelRatio;
    canvas.width = width * dense;
    canvas.height = height * dense;
    const colours = palette();
    pen.scale(dense, dense);
    pen.fillStyle = colours.water;
    pen.fillRect(0, 0, width, height);
    pen.lineJoin = 'round';
    paintShapes(colours, width);
    paintPoints(colours, width, height);
  }

  /** The countries, and what of the features is no point. */
  function paintShapes(colours, width) {
    for (const turn of [-1, 0, 1]) {
      const [left, top] = at(-180, 85.05, turn);
      if (left > width || left + size() < 0) continue;
      pen.save();
      pen.translate(left, top - down(85.05) * size());
      pen.scale(size(), size());
      pen.fillStyle = colours.land;
      pen.fill(shapes.land, 'evenodd');
      pen.strokeStyle = colours.border;
      pen.lineWidth = 0.8 / size();
      pen.stroke(shapes.borders);
      for (const { properties, geometry } of features) {
        if (geometry.type === 'Point') continue;
        const shape = new Path2D();
        add(shape, geometry.type === 'Polygon' ? geometry.coordinates : [geometry.coordinates]);
        pen.globalAlpha = 0.12;
        pen.fillStyle = colours.accent;
        if (properties.kind === 'area') pen.fill(shape);
        pen.globalAlpha = 1;
        pen.strokeStyle = colours.accent;
        pen.lineWidth = 2 / size();
        pen.stroke(shape);
      }
      pen.restore();
    }
  }

  /** The features that are points, and the places that are named at this zoom. */
  function paintPoints(colours, width, height) {
    const isInside = ([x, y]) => x > 0 && x < width && y > 0 && y < height;
    const points = (list) =>
      list.flatMap(([name, lng, lat, ...rest]) =>
        [-1, 0, 1].map((turn) => [...at(lng, lat, turn), name, ...rest]).filter(isInside),
      );
    pen.textAlign = 'center';
    pen.font = '12px system-ui, sans-serif';
    const taken = [];
    const own = points(
      features
        .filter(({ geometry }) => geometry.type === 'Point')
        .map(({ properties, geometry: { coordinates } }) => [
          properties.label,
          ...coordinates,
          properties.kind,
          properties.number,
        ]),
    );
    const said = features.flatMap(({ properties: { label, name } }) => [label, name]);
    const named = points(places.slice(0, namedAt(view.zoom)).filter(([name]) => !said.includes(name)));
    // The first one lies above the others.
    for (const [x, y, , kind, number] of own.toReversed()) {
      dot(x, y, kind === 'asked' ? 7 : 10, colours[kind === 'asked' ? 'accent' : 'found'], colours);
      if (number === undefined) continue;
      pen.fillStyle = colours.onPin;
      pen.fillText(number, x, y + 4);
    }
    for (const [x, y, name, kind] of own) if (kind === 'found' && name) write(name, x, y + 6, taken, colours);
    for (const [x, y, name] of named) if (write(name, x, y - 2, taken, colours)) dot(x, y, 1.8, colours.text, colours);
  }
  const repaint = () => {
    due ||= requestAnimationFrame(paint);
  };

  canvas.addEventListener('click', ({ offsetX, offsetY }) => {
    const x = across(view.lng) + (offsetX - canvas.clientWidth / 2) / size();
    const y = down(view.lat) + (offsetY - canvas.clientHeight / 2) / size();
    onClick({ lat: latitude(y), lng: (x - Math.floor(x)) * 360 - 180 });
  });
  const sized = new ResizeObserver(repaint);
  sized.observe(canvas);
  addEventListener('themechange', repaint);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', repaint);

  return {
    view: () => view,
    draw(drawn, { fit }) {
      features = drawn;
      const bounds = fit && boundsOf(features);
      if (bounds) {
        const [[west, south], [east, north]] = bounds;
        const room = [canvas.clientWidth - 120, canvas.clientHeight - 120].map((length) => Math.max(60, length));
        const spans = [across(east) - across(west), down(south) - down(north)];
        const zooms = spans.map((span, axis) => Math.log2(room[axis] / worldAtZero / Math.max(span, 1e-9)));
        view = {
          lng: (west + east) / 2,
          lat: latitude((down(south) + down(north)) / 2),
          zoom: Math.min(previewMaxZoom, ...zooms),
        };
      }
      repaint();
    },
    centre: () => ({ lat: view.lat, lng: view.lng }),
    remove() {
      cancelAnimationFrame(due);
      sized.disconnect();
      removeEventListener('themechange', repaint);
      dark.removeEventListener('change', repaint);
      canvas.remove();
    },
  };
}
