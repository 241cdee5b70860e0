/**
 * Administrative areas as geoBoundaries publishes them (geoboundaries.org): GeoJSON with one level of one country a
 * file, `geoBoundaries-DEU-ADM1.geojson`, also in the archives of a country or of the world.
 */
import { type AdminAreaRecord, type ReadOptions, SourceError } from '../core/source-records.ts';
import { type InnerFile, openBytes } from './open-bytes.ts';

/** Levels of OpenStreetMap by geoBoundaries' own. */
const levels: Record<string, number> = { ADM0: 2, ADM1: 4, ADM2: 6, ADM3: 8, ADM4: 9, ADM5: 10 };
/** The largest file of the world's composite is about 600 MB. */
const maxBytes = 1 << 30;

const isAreas = (name: string) => /geoBoundaries.*\.geojson$/i.test(name);

/** The areas of a file, or of all files of an archive. Throws SourceError for a file that is none of geoBoundaries'. */
export async function* readGeoBoundaries(path: string, options: ReadOptions = {}): AsyncGenerator<AdminAreaRecord> {
  const { progress = () => {}, dropped = () => {} } = options;
  const reportShare = (share: number) => progress(share, 'reading boundaries');
  for await (const file of openBytes(path, { isWanted: isAreas, progress: reportShare })) {
    const text = await wholeText(file);
    let found = 0;
    for (const { properties, coordinates, isMulti } of featuresOf(file.name, text)) {
      const level = levels[String(properties.shapeType)];
      const name = textOf(properties.shapeName);
      if (level === undefined) {
        throw new SourceError(
          `${file.name}: a feature has the shapeType '${properties.shapeType}', expected ADM0 to ADM5 of geoBoundaries; ` +
            'is it another GeoJSON file?',
        );
      }
      found++;
      if (name === undefined) dropped('boundary without a name', 1);
      else {
        const isoCode = textOf(properties.shapeISO);
        const polygons = polygonsOf(file.name, text, coordinates, isMulti);
        yield {
          level,
          name,
          ...(isoCode !== undefined && /^[A-Z]{2}(-[A-Z0-9]{1,3})?$/.test(isoCode) && { isoCode }),
          ...(isoCode !== undefined && { country: isoCode.slice(0, 2) }),
          polygons,
          sourceId: textOf(properties.shapeID),
        };
      }
    }
    if (found === 0) throw new SourceError(`${file.name} has no feature, expected GeoJSON of geoBoundaries`);
  }
}

function polygonsOf(name: string, text: Buffer, start: number, isMulti: boolean): Float64Array[][] {
  try {
    return readCoordinates(text, start, isMulti).polygons;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SourceError(`${name} is damaged or truncated: ${error.message}; download it again`);
  }
}

async function wholeText({ name, chunks }: InnerFile): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new SourceError(`${name} is larger than ${maxBytes} bytes; use one file per country`);
    pieces.push(chunk);
  }
  return Buffer.concat(pieces);
}

type Feature = { properties: Record<string, unknown>; coordinates: number; isMulti: boolean };

/** The features one after the other, as JSON of a whole file would be millions of arrays: their properties, and where their coordinates begin. */
function* featuresOf(name: string, text: Buffer): Generator<Feature> {
  for (let at = text.indexOf('"Feature"'); at >= 0; ) {
    const next = text.indexOf('"Feature"', at + 1);
    const end = next < 0 ? text.length : next;
    const properties = text.indexOf('"properties"', at);
    const coordinates = text.indexOf('"coordinates"', at);
    if (properties < 0 || properties > end || coordinates < 0 || coordinates > end) {
      throw new SourceError(`${name}: the feature at byte ${at} has no properties or coordinates; download it again`);
    }
    const kind = /"type"\s*:\s*"(Multi)?Polygon"/.exec(
      text.toString('latin1', text.indexOf('"geometry"', at), coordinates),
    );
    if (!kind) throw new SourceError(`${name}: the feature at byte ${at} is not a Polygon or MultiPolygon`);
    const open = text.indexOf('{', properties);
    const close = text.indexOf('}', open);
    try {
      yield {
        properties: JSON.parse(text.toString('utf8', open, close + 1)) as Record<string, unknown>,
        coordinates: text.indexOf('[', coordinates),
        isMulti: kind[1] !== undefined,
      };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw new SourceError(`${name}: the feature at byte ${at} is damaged: ${error.message}; download it again`);
    }
    at = next;
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/**
 * The polygons in the `coordinates` of a GeoJSON Polygon or MultiPolygon: rings as [lng0, lat0, lng1, lat1, …], heights left out. `start` is
 * where the outermost bracket opens in the text, `end` behind the one that closes it. Throws SyntaxError for anything else.
 */
export function readCoordinates(text: Buffer, start: number, isMulti: boolean) {
  // Coordinates have neither texts nor objects in them: the next one of these is behind them.
  const ends = [text.indexOf('"', start), text.indexOf('}', start)].filter((at) => at >= 0);
  const end = 1 + text.lastIndexOf(']', Math.min(text.length, ...ends));
  try {
    const coordinates = JSON.parse(text.toString('latin1', start, end));
    const polygons: number[][][][] = isMulti ? coordinates : [coordinates];
    return { polygons: polygons.map((rings) => rings.map(ringOf)), end };
  } catch (error) {
    throw new SyntaxError(`the coordinates from byte ${start} on are none of polygons: ${(error as Error).message}`);
  }
}

function ringOf(positions: readonly number[][]): Float64Array {
  const ring = new Float64Array(2 * positions.length);
  for (const [at, [lng, lat]] of positions.entries()) {
    if (typeof lng !== 'number' || typeof lat !== 'number') throw new TypeError(`position ${at} is no two numbers`);
    ring[2 * at] = lng;
    ring[2 * at + 1] = lat;
  }
  return ring;
}
