import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { crc32, gzipSync } from 'node:zlib';
import type { MeasuredPostalRow } from '../../src/core/postal/code.ts';
import { geonamesPostal } from '../../src/sources/geonames.ts';
import { sharedData } from '../support/dataset.ts';

const row = (fields: Partial<Record<number, string>> = {}) =>
  ['AT', '7000', 'Eisenstadt', 'Burgenland', '01', 'Eisenstadt Stadt', '101', '', '', '47.8457', '16.5233', '4']
    .map((value, at) => fields[at] ?? value)
    .join('\t');

/** A zip archive with one stored member, as the format's specification (APPNOTE 6.3) lays it out. */
function storedZip(name: string, content: Buffer, declaredSize = content.length): Buffer {
  const crc = crc32(content);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(20, 4);
  local.writeUInt32LE(crc, 14);
  local.writeUInt32LE(content.length, 18);
  local.writeUInt32LE(declaredSize, 22);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(20, 4);
  central.writeUInt16LE(20, 6);
  local.copy(central, 16, 14, 28);
  const directoryAt = local.length + name.length + content.length;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length + name.length, 12);
  end.writeUInt32LE(directoryAt, 16);
  return Buffer.concat([local, Buffer.from(name), content, central, Buffer.from(name), end]);
}

describe('GeoNames postal code files', () => {
  let directory: string;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'whereabouts-postal-'));
  });
  after(() => rmSync(directory, { recursive: true }));

  const read = async (name: string, content: string | Buffer) => {
    const path = join(directory, name);
    writeFileSync(path, content);
    return readPath(path);
  };

  it('are read row by row', async () => {
    const { rows, dropped } = await read('AT.txt', `${row()}\n${row({ 1: '1010', 11: '1' })}\r\n`);
    assert.deepEqual(rows[0], {
      country: 'AT',
      code: '7000',
      place: 'Eisenstadt',
      admin1: 'Burgenland',
      admin2: 'Eisenstadt Stadt',
      lat: 47.8457,
      lng: 16.5233,
      accuracy: 'point',
    });
    assert.deepEqual([rows[1].code, rows[1].accuracy], ['1010', 'place']);
    assert.deepEqual(dropped, {});
  });

  it('lose bad rows, counted by reason', async () => {
    const bad = [
      row({ 0: 'Austria' }),
      row({ 1: ' ' }),
      row({ 2: '' }),
      row({ 9: '' }),
      row({ 9: '91' }),
      row({ 10: 'x' }),
      'AT\t7000\tEisenstadt',
      '\u0000\u0001',
    ];
    const { rows, dropped } = await read('bad.txt', [row(), ...bad].join('\n'));
    assert.equal(rows.length, 1);
    assert.deepEqual(dropped, {
      'postal row without country code': 1,
      'postal row without code': 1,
      'postal row without place name': 1,
      'postal row without position': 3,
      'postal row without 12 columns': 2,
    });
  });

  it('yield the plain code of French business mail', async () => {
    const { rows } = await read('FR.txt', row({ 0: 'FR', 1: '75380 CEDEX 08' }));
    assert.equal(rows[0].code, '75380');
  });

  it('are read from a zip, whatever else is in it', async () => {
    const { rows } = await read('AT.zip', storedZip('AT.txt', Buffer.from(`${row()}\n`)));
    assert.equal(rows.length, 1);
  });

  it('are refused with the remedy when they are empty, binary or another table', async () => {
    const notPostal = /is not a GeoNames postal code file.*allCountries\.txt/;
    await assert.rejects(read('empty.txt', ''), /empty\.txt is empty/);
    await assert.rejects(read('blank.txt', '\n\n'), notPostal);
    await assert.rejects(
      read('binary.txt', Buffer.from(Array.from({ length: 4096 }, (_, at) => at % 256))),
      /binary\.txt is not a text table/,
    );
    await assert.rejects(
      read('latin-1.txt', Buffer.from(`${row({ 2: 'Dölsach' })}\n`, 'latin1')),
      /latin-1\.txt is not in UTF-8 after byte 0 unpacked; convert it, for instance with iconv/,
    );
    await assert.rejects(read('places.txt', `${Array(19).fill('x').join('\t')}\n`.repeat(500)), notPostal);
    await assert.rejects(read('broken.zip', Buffer.from('PK\u0003\u0004 and no more')), /broken\.zip cannot be read/);
    await assert.rejects(
      read('other.zip', storedZip('picture.png', Buffer.from('x'))),
      /other\.zip is a zip that has no/,
    );
  });

  it('are refused when a zip inflates to more than it declares', async () => {
    const content = Buffer.from(`${row()}\n`.repeat(100));
    await assert.rejects(read('liar.zip', storedZip('AT.txt', content, 10)), /liar\.zip cannot be read/);
  });

  it('are refused when a small packed file unpacks to one endless line', async () => {
    await assert.rejects(read('bomb.txt', gzipSync(Buffer.alloc(32_000_000, 65))), /bomb\.txt has a line of more than/);
  });

  it('come through whole from the official dump', async (t) => {
    const path = sharedData('geonames-postal/AT.txt');
    if (!path) return t.skip('needs ../shared/data/geonames-postal');
    const { rows, dropped } = await readPath(path);
    assert.equal(rows.length, 18957);
    assert.equal(new Set(rows.map(({ code }) => code)).size, 2217);
    assert.deepEqual(dropped, {});
  });
});

async function readPath(path: string): Promise<{ rows: MeasuredPostalRow[]; dropped: Record<string, number> }> {
  const dropped: Record<string, number> = {};
  const rows: MeasuredPostalRow[] = [];
  const drop = (reason: string, count = 1) => void (dropped[reason] = (dropped[reason] ?? 0) + count);
  for await (const batch of geonamesPostal(path, drop)) rows.push(...batch);
  return { rows, dropped };
}
