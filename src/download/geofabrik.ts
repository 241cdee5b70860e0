/**
 * OpenStreetMap extracts by the index of Geofabrik, `index-v1.json`: a GeoJSON collection whose features have an `id`,
 * a `name`, `iso3166-1:alpha2` codes and `urls.pbf`; `<pbf>.md5` is next to each file.
 */
import { UsageError } from '../errors.ts';
import type { Extract } from './extracts.ts';

export type GeofabrikIndex = {
  features: {
    properties: { id: string; name?: string; 'iso3166-1:alpha2'?: string[] | null; urls?: { pbf?: string } };
  }[];
};

export function isGeofabrikIndex(value: unknown): value is GeofabrikIndex {
  const { features } = (value ?? {}) as Partial<GeofabrikIndex>;
  return Array.isArray(features) && features.every((feature) => typeof feature?.properties?.id === 'string');
}

type Area = GeofabrikIndex['features'][number]['properties'];

/**
 * Extracts that contain countries which the index names by no code and no name. Found by the extracts' polygons in a
 * copy of the index.
 */
const insideOf: Readonly<Record<string, string>> = {
  ...{ AX: 'finland', BN: 'malaysia-singapore-brunei', DO: 'haiti-and-domrep', EH: 'morocco', GG: 'guernsey-jersey' },
  ...{ GI: 'spain', HK: 'china', HT: 'haiti-and-domrep', IM: 'isle-of-man', JE: 'guernsey-jersey', KM: 'comores' },
  ...{ MO: 'china', PF: 'polynesie-francaise', SA: 'gcc-states', SG: 'malaysia-singapore-brunei', SJ: 'norway' },
  ...{ SM: 'italy', VA: 'italy', WF: 'wallis-et-futuna', AS: 'american-oceania', GU: 'american-oceania' },
  ...{ MP: 'american-oceania', CC: 'australia', CX: 'australia', NF: 'australia', PM: 'canada' },
};

const names = new Intl.DisplayNames(['en'], { type: 'region' });

/** The smallest extract that covers a country. Throws UsageError with the remedy when there is none. */
export function osmExtract({ features }: GeofabrikIndex, country: string, base: string): Extract {
  const areas = features.map(({ properties }) => properties).filter(({ urls }) => urls?.pbf);
  const name = folded(names.of(country) ?? '');
  const isNamed = (area: Area) => folded(area.name ?? '') === name || folded(area.id) === name;
  const codes = (area: Area) => area['iso3166-1:alpha2'] ?? [];
  // Some codes of the index are mistaken (`american-oceania` has VU), and two extracts may have one: the name decides.
  const [best = areas.find(isNamed) ?? areas.find(({ id }) => id === insideOf[country])] = areas
    .filter((area) => codes(area).includes(country))
    .sort(
      (a, b) => codes(a).length - codes(b).length || Number(isNamed(b)) - Number(isNamed(a)) || (a.id < b.id ? -1 : 1),
    );
  if (!best) {
    throw new UsageError(
      `${base} has no OpenStreetMap extract of ${country} alone; pass another file with --source, such as ` +
        'that of its continent',
    );
  }
  // The index names its publisher's host; a mirror has the same paths.
  const url = new URL(new URL(best.urls!.pbf!, base).pathname, new URL(base).origin).href;
  return { country, kind: 'osm-pbf', url, fileName: `${best.id.replaceAll('/', '-')}.osm.pbf` };
}

/** A name without case, accents, spaces and the small words that the two spell differently. */
function folded(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/\b(and|the|of)\b/g, '')
    .replace(/[^a-z]/g, '');
}
