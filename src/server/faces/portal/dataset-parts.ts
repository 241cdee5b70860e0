/** The parts of pages about the served dataset. */
import type { Store } from '../../../store/store.ts';
import { escapeHtml } from './files.ts';
import tables from './tables.json' with { type: 'json' };

/** Counters worth showing, by layer and record name, with what they count. */
const { counters } = tables;

/** Records by layer and the dates of the data, or a sentence while there is no dataset. */
export function countersHtml(store: Store | undefined): string {
  if (!store) return '<p>The service is starting; no dataset is open yet.</p>';
  const { manifest } = store;
  const layers = manifest.layers as Record<string, { records: Record<string, number>; sources: string[] } | undefined>;
  const cards = counters.flatMap(([layer, record, label]) => {
    const count = layers[layer]?.records[record];
    if (count === undefined) return [];
    return [
      `<div><dt>${label}</dt><dd data-layer="${layer}" data-record="${record}">${escapeHtml(count.toLocaleString('en'))}</dd></div>`,
    ];
  });
  const titles = new Map(manifest.sources.map(({ id, title }) => [id, title]));
  const named = (ids: readonly string[]) =>
    ids
      .map(
        (id) =>
          `<a href="/docs/data#${escapeHtml(id)}" title="${escapeHtml(titles.get(id) ?? id)}">${escapeHtml(id)}</a>`,
      )
      .join(', ');
  const rows = dataAges(manifest).map(({ layer, dated, undated }) => {
    const dates = dated.map(({ vintage, sources }) => `${escapeHtml(vintage)}: ${named(sources)}`);
    return `<tr><th scope="row">${escapeHtml(layer)}</th><td>${dates.join('<br>')}</td><td>${named(undated)}</td></tr>`;
  });
  return `<dl class="counters">${cards.join('\n')}</dl>
<p class="note">Dataset <code data-dataset>${escapeHtml(manifest.version)}</code>, built on ${escapeHtml(manifest.builtAt.slice(0, 10))}.</p>
<details class="ages"><summary>How old the data are</summary>
<div class="scroll" tabindex="0" role="region" aria-label="How old the data are"><table>
<tr><th scope="col">Layer</th><th scope="col">Date of the data, by source</th><th scope="col">No date stated</th></tr>
${rows.join('\n')}
</table></div></details>`;
}

const countryNames = new Intl.DisplayNames('en', { type: 'region' });
/** More countries than these are counted, and not named. */
const maxNamed = 8;

/** Where the layers have what, in words: of few countries each, of many how many. */
export function coverageText(store: Store | undefined): string {
  const said = (['addresses', 'streets', 'postal'] as const).flatMap((layer) => {
    const counts = Object.entries(store?.manifest.layers[layer]?.countries ?? {}).sort(([, a], [, b]) => b - a);
    if (counts.length === 0) return [];
    const each = counts.map(([code, count]) => `${countryNames.of(code)} ${count.toLocaleString('en')}`).join(', ');
    const label = layer === 'postal' ? 'Postal codes' : layer === 'streets' ? 'Streets' : 'Addresses';
    return [`${label}: ${counts.length > maxNamed ? `${counts.length} countries` : each}.`];
  });
  return escapeHtml([...said, 'Places, regions, borders and time zones: everywhere.'].join(' '));
}

/** Units of a degree on the map of coverage, and the parallels that it ends at. */
const [unit, north, south] = [4, 84, -57];

/**
 * A map of the world as SVG: countries with postal codes stand out, those with addresses have a dot by their number. Its colours are
 * for light and dark pages.
 */
export function coverageSvg(store: Store | undefined): string {
  const { postal, addresses } = store?.manifest.layers ?? {};
  const at = (lng: number, lat: number) => [Math.round((lng + 180) * unit), Math.round((north - lat) * unit)] as const;
  const ring = (positions: number[][]) => {
    const points = positions.map(([lng, lat]) => at(lng, lat).join(' '));
    const distinct = points.filter((point, index) => point !== points[index - 1]);
    return distinct.length < 4 ? '' : `M${distinct.join('L')}Z`;
  };
  const shapes = (store?.countries.assigned ?? []).map(({ iso2 }) => {
    const polygons = store!.boundaries?.shapeOf(iso2, 20_000)?.coordinates() ?? [];
    const path = polygons.flatMap((rings) => rings.map(ring)).join('');
    return path && `<path d="${path}" fill="#6f8c96" fill-opacity="${postal?.countries?.[iso2] ? 0.6 : 0.25}"/>`;
  });
  const dots = (store?.areaLabels ?? []).flatMap(({ country, region, lng, lat }) => {
    const count = region < 0 ? addresses?.countries?.[country] : undefined;
    const [x, y] = at(lng, lat);
    return count ? [`<circle cx="${x}" cy="${y}" r="${(4 + 4 * Math.log10(count)).toFixed(0)}" fill="#d9701a"/>`] : [];
  });
  const size = `0 0 ${360 * unit} ${(north - south) * unit}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${size}">${shapes.join('')}${dots.join('')}</svg>`;
}

