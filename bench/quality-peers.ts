/**
 * How many test cases of other address readers are understood: their addresses are imported, all together, and each
 * text must find its own. Writes a table of docs/internal/quality.md. Needs clones of the repositories of
 * bench/quality/peer-cases.ts, and a built dataset:
 *   node bench/quality-peers.ts <directory of clones> [dataset directory [misses to print]]
 */
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStreetLevel } from '../src/api/open.ts';
import { buildStreetLevel } from '../src/build/layers/streets.ts';
import { normaliseHouseNumber } from '../src/core/address/house-number.ts';
import { distanceKm, type LatLng } from '../src/core/geo.ts';
import type { AddressRecord } from '../src/core/source-records.ts';
import { bestName, wordsOf } from '../src/geocoding/address/street-match.ts';
import { cityNames } from '../src/geocoding/resolve-city.ts';
import type { Address } from '../src/store/address-contract.ts';
import { openWorld } from '../src/store/packed/world.ts';
import type { CityNames, Places } from '../src/store/store.ts';
import { defaultDataset } from '../test/support/dataset.ts';
import { sourceOf } from '../test/support/small-streets.ts';
import { replacePart, share, tableOf } from './quality/page.ts';
import { type PeerCase, peerSuites } from './quality/peer-cases.ts';

/** Houses of one city lie in a square of this edge. */
const citySteps = 40;
const stepDegrees = 0.0007;
const sameCityKm = 25;

const [clones, dataset = defaultDataset(), printed = '0'] = process.argv.slice(2);
if (!clones || !dataset)
  throw new Error('usage: node bench/quality-peers.ts <directory of clones> [dataset directory]');

/** The position of a case's city, and the case's own spot there. */
function positionOf({ city, admin1, country }: PeerCase, order: number, places: Places, cities: CityNames): LatLng {
  const [capital] = places.ofCountry(country, { limit: 1 });
  const named =
    city && (cities.resolve(admin1 ? `${city}, ${admin1}` : city, country) ?? cities.resolve(city, country));
  const { lat, lng } = named || (capital === undefined ? { lat: 0, lng: 0 } : places.get(capital));
  const [row, column] = [order % citySteps, Math.floor(order / citySteps) % citySteps];
  return { lat: lat + stepDegrees * row, lng: lng + stepDegrees * column };
}

const isAlike = (left: string, right: string) => bestName([left], wordsOf(right))?.coverage === 1;

/** Whether an answer is the expected one of a case. Cases have addresses in common, and many name no city. */
function isRight(answer: Address | undefined, one: PeerCase, position: LatLng): boolean {
  return (
    answer?.matchType === 'exact' &&
    normaliseHouseNumber(answer.houseNumber!) === normaliseHouseNumber(one.number) &&
    isAlike(answer.street, one.street) &&
    isAlike(one.street, answer.street) &&
    (one.city === undefined || distanceKm(answer, position) <= sameCityKm)
  );
}

const directory = mkdtempSync(join(tmpdir(), 'whereabouts-peers-'));
try {
  for (const name of readdirSync(dataset)) {
    if (/^(countries|regions|place.*|boundaries|outlines|word-use)\.pack$/.test(name))
      copyFileSync(join(dataset, name), join(directory, name));
  }
  const { places, gazetteer } = openWorld(directory);
  const cities = cityNames({ places, gazetteer });
  const suites = peerSuites(clones);
  let order = 0;
  const placed = suites.map(({ name, repository, cases }) => ({
    name,
    repository,
    cases: cases.map((one) => ({ one, position: positionOf(one, order++, places, cities) })),
  }));
  const addresses = placed.flatMap(({ cases }) =>
    cases.map(
      ({ one: { number, street, city, admin1, postcode, country }, position }): AddressRecord => ({
        houseNumber: number,
        street,
        ...(city && { city }),
        ...(admin1 && { admin1 }),
        ...(postcode && { postalCode: postcode }),
        country,
        ...position,
      }),
    ),
  );
  await buildStreetLevel({ directory, progress() {} }, [sourceOf({ addresses })]);
  const level = openStreetLevel(directory, cities);
  const rows = placed.map(({ name, repository, cases }) => {
    let [first, street] = [0, 0];
    const misses: string[] = [];
    for (const { one, position } of cases) {
      const [answer] = level.addresses.search({ text: one.text.slice(0, 200), limit: 5 });
      if (isRight(answer, one, position)) first++;
      else {
        misses.push(
          `${one.text} [${one.number}, ${one.street}] -> ${answer?.street} ${answer?.houseNumber} ${answer?.city}`,
        );
        if (answer && isAlike(answer.street, one.street)) street++;
      }
    }
    console.log(name, cases.length, share(first, cases.length));
    for (const miss of misses.slice(0, Number(printed))) console.log(`    ${miss}`);
    return [name, `github.com/${repository}`, cases.length, share(first, cases.length), share(street, cases.length)];
  });
  level.close();
  replacePart('peers', [tableOf(['cases of', 'repository', 'texts', 'first answer', 'only the street right'], rows)]);
} finally {
  rmSync(directory, { recursive: true });
}
