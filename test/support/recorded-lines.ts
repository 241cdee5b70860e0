/** Answers to many texts, a line each, that are compared with those that were recorded. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StreetLevel } from '../../src/api/open.ts';

/** Fails at the first line that differs from that of a file; undefined is any. With RECORD=1 it writes the file: read the difference. */
export function assertRecorded(file: string, lines: Iterable<string | undefined>): void {
  if (process.env.RECORD) writeFileSync(file, [...lines, ''].join('\n'));
  const before = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  let at = 0;
  for (const line of process.env.RECORD ? [] : lines) {
    if (line !== undefined) assert.equal(line, before[at]);
    at++;
  }
  if (!process.env.RECORD) assert.equal(at, before.length);
}

/**
 * Texts for the data of a test, some with parameters: those of thousands of made ones with which conditions of the code are decided
 * that hardly any other recorded text decides (docs/internal/mutation.md).
 */
export const chosenTexts = (wanted: string): ChosenText[] =>
  readFileSync(join(import.meta.dirname, 'chosen-texts.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): ChosenText & { data: string } => JSON.parse(line))
    .filter(({ data }) => data === wanted);

type ChosenText = { kind: 'address' | 'street' | 'search' | 'complete'; text: string; more?: object };

/** A text without its letter at a position, with that before it twice, with another one there, and with the next before it. */
export const without = (text: string, at: number) => text.slice(0, at) + text.slice(at + 1);
export const doubled = (text: string, at: number) => text.slice(0, at) + text.slice(at - 1);
export const replaced = (text: string, at: number, by: string) => text.slice(0, at) + by + text.slice(at + 1);
export const swapped = (text: string, at: number) =>
  text.slice(0, at) +
  text
    .slice(at, at + 2)
    .split('')
    .reverse()
    .join('') +
  text.slice(at + 2);

type TypedHouse = { street: string; number: string; city: string; code: string; region: string; country: string };
/** Ways in which people type an address, and a part of another one beside it. */
const addressWays: readonly ((house: TypedHouse, other: TypedHouse) => string)[] = [
  ({ street, number, city }) => `${street} ${number}, ${city}`,
  ({ street, number, city, country }) => `${number} ${street} ${city} ${country}`,
  ({ street, number, city, code }) => `${swapped(street, 2)} ${number}, ${code} ${city}`,
  ({ street, number, city }) => `${without(street, 1)} ${number} ${without(city, 1)}`,
  ({ street, number }, { city, country }) => `${street} ${number}, ${city}, ${country}`,
  ({ street, number }, { code, city }) => `${street} ${number}, ${code} ${city}`,
  ({ street, number, city, region }) => `Zobel Ltd, ${street} ${number}, Apt 4, ${city}, ${region}`,
  ({ street, city, code }) => `${street}, ${code} ${city}`,
  ({ street, city }) => `${street} 2, ${city}`,
  ({ street, number, city }) => `${street.replaceAll(' ', '')}${number} ${city}`,
  ({ street, city }, other) => `${street} & ${other.street}, ${city}`,
  ({ street, number, city, country }) => `${country}, ${city}, ${street} ${number}`,
  ({ street, number, city }) => `${doubled(street, 2)} ${number} ${city.slice(0, 4)}`,
  ({ street, number, code }) => `${street} ${number}a ${code}`,
  ({ street, number }) => `${street.split(' ')[0]} ${number}`,
  ({ street, number, city }) => `${city} ${number} ${replaced(street, 3, 'q')}`,
  ({ street, number }, { region }) => `${street} ${number} ${region}`,
  ({ street, number, city }) => `${street} ${number}-${number}, 3rd floor, zobel ${city}`,
  ({ street, number, city }) => `${street.split(' ').reverse().join(' ')} ${number}/3, ${city}`,
  ({ street, number, city, code, region }) => `${city} ${code} ${region} ${number} ${street}`,
  ({ street, city }) => `${street} ${city}`,
  ({ street, number, city }) => `${street.slice(0, -3)} ${number} ${city}`,
  ({ street, number, city, code }, other) => `${street} ${number}, ${other.street}, ${code} ${city}`,
  ({ street, number, city }, other) => `${other.city} ${street} ${number} ${city}`,
  ({ street, number, city }) => `${number} zobel ${street} ${swapped(city, 1)}`,
  ({ street, number, city }) => `${without(street, 2)} ${number}, ${replaced(city, 2, 'x')}`,
  ({ street, number, city }) => `zwick zobel quux ${street} ${number} ${city}`,
  ({ street, number, code }) => `${code} ${number} ${street}`,
  ({ street, city }, other) => `corner of ${swapped(street, 2)} and ${other.street} ${city}`,
  ({ street, number, city }) => `${street.slice(0, 3)} ${street.slice(3)} ${number} ${city}`,
  ({ street, city, region }) => `${street.slice(0, 5)} ${city} ${region}`,
  ({ street, number, country }) => `${street} ${number} zobel ${country}`,
  ({ street, number, city }, other) => `${street} ${number} ${other.number} ${city}`,
  ({ street, number, city }) => `${street} zobel ${number} ${city.toUpperCase()}`,
  ({ number, city, code }) => `${number} ${code} ${city}`,
  ({ street, number, city, code }) => `${street} ${code} ${number}, ${city}`,
];

/** Houses typed in the ways, `each` of them a house, another few for the next one. */
export const typedAddresses = (houses: readonly TypedHouse[], each: number): string[] =>
  houses.flatMap((house, at) =>
    Array.from({ length: each }, (_, nth) =>
      addressWays[(at * each + nth) % addressWays.length](house, houses[(at + 1) % houses.length]),
    ),
  );

/**
 * Three answers each to addresses typed in the ways, with the step and score that found them and what their parts are; then
 * streets by name, half typed, mistyped, in boxes and around positions. A cluster, which takes 20 ms a line, is asked for every third.
 */
export function* addressLines(
  level: Pick<StreetLevel, 'addresses' | 'streets'>,
  houses: readonly TypedHouse[],
  more: readonly string[],
  chosen: readonly ChosenText[] = [],
): Generator<string | undefined> {
  const lines = [...linesOfAddresses(level, houses, more, chosen), ...linesOfStreets(level, houses, chosen)];
  const isAsked = (at: number) => process.env.STREET_ENGINE === undefined || at % 3 === 0;
  for (const [at, line] of lines.entries()) yield isAsked(at) ? line() : undefined;
}

type Line = () => string;

function linesOfAddresses(
  { addresses }: Pick<StreetLevel, 'addresses'>,
  houses: readonly TypedHouse[],
  more: readonly string[],
  chosen: readonly ChosenText[],
): Line[] {
  type Search = Parameters<StreetLevel['addresses']['search']>;
  const line = (text: string, query: Partial<Search[0]>) => {
    let how: Partial<Parameters<NonNullable<Search[1]>>[0]> = {};
    const found = addresses.search(
      { text, limit: 3, hasComponents: true, ...query },
      (explanation) => (how = explanation),
    );
    const shown = found.map(({ street, houseNumber, city, postalCode, matchType, lat, components = [] }, at) => {
      const parts = components.map(({ component, input, status }) => `${component} ${input ?? ''} ${status}`);
      const score = Math.round(10 * (how.answers?.[at].score ?? 0)) / 10;
      return `${street} ${houseNumber} ${postalCode} ${city} ${matchType} ${lat} ${score} (${parts.join(', ')})`;
    });
    const { country, city, postalCode } = query;
    const fields = query.fields && JSON.stringify(query.fields);
    return [text, fields, country, city, postalCode, how.step, ...shown]
      .filter(Boolean)
      .join(' | ')
      .replaceAll('\n', '⏎');
  };
  const ofHouses = houses.flatMap(({ street, number, city, code, country }, at): [string, Partial<Search[0]>][] => [
    [`${street} ${number}`, [{ city }, { country }, { postalCode: code || undefined }][at % 3]],
    [`${swapped(street, 3)} ${number}`, [{ country }, { city }, { country, admitsContradiction: true }][at % 3]],
    [`${street} ${number} ${houses[(at + 5) % houses.length].city}`, { admitsContradiction: true, country }],
  ]);
  const texts = [...typedAddresses(houses, 18), ...more].map((text) => [text, {}] as const);
  const ofChosen = chosen.flatMap(({ kind, text, more = {} }) => (kind === 'address' ? [[text, more] as const] : []));
  return [...texts, ...ofHouses, ...ofChosen].map(
    ([text, query]) =>
      () =>
        line(text, query),
  );
}

function linesOfStreets(
  { streets, addresses }: Pick<StreetLevel, 'addresses' | 'streets'>,
  houses: readonly TypedHouse[],
  chosen: readonly ChosenText[],
): Line[] {
  const line = (text: string, query: Partial<Parameters<typeof streets.search>[0]>) => {
    const found = streets.search({ text, radiusKm: 30, limit: 4, ...query });
    const shown = found.map(
      ({ name, city, lat, distanceKm }) => `${name} ${city} ${lat} ${distanceKm?.toFixed(1) ?? '-'}`,
    );
    return [`street ${text}`, JSON.stringify(query), ...shown].join(' | ');
  };
  const ofChosen = chosen.flatMap(({ kind, text, more = {} }) => (kind === 'street' ? [() => line(text, more)] : []));
  const ofHouses = houses.flatMap(({ street, number, city, country }, at): Line[] => {
    const [house] = addresses.search({ text: `${street} ${number}`, city, country, limit: 1 });
    if (!house) return [];
    const { lat, lng } = house;
    const near = { lat: lat + 0.01, lng };
    const prefix = street.slice(0, 4 + (at % 5));
    const other = houses[(at + 2) % houses.length];
    return [
      () => line(prefix, [{}, { near }, { country }, { city }, { withVillages: true }][at % 5]),
      () => line(prefix, [{ near }, { city: city.slice(0, 4), isCityOpen: true }, { near, limit: 1 }][at % 3]),
      () => line(street.slice(0, 2), { near }),
      () => line(swapped(street, 2), [{}, { near }, { fuzzy: false }][at % 3]),
      () =>
        line(street.slice(0, -1), [{ near, country: other.country }, { city: other.city }, { near: house }][at % 3]),
      () => line(street, { bbox: [lng - 0.1, lat - 0.1, lng + 0.1, lat + 0.1] }),
      () => {
        const villages = streets.villages(`${street} ${city}`, { country });
        return [`villages ${street} ${city}`, ...villages.map(({ name }) => name)].join(' | ');
      },
      () => {
        const nearest = addresses.nearest(house, { maxKm: 1, limit: 4 });
        const shown = nearest.map((each) => `${each.street} ${each.houseNumber} ${each.distanceKm.toFixed(2)}`);
        return [`around ${street} ${number}`, ...shown].join(' | ');
      },
    ];
  });
  return [...ofHouses, ...ofChosen];
}
