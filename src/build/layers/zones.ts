import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bounds } from '../../core/geo.ts';
import { regionIndexBuilder } from '../../core/region-index/region-index-builder.ts';
import { type Area, areaOfPolygons } from '../../core/region-index/ring.ts';
import type { PackedRules } from '../../core/zone-clock.ts';
import { openZonePolygons, type ZoneCell, type ZonePolygons, zoneBounds } from '../../sources/polygon-files.ts';
import { writeZones, zoneRulesFile, zonesFile } from '../../store/packed/zones.ts';
import { type BuilderReport, type LayerJob, packageText, sourceInfo } from '../layer.ts';

const packageName = 'geo-tz';
const rulesPackage = 'moment-timezone';

/** Time zones of every place on Earth, from the polygons that geo-tz ships. */
export async function buildZones({ inputs, directory, progress }: LayerJob): Promise<BuilderReport> {
  const source = openZonePolygons(
    inputs.packageFile(packageName, 'data/timezones.geojson.index.json'),
    inputs.packageFile(packageName, 'data/timezones.geojson.geo.dat'),
  );
  try {
    const { meta, columns } = buildZoneIndex(source, progress);
    writeZones(join(directory, zonesFile), source.names, meta, columns);
  } finally {
    source.close();
  }
  const rules = packageText(inputs, rulesPackage, 'data/packed/latest.json');
  const { version, zones, links } = JSON.parse(rules) as PackedRules;
  await writeFile(join(directory, zoneRulesFile), JSON.stringify({ version, zones, links } satisfies PackedRules), {
    flush: true,
  });
  return {
    records: { zones: source.names.length },
    dropped: {},
    files: [zonesFile, zoneRulesFile],
    sources: [
      sourceInfo('timezone-boundary-builder', inputs),
      sourceInfo('tz-database', inputs, {
        title: `Rules of time zones: IANA tz database ${version}, by moment-timezone`,
      }),
    ],
  };
}

/** The region index over the source's own quadtree: its cells stay, those with polygons are divided further. */
function buildZoneIndex(source: ZonePolygons, progress: (share: number, step: string) => void) {
  const positions = new Map(source.names.map((name, value) => [name, value]));
  const builder = regionIndexBuilder({
    bounds: zoneBounds,
    layerOf: new Uint16Array(source.names.length),
    slackDegrees: 1e-6,
    maxVertices: 64,
    minDepth: 11,
    maxDepth: 18,
  });
  let done = 0;
  const node = (cell: ZoneCell | undefined, box: Bounds, depth: number): number => {
    // The sea.
    if (cell === undefined) return builder.set([]);
    if (Array.isArray(cell)) return builder.set(cell);
    if ('pos' in cell) {
      const areas = source.read(cell).map(({ name, polygons }): Area => {
        const value = positions.get(name);
        if (value === undefined)
          throw new Error(`a polygon has zone '${name}', which the index of ${packageName} does not list`);
        return areaOfPolygons(value, polygons);
      });
      if (++done % 64 === 0) progress(done / source.polygonCells, 'time zones');
      return builder.subtree(box, depth, areas);
    }
    const middleX = (box.west + box.east) / 2;
    const middleY = (box.south + box.north) / 2;
    return builder.branch(
      node(cell.c, { ...box, east: middleX, north: middleY }, depth + 1),
      node(cell.d, { ...box, west: middleX, north: middleY }, depth + 1),
      node(cell.b, { ...box, east: middleX, south: middleY }, depth + 1),
      node(cell.a, { ...box, west: middleX, south: middleY }, depth + 1),
    );
  };
  return builder.finish(node(source.root, zoneBounds, 0));
}
