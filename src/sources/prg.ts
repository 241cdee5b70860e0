/**
 * The Polish register of addresses (PRG, "punkty adresowe") as GML of one voivodeship, positions in EPSG:2180: as
 * geoportal.gov.pl published it until August 2026 (`prg-ad:PRG_PunktAdresowy`) and as of 2015 (`ogr:Punkty_adresowe`).
 */
import {
  type AddressRecord,
  batchSize,
  emptyBatch,
  type ReadOptions,
  SourceError,
  type StreetBatch,
} from '../core/street-records.ts';
import { fromGrid, polishGrid } from '../core/transverse-mercator.ts';
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
