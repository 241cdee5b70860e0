/** The Polish register of addresses (PRG, "punkty adresowe") as GML of one voivodeship, positions in EPSG:2180. */
import { SaxesParser } from 'saxes';
import {
  type AddressRecord,
  batchSize,
  emptyBatch,
  type ReadOptions,
  SourceError,
  type StreetBatch,
} from '../core/street-records.ts';
import { fromGrid, polishGrid } from '../core/transverse-mercator.ts';
import { openBytes } from './open-bytes.ts';

const recordsPerBatch = 2000;
const pointElement = 'ogr:Punkty_adresowe';

/** Addresses of PRG files. A street `Ulica X` is named `X`; villages without streets number their houses. */
export async function* readPrg(path: string, options: ReadOptions = {}): AsyncGenerator<StreetBatch> {
  const { progress = () => {}, dropped = () => {} } = options;
  const opened = openBytes(path, {
    isWanted: (name) => name.endsWith('.gml'),
    progress: (share) => progress(share, 'reading addresses'),
  });
  for await (const file of opened) {
    let batch = emptyBatch();
    let fields: Record<string, string> = {};
    let text = '';
    let depth = 0;
    const parser = new SaxesParser({ position: false });
    parser.on('error', (error) => {
      throw new SourceError(`${file.name} is no GML file or is cut short: ${error.message}; download it again`);
    });
    parser.on('opentag', ({ name }) => {
      if (depth++ === 0 && name !== 'ogr:FeatureCollection') {
        throw new SourceError(`${file.name}: the root element is <${name}>, expected <ogr:FeatureCollection> of PRG`);
      }
      if (name === pointElement) fields = {};
      text = '';
    });
    parser.on('text', (more) => {
      text += more;
    });
    parser.on('closetag', ({ name }) => {
      depth--;
      if (name === pointElement) {
        const record = addressOf(fields);
        if (typeof record === 'string') dropped(record, 1);
        else batch.addresses.push(record);
      } else fields[name.slice(name.indexOf(':') + 1)] = text.trim();
      text = '';
    });
    const decoder = new TextDecoder();
    for await (const chunk of file.chunks) {
      parser.write(decoder.decode(chunk, { stream: true }));
      if (batchSize(batch) < recordsPerBatch) continue;
      yield batch;
      batch = emptyBatch();
    }
    parser.close();
    yield batch;
  }
}

function addressOf(fields: Record<string, string>): AddressRecord | string {
  const [easting, northing] = (fields.coordinates ?? '').split(',').map(Number);
  const houseNumber = fields.pad_numer_porzadkowy;
  const city = fields.mjs_nazwa;
  const street = fields.ulc_nazwa;
  if (!Number.isFinite(easting) || !Number.isFinite(northing)) return 'address without a position';
  if (!houseNumber) return 'address without a house number';
  if (!street && !city) return 'address without a street or village';
  // People leave the word for street out; squares, avenues and alleys keep theirs.
  const name = street?.replace(/^(Ulica|Inny) /, '').trim();
  return {
    houseNumber,
    ...(name ? { street: name } : { street: city, isPlace: true }),
    ...(street && name !== street && { otherStreetNames: [street] }),
    city: city || undefined,
    admin1: fields.woj_nazwa || undefined,
    // 00-000 is how the register says that it does not know the code.
    postalCode: /^(?!00-000)\d\d-\d{3}$/.exec(fields.pad_kod_pocztowy ?? '')?.[0],
    country: 'PL',
    ...fromGrid(polishGrid, easting, northing),
    sourceId: fields.pad_prg_iip_identyfikator || undefined,
  };
}
