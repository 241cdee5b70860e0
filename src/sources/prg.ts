/**
 * The Polish register of addresses (PRG, "punkty adresowe") as GML of one voivodeship, positions in EPSG:2180: as
 * geoportal.gov.pl published it until August 2026 (`prg-ad:PRG_PunktAdresowy`) and as of 2015 (`ogr:Punkty_adresowe`).
 *
 * Positions from the eastings and northings of national grids, by the series of Krüger (1912) to the fourth order in
 * n, as in C. F. F. Karney, "Transverse Mercator with an accuracy of a few nanometers", J. Geodesy 85 (2011): below
 * 1 mm within 3,000 km of the central meridian.
 */

import type { LatLng } from '../core/geo.ts';
import {
  type AddressRecord,
  batchSize,
  emptyBatch,
  type ReadOptions,
  SourceError,
  type StreetBatch,
} from '../core/street-records.ts';
import { BoundedXml } from './bounded-xml.ts';
import { openBytes } from './open-bytes.ts';

const recordsPerBatch = 2000;
/** Elements of an address, without their prefix. */
const pointElements = ['PRG_PunktAdresowy', 'Punkty_adresowe'];
/** The units that an address lies in: country, voivodeship, county, commune; the spelling is the register's. */
const unitElement = 'jednostkaAdmnistracyjna';
const maxUnits = 8;
/** The elements of an address that are read. */
const fieldElements = new Set(
  (
    'coordinates pos pad_numer_porzadkowy numerPorzadkowy mjs_nazwa miejscowosc ulc_nazwa ulica status woj_nazwa ' +
    'pad_kod_pocztowy kodPocztowy pad_prg_iip_identyfikator lokalnyId'
  ).split(' '),
);
const local = (name: string) => name.slice(name.indexOf(':') + 1);

/** Addresses of PRG files. A street `Ulica X` is named `X`; villages without streets number their houses. */
export async function* readPrg(path: string, options: ReadOptions = {}): AsyncGenerator<StreetBatch> {
  const { progress = () => {}, dropped = () => {} } = options;
  const opened = openBytes(path, {
    isWanted: (name) => /\.(gml|xml)$/i.test(name),
    progress: (share) => progress(share, 'reading addresses'),
  });
  for await (const file of opened) {
    let batch = emptyBatch();
    let fields: Record<string, string> = {};
    let units: string[] = [];
    let text = '';
    let depth = 0;
    let points = 0;
    const open = (name: string) => {
      if (depth++ === 0 && local(name) !== 'FeatureCollection') {
        throw new SourceError(`${file.name}: the root element is <${name}>, expected <gml:FeatureCollection> of PRG`);
      }
      if (pointElements.includes(local(name))) {
        fields = {};
        units = [];
      }
      text = '';
    };
    const close = (name: string) => {
      depth--;
      const element = local(name);
      if (pointElements.includes(element)) {
        points++;
        const record = addressOf(fields, units);
        if (typeof record === 'string') dropped(record, 1);
        else batch.addresses.push(record);
      } else if (element === unitElement) units = [...units.slice(-maxUnits), text.trim()];
      else if (fieldElements.has(element)) fields[element] = text.trim();
      text = '';
    };
    const parser = new BoundedXml(file.name, 'GML', {
      open,
      close,
      text(more) {
        text += more;
      },
    });
    const decoder = new TextDecoder();
    for await (const chunk of file.chunks) {
      parser.write(decoder.decode(chunk, { stream: true }), chunk.length);
      if (batchSize(batch) < recordsPerBatch) continue;
      yield batch;
      batch = emptyBatch();
    }
    parser.finish();
    if (points === 0) {
      throw new SourceError(
        `${file.name} has no <prg-ad:PRG_PunktAdresowy>; the structure of PRG since September 2026 is not supported, ` +
          'but OpenAddresses has the same addresses as GeoJSON',
      );
    }
    yield batch;
  }
}

