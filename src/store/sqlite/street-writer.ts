/**
 * Writes a file of streets and addresses: records are spilled by street, put together part by part, sorted by class of
 * prominence and then by place, and written in one pass in the order of their row ids. So the first rows that a search
 * finds are the most prominent ones, and what lies together is together in every list of rows: the rows of a city or a
 * cell are one short stretch per class, and a search in it reads no more than that of the long list of a common name.
 */
import { join } from 'node:path';
import { defaultMemoryMb, type StreetBatch } from '../../core/street-records.ts';
import { codeKey, postcodeWords } from '../../text/postcode-words.ts';
import { wholeName } from '../../text/whole-name.ts';
import { nameWords, searchTerms, streetKey } from '../../text/words.ts';
import { maxStreets } from '../identifiers.ts';
import { type Area, AreaTable } from './area-table.ts';
import { curveAt, curveLength } from './curve.ts';
import { createForWriting, type Database, finishWriting } from './database.ts';
import { optimizeTerms, streetSchema } from './schema.ts';
import { SortedFile } from './sorted-file.ts';
import { groupStreets, type StreetRow } from './street-groups.ts';
import { StreetSpool } from './street-spool.ts';
import { countryTerm, postcodeTerm, wholeNameTerm } from './terms.ts';
import { writeVocabulary } from './vocabulary.ts';

const classCount = 12;
const keysInMemory = 50_000;
/** Memory that the records of a part take while they are put together, for each of their bytes on disk: 5 to 8 measured. */
const memoryPerByte = 8;

export type WriterOptions = {
  path: string;
  /** An empty directory for what is spilled: about as large as the records themselves. */
  temporaryDirectory: string;
  /** Memory for the records that are put together at a time, in MB; 512 by default. */
  memoryMb?: number | undefined;
  dropped(reason: string, count: number): void;
};

