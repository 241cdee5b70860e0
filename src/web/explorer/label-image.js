/**
 * Names in scripts whose letters join, stack or run from right to left, as pictures: MapLibre draws letter by letter,
 * a canvas as the browser writes.
 */
const isJoined = /[\u0590-\u109f\u1780-\u17ff\u1a00-\u1aff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Features with the names that need it as `picture`, the name of a picture, in place of `label`. */
export const withPictures = (features) =>
  features.map((feature) => {
    const { label, ...properties } = feature.properties;
    return isJoined.test(label) ? { ...feature, properties: { ...properties, picture: label } } : feature;
  });

/** The picture of a name, for `map.addImage`, at twice the display density. */
export function labelImage(text, { text: ink, halo }) {
  const density = 2;
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const font = `${14 * density}px system-ui, sans-serif`;
  pen.font = font;
  const [width, height] = [Math.ceil(pen.measureText(text).width) + 8 * density, 22 * density];
  Object.assign(pen.canvas, { width, height });
  // Resizing a canvas resets its font.
  Object.assign(pen, { font, textAlign: 'center', textBaseline: 'middle', lineJoin: 'round' });
  Object.assign(pen, { strokeStyle: halo, lineWidth: 3 * density, fillStyle: ink });
  pen.strokeText(text, width / 2, height / 2);
  pen.fillText(text, width / 2, height / 2);
  return [pen.getImageData(0, 0, width, height), { pixelRatio: density }];
}

/** The dot of a place, for `map.addImage`. */
export function dotImage({ text: ink, halo }) {
  const size = 16;
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  Object.assign(pen.canvas, { width: size, height: size });
  pen.beginPath();
  pen.arc(size / 2, size / 2, 5, 0, 2 * Math.PI);
  Object.assign(pen, { strokeStyle: halo, lineWidth: 2.5, fillStyle: ink });
  pen.stroke();
  pen.fill();
  return [pen.getImageData(0, 0, size, size), { pixelRatio: 2 }];
}