/** Sources with version, date, licence and attribution. */
export function dataHtml(store: Store | undefined): string {
  const intro = `<h1>Data and licences</h1>
<p class="lead">The sources of this server's answers. Programs get the same list from <a href="/status"><code>/status</code></a>.</p>`;
  if (!store) return `${intro}\n<p>The service is starting; no dataset is open yet.</p>`;
  const { manifest } = store;
  const layersOf = new Map<string, string[]>();
  for (const [layer, { sources }] of Object.entries(manifest.layers)) {
    for (const id of sources) layersOf.set(id, [...(layersOf.get(id) ?? []), layer]);
  }
  const sources = manifest.sources.map(
    ({ id, title, version, vintage, licence, attribution, url }) => `<section class="source">
<h2 id="${escapeHtml(id)}">${escapeHtml(title)}</h2>
<dl>
<dt>Identifier</dt><dd><code>${escapeHtml(id)}</code></dd>
<dt>Layers</dt><dd>${escapeHtml((layersOf.get(id) ?? ['none']).join(', '))}</dd>
<dt>Version</dt><dd>${escapeHtml(version)}</dd>
<dt>Date of the data</dt><dd>${escapeHtml(vintage ?? 'not stated by the source')}</dd>
<dt>Licence</dt><dd>${escapeHtml(licence)}</dd>
<dt>Attribution</dt><dd>${escapeHtml(attribution)}</dd>
${url === '' ? '' : originHtml(url)}
</dl>
</section>`,
  );
  return `${intro}
<p>If you redistribute answers, you must comply with these licences; most require that you credit the source. The base map
of the explorer is Natural Earth (public domain), from the package world-atlas. The program itself is under the Apache License 2.0.</p>
<p>Dataset <code>${escapeHtml(manifest.version)}</code>, built on ${escapeHtml(manifest.builtAt.slice(0, 10))}.</p>
${sources.join('\n')}`;
}

const originHtml = (url: string) =>
  `<dt>From</dt><dd><a href="${escapeHtml(url)}" rel="noreferrer">${escapeHtml(url)}</a></dd>`;

/** The most prominent places as `[name, lng, lat]`, the first first; none while there is no dataset. */
export function placesJson(store: Store | undefined, maxPlaces: number): string {
  if (!store) return '[]';
  const count = Math.min(maxPlaces, store.places.size);
  const rows = Array.from({ length: count }, (_, index) => {
    const { name, lat, lng } = store.places.get(index);
    return [name, Number(lng.toFixed(3)), Number(lat.toFixed(3))];
  });
  return JSON.stringify(rows);
}

/** Most countries that the explorer offers to start in, and places of each that are looked at for houses. */
const maxStarts = 4;
const maxTried = 25;
/** Places that are looked through, the most prominent first. */
const maxPlaces = 30_000;
/** Half the side of the square around a place in which there must be houses, degrees. */
const around = 0.01;

/** Links of the explorer to where the dataset has houses, of the countries with the most of them; empty without any. */
export function startHtml(store: Store | undefined): string {
  const counts = store?.manifest.layers.addresses?.countries ?? {};
  const countries = Object.entries(counts).sort(([, a], [, b]) => b - a);
  const links = countries.slice(0, maxStarts).flatMap(([country]) => {
    const place = placeWithHouses(store!, country);
    return place ? [`<a href="#map=15/${place.lat}/${place.lng}">${escapeHtml(place.name)}</a>`] : [];
  });
  return links.length === 0 ? '' : `<p class="note starts">With streets and houses: ${links.join(', ')}</p>`;
}

function placeWithHouses({ places, map }: Store, wanted: string) {
  let tried = 0;
  for (let index = 0; index < Math.min(maxPlaces, places.size) && tried < maxTried; index++) {
    const { country, name, lat, lng } = places.get(index);
    if (country !== wanted) continue;
    tried++;
    const bounds = { south: lat - around, west: lng - around, north: lat + around, east: lng + around };
    for (const { houses } of map?.houses(bounds) ?? []) {
      const house = houses.find((one) => Math.abs(one.lat - lat) < around && Math.abs(one.lng - lng) < around);
      if (house) return { name, lat: house.lat.toFixed(4), lng: house.lng.toFixed(4) };
    }
  }
  return undefined;
}

/** The sources of a layer by the date of their data, the oldest first; and those that state none. */
export function dataAges({ layers, sources }: Pick<Store['manifest'], 'layers' | 'sources'>) {
  const vintages = new Map(sources.map(({ id, vintage }) => [id, vintage]));
  return Object.entries(layers).map(([layer, info]) => {
    const byVintage = Map.groupBy(info.sources, (id) => vintages.get(id) ?? '');
    const undated = byVintage.get('') ?? [];
    byVintage.delete('');
    const dated = [...byVintage].sort(([a], [b]) => (a < b ? -1 : 1));
    return { layer, dated: dated.map(([vintage, ids]) => ({ vintage, sources: ids })), undated };
  });
}