export class StreetWriter {
  readonly areas = new AreaTable();
  readonly #options: WriterOptions;
  readonly #spool: StreetSpool;
  /** Settlements of which a source has streets, so that none are made of addresses. */
  readonly #mappedAreas = new Set<number>();
  readonly #sources: string[] = [];
  readonly #keys = new Map<string, string>();
  readonly #sorted: SortedFile<StreetRow>;
  #database: Database | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
    const { temporaryDirectory, memoryMb = defaultMemoryMb } = options;
    this.#spool = new StreetSpool(join(temporaryDirectory, 'part'), (memoryMb * 1e6) / memoryPerByte);
    this.#sorted = new SortedFile(join(temporaryDirectory, 'sorted'));
  }

  /** Number by which records name a source. */
  source(name: string): number {
    const known = this.#sources.indexOf(name);
    return known >= 0 ? known : this.#sources.push(name) - 1;
  }

  /** Takes records; `areaOf` gives a record's number in `areas`. */
  add(
    batch: StreetBatch,
    source: number,
    areaOf: (record: StreetBatch['addresses' | 'streets' | 'interpolations'][number]) => number,
  ): void {
    for (const record of batch.addresses) {
      const { street, houseNumber, otherNumbers, otherStreetNames, postalCode, isPart, isPlace, lat, lng } = record;
      const area = areaOf(record);
      this.#spool.add(this.#key(street, area), [
        'a',
        area,
        street,
        joined(otherStreetNames),
        houseNumber,
        postalCode,
        lat.toFixed(6),
        lng.toFixed(6),
        source,
        isPart ? 1 : undefined,
        isPlace ? 1 : undefined,
        joined(otherNumbers),
      ]);
    }
    for (const record of batch.streets) {
      const { name, otherNames, highwayType, lat, lng, lines } = record;
      const area = areaOf(record);
      this.#mappedAreas.add(area);
      const geometry = JSON.stringify(lines.map((line) => [...line]));
      this.#spool.add(this.#key(name, area), [
        's',
        area,
        name,
        joined(otherNames),
        lat,
        lng,
        highwayType,
        source,
        geometry,
      ]);
    }
    for (const record of batch.interpolations) {
      const area = areaOf(record);
      const stretch = JSON.stringify([record.from, record.to, record.step, [...record.line]]);
      this.#spool.add(this.#key(record.street, area), ['i', area, record.street, '', stretch]);
    }
  }

  /** Writes the file. Gives the numbers of addresses and of streets with a geometry by country. */
  finish(progress: (share: number) => void): Record<'addresses' | 'streets', Record<string, number>> {
    const { path, dropped } = this.#options;
    const counts: ReturnType<StreetWriter['finish']> = { addresses: {}, streets: {} };
    const add = (kind: 'addresses' | 'streets', { area }: StreetRow, count: number) => {
      const { country } = this.areas.areas[area];
      if (count > 0) counts[kind][country] = (counts[kind][country] ?? 0) + count;
    };
    let rows = 0;
    for (const { share, records } of this.#spool.parts()) {
      for (const street of groupStreets(records, dropped, (area) => this.#mappedAreas.has(area))) {
        this.#sorted.add(prominenceClass(street) * curveLength + curveAt(street), street);
        add('addresses', street, street.houseCount);
        add('streets', street, street.lines ? 1 : 0);
        if (++rows > maxStreets)
          throw new Error(`${path} has more than ${maxStreets} streets; give it in several parts`);
      }
      progress(0.4 * share);
    }
    const database = createForWriting(path, streetSchema);
    this.#database = database;
    writeNames(database, this.#sources, this.areas.areas);
    writeStreets(database, this.#sorted.values(), this.areas.areas, (done) => progress(0.4 + (0.5 * done) / rows));
    database.exec(`INSERT INTO near SELECT cell, street, first FROM cells ORDER BY cell, street, first;
      DROP TABLE cells; ${optimizeTerms('street_terms')}`);
    progress(0.95);
    writeVocabulary(database, 'street_terms');
    finishWriting(database, path);
    return counts;
  }

  /** Lets go of all files, whether the writing was finished or broke off. */
  close(): void {
    this.#spool.close();
    this.#sorted.close();
    if (this.#database?.isOpen) this.#database.close();
  }

  #key(name: string, area: number): string {
    let key = this.#keys.get(name);
    if (key === undefined) {
      if (this.#keys.size >= keysInMemory) this.#keys.clear();
      key = streetKey(name);
      this.#keys.set(name, key);
    }
    return `${area} ${key}`;
  }
}

/** Names as one field. */
const joined = (names: readonly string[] | undefined) => names?.filter((name) => !name.includes('|')).join('|');

/** 0 for the most prominent streets: those with many houses or vertices. */
function prominenceClass({ houseCount, vertexCount }: StreetRow): number {
  return Math.max(0, classCount - 1 - Math.floor(Math.log2(1 + houseCount + vertexCount / 4)));
}

function writeNames(database: Database, sources: readonly string[], areas: readonly Area[]): void {
  const addSource = database.prepare('INSERT INTO sources VALUES (?, ?)');
  for (const [id, name] of sources.entries()) addSource.run(id, name);
  const addArea = database.prepare('INSERT INTO areas VALUES (?, ?, ?, ?, ?)');
  for (const [id, { city, admin1, country, terms }] of areas.entries()) {
    addArea.run(id, city, admin1, country, terms.join(' '));
  }
}

function writeStreets(
  database: Database,
  streets: Iterable<StreetRow>,
  areas: readonly Area[],
  progress: (done: number) => void,
): void {
  database.exec('CREATE TEMP TABLE cells (cell INTEGER, street INTEGER, first INTEGER)');
  const addStreet = database.prepare('INSERT INTO streets VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const addBlock = database.prepare('INSERT INTO houses VALUES (?, ?, ?)');
  const addCell = database.prepare('INSERT INTO cells VALUES (?, ?, ?)');
  const addTerms = database.prepare('INSERT INTO street_terms (rowid, terms) VALUES (?, ?)');
  let id = 0;
  for (const street of streets) {
    const { names, postcodes, lat, lng, highway, source, stretches, lines, blocks } = street;
    id++;
    const degrees = (value: number) => Math.round(value * 1e7);
    addStreet.run(
      id,
      names.join('\n'),
      street.area,
      postcodes.join('\n'),
      degrees(lat),
      degrees(lng),
      highway,
      source,
      stretches,
      lines,
    );
    for (const { first, bytes, cells } of blocks) {
      addBlock.run(id, first, bytes);
      for (const cell of cells) addCell.run(cell, id, first);
    }
    addTerms.run(id, termsOf(street, areas[street.area]));
    if (id % 1000 === 0) progress(id);
  }
}

/** Everything a street is found by: names, whole names, settlement, postal codes, country and cells. */
export function termsOf(
  { names, postcodes, cells }: Pick<StreetRow, 'names' | 'postcodes' | 'cells'>,
  area: Pick<Area, 'country' | 'terms'>,
): string {
  const terms = new Set(area.terms);
  for (const name of names) {
    for (const term of searchTerms(name)) terms.add(term);
    terms.add(wholeNameTerm(wholeName(nameWords(name))));
  }
  for (const code of postcodes) {
    for (const word of postcodeWords(code)) terms.add(word);
    if (codeKey(code) !== '') terms.add(postcodeTerm(codeKey(code)));
  }
  terms.add(countryTerm(area.country));
  for (const cell of cells) terms.add(cell);
  return [...terms].join(' ');
}
