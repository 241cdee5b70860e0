/** What pages tell of the dataset that is served. */
import type { Store } from '../../store/store.ts';
import { escapeHtml } from './layout.ts';

/** Counters worth showing, by layer and record name, with what they count. */
const counters: readonly (readonly [layer: string, record: string, label: string])[] = [
  ['world', 'places', 'places'],
  ['world', 'names', 'names in all languages'],
  ['postal', 'postal_codes', 'postal codes'],
  ['world', 'countries', 'countries'],
  ['world', 'regions', 'regions'],
  ['world', 'subregions', 'districts'],
  ['zones', 'zones', 'time zones'],
  ['addresses', 'addresses', 'addresses'],
  ['streets', 'streets', 'streets'],
  ['pois', 'pois', 'points of interest'],
  ['ip', 'locations', 'IP locations'],
  ['ip', 'networks', 'networks with an operator'],
];

const grouped = new Intl.NumberFormat('en');

/** Records by layer and the dates of the data, or a sentence while there is no dataset. */
export function countersHtml(store: Store | undefined): string {
  if (!store) return '<p>The service is starting; no dataset is open yet.</p>';
  const { manifest } = store;
  const layers = manifest.layers as Record<string, { records: Record<string, number>; sources: string[] } | undefined>;
  const vintages = new Map(manifest.sources.map(({ id, vintage }) => [id, vintage]));
  const cards = counters.flatMap(([layer, record, label]) => {
    const count = layers[layer]?.records[record];
    if (count === undefined) return [];
    return [
      `<div><dt>${label}</dt><dd data-layer="${layer}" data-record="${record}">${grouped.format(count)}</dd></div>`,
    ];
  });
  const dates = Object.entries(layers).flatMap(([layer, info]) => {
    const known = (info?.sources ?? []).map((id) => vintages.get(id)).filter((vintage) => typeof vintage === 'string');
    if (known.length === 0) return [];
    const [oldest, newest] = [known.toSorted()[0], known.toSorted().at(-1)];
    return [`<li><strong>${layer}</strong> ${oldest === newest ? newest : `${oldest} to ${newest}`}</li>`];
  });
  return `<dl class="counters">${cards.join('\n')}</dl>
<p class="note">Dataset <code data-dataset>${escapeHtml(manifest.version)}</code>, built on ${manifest.builtAt.slice(0, 10)}. Dates of the data, where known:</p>
<ul class="dates">${dates.join('\n')}</ul>`;
}

/** Sources with version, date, licence and attribution. */
export function dataHtml(store: Store | undefined): string {
  const intro = `<h1>Data and licences</h1>
<p class="lead">The sources of this server's answers. <a href="/status"><code>/status</code></a> has the same for programs.</p>`;
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
<dt>Known as</dt><dd><code>${escapeHtml(id)}</code>, in ${(layersOf.get(id) ?? ['no layer']).join(', ')}</dd>
<dt>Version</dt><dd>${escapeHtml(version)}</dd>
<dt>Date of the data</dt><dd>${escapeHtml(vintage ?? 'not stated by the source')}</dd>
<dt>Licence</dt><dd>${escapeHtml(licence)}</dd>
<dt>Attribution</dt><dd>${escapeHtml(attribution)}</dd>
<dt>From</dt><dd><a href="${escapeHtml(url)}" rel="noreferrer">${escapeHtml(url)}</a></dd>
</dl>
</section>`,
  );
  return `${intro}
<p>Whoever passes answers on has to keep to these licences; most ask that the source is named. The base map of the
explorer is Natural Earth (public domain), by way of world-atlas. The program itself is under the Apache License 2.0.</p>
<p>Dataset <code>${escapeHtml(manifest.version)}</code>, built on ${manifest.builtAt.slice(0, 10)}.</p>
${sources.join('\n')}`;
}

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
