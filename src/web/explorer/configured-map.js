/** A base map that the operator has configured: a MapLibre style, or a PMTiles archive with or without one. */
import { element } from '../element.js';
import { visitorLanguage } from '../language.js';

const scheme = 'pmtiles://';

/** The style that the page's `{style, archive}` lead to, made for `{isDark, colours}`. Rejects when it cannot be had. */
export async function loadConfigured({ style, archive }, maplibre) {
  const styleJson = style && (await json(new URL(style, location.href)));
  if (archive || JSON.stringify(styleJson ?? '').includes(scheme)) await addProtocol(maplibre);
  if (styleJson) return () => styleJson;
  return archiveStyle(new URL(archive, location.href).href);
}

async function json(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`the request for the map's style answered ${answer.status}`);
  return answer.json();
}

let protocol;

/** Lets MapLibre read archives. */
async function addProtocol(maplibre) {
  if (protocol) return;
  await new Promise((resolve, reject) => {
    const script = element('script', { src: '/assets/map/pmtiles.js' });
    script.addEventListener('load', resolve);
    script.addEventListener('error', () => reject(new Error('the PMTiles library cannot be loaded')));
    document.head.append(script);
  });
  protocol = new globalThis.pmtiles.Protocol({ metadata: true });
  maplibre.addProtocol('pmtiles', protocol.tile);
}

/** Draws an archive by what is in it: pictures, Protomaps' layers, or any other layers as plain shapes. */
async function archiveStyle(address) {
  const archive = new globalThis.pmtiles.PMTiles(address);
  protocol.add(archive);
  const [{ tileType }, { vector_layers: layers = [] }] = await Promise.all([
    archive.getHeader(),
    archive.getMetadata(),
  ]);
  const isVector = [globalThis.pmtiles.TileType.Mvt, globalThis.pmtiles.TileType.Mlt].includes(tileType);
  const source = { type: isVector ? 'vector' : 'raster', url: `${scheme}${address}` };
  const styled = (drawn) => ({ version: 8, sources: { archive: source }, layers: drawn });
  if (!isVector) return () => styled([{ id: 'archive', type: 'raster', source: 'archive' }]);
  const names = layers.map(({ id }) => id);
  if (!['earth', 'roads', 'places'].every((name) => names.includes(name))) {
    return ({ colours }) => styled(plainLayers(names, colours));
  }
  const basemaps = await import('/assets/map/basemaps.js');
  const lang = visitorLanguage()?.split('-')[0] ?? 'en';
  return ({ isDark }) => {
    const all = basemaps.layers('archive', basemaps.namedFlavor(isDark ? 'dark' : 'light'), { lang });
    return styled(all.filter((layer) => !('source-layer' in layer) || names.includes(layer['source-layer'])));
  };
}

const isOf = (...types) => ['in', ['geometry-type'], ['literal', types.flatMap((type) => [type, `Multi${type}`])]];

/** Areas, lines and points of each layer, whatever they are. */
function plainLayers(names, colours) {
  const water = { id: 'archive-water', type: 'background', paint: { 'background-color': colours.water } };
  const each = (type, filter, paint) =>
    names.map((name) => ({
      id: `${name}-${type}`,
      type,
      source: 'archive',
      'source-layer': name,
      filter,
      paint,
    }));
  return [
    water,
    ...each('fill', isOf('Polygon'), { 'fill-color': colours.land, 'fill-outline-color': colours.border }),
    ...each('line', isOf('LineString'), { 'line-color': colours.border }),
    ...each('circle', isOf('Point'), { 'circle-color': colours.text, 'circle-radius': 2 }),
  ];
}
