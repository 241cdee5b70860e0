/** A file that Photon imports. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Place } from '../quality/dataset-places.ts';

/** Writes places in the format of Photon's docs/json-dump-format-0.1.0.md. */
export async function writeDump(path: string, places: readonly Place[]): Promise<void> {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const countries = new Set(places.flatMap(({ country }) => country ?? []));
  const line = (type: string, content: object) => `${JSON.stringify({ type, content })}\n`;
  function* lines() {
    const features = { sorted_by_country: false, has_addresslines: false };
    const data_timestamp = new Date().toISOString();
    yield line('NominatimDumpFile', { version: '0.1.0', generator: 'whereabouts', data_timestamp, features });
    yield line(
      'CountryInfo',
      [...countries].map((code) => ({ country_code: code.toLowerCase(), name: { name: names.of(code) } })),
    );
    let id = 0;
    for (const { kind, name, number, street, city, admin1, postcode, country, lat, lng, tags } of places) {
      id++;
      yield line('Place', {
        place_id: id,
        object_type: 'N',
        object_id: id,
        osm_key: tags[0],
        osm_value: tags[1],
        address_type: kind === 'street' ? 'street' : 'house',
        importance: kind === 'street' ? 0.1 : 0.05,
        ...(name && { name: { name } }),
        housenumber: number,
        address: { street, city, state: admin1 },
        postcode,
        country_code: country?.toLowerCase(),
        centroid: [lng, lat],
      });
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(path));
}