function addressOf(fields: Record<string, string>, units: readonly string[]): AddressRecord | string {
  // The older files write easting, northing; the later ones the other way round, as EPSG:2180 has its axes.
  const [easting, northing] = (fields.coordinates?.split(',') ?? fields.pos?.split(/\s+/).reverse() ?? []).map(Number);
  const houseNumber = fields.pad_numer_porzadkowy || fields.numerPorzadkowy;
  const city = fields.mjs_nazwa || fields.miejscowosc;
  const street = fields.ulc_nazwa || fields.ulica;
  if (!Number.isFinite(easting) || !Number.isFinite(northing)) return 'address without a position';
  if (!houseNumber) return 'address without a house number';
  if (!street && !city) return 'address without a street or village';
  if (fields.status === 'prognozowany') return 'address that is only planned';
  // People leave the word for street out; squares, avenues and alleys keep theirs.
  const name = street?.replace(/^(Ulica|Inny) /i, '').trim();
  return {
    houseNumber,
    ...(name ? { street: name } : { street: city, isPlace: true }),
    ...(street && name !== street && { otherStreetNames: [street] }),
    city: city || undefined,
    admin1: fields.woj_nazwa || units[1] || undefined,
    // 00-000 is how the register says that it does not know the code.
    postalCode: /^(?!00-000)\d\d-\d{3}$/.exec(fields.pad_kod_pocztowy || fields.kodPocztowy || '')?.[0],
    country: 'PL',
    ...fromGrid(polishGrid, easting, northing),
    sourceId: fields.pad_prg_iip_identyfikator || fields.lokalnyId || undefined,
  };
}

type Grid = {
  /** Semi-major axis in metres and inverse flattening of the ellipsoid. */
  axisM: number;
  inverseFlattening: number;
  /** Central meridian in degrees and the scale on it. */
  meridian: number;
  scale: number;
  falseEastingM: number;
  falseNorthingM: number;
};

/** EPSG:2180, ETRF2000-PL / CS92: the grid of Polish public data. */
export const polishGrid: Grid = {
  axisM: 6378137,
  inverseFlattening: 298.257222101,
  meridian: 19,
  scale: 0.9993,
  falseEastingM: 500000,
  falseNorthingM: -5300000,
};

/** Latitude and longitude, in degrees on the grid's own ellipsoid, of a grid position in metres. */
export function fromGrid(grid: Grid, eastingM: number, northingM: number): LatLng {
  const f = 1 / grid.inverseFlattening;
  const n = f / (2 - f);
  const rectifyingRadius = (grid.axisM / (1 + n)) * (1 + n ** 2 / 4 + n ** 4 / 64);
  const xi = (northingM - grid.falseNorthingM) / (grid.scale * rectifyingRadius);
  const eta = (eastingM - grid.falseEastingM) / (grid.scale * rectifyingRadius);
  const series = [
    n / 2 - (2 / 3) * n ** 2 + (37 / 96) * n ** 3 - n ** 4 / 360,
    n ** 2 / 48 + n ** 3 / 15 - (437 / 1440) * n ** 4,
    (17 / 480) * n ** 3 - (37 / 840) * n ** 4,
    (4397 / 161280) * n ** 4,
  ];
  let xiSphere = xi;
  let etaSphere = eta;
  for (const [index, factor] of series.entries()) {
    const order = 2 * (index + 1);
    xiSphere -= factor * Math.sin(order * xi) * Math.cosh(order * eta);
    etaSphere -= factor * Math.cos(order * xi) * Math.sinh(order * eta);
  }
  const conformal = Math.asin(Math.sin(xiSphere) / Math.cosh(etaSphere));
  const eccentricity = Math.sqrt(f * (2 - f));
  const target = Math.asinh(Math.tan(conformal));
  // Geodetic from conformal latitude by fixed-point iteration; each step gains two to three digits.
  let sin = Math.sin(conformal);
  for (let step = 0; step < 8; step++) {
    sin = Math.tanh(target + eccentricity * Math.atanh(eccentricity * sin));
  }
  return {
    lat: (Math.asin(sin) * 180) / Math.PI,
    lng: grid.meridian + (Math.atan2(Math.sinh(etaSphere), Math.cos(xiSphere)) * 180) / Math.PI,
  };
}
