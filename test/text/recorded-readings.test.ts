/**
 * What the dictionaries of words say of very many texts: a text or more for each language of each dictionary. They are those that
 * were recorded: after a wanted change `RECORD=1 node --test test/text/recorded-readings.test.ts`, and read the difference.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { searchable } from '../../src/api/open.ts';
import { positionOf } from '../../src/geocoding/position.ts';
import type { CityNames } from '../../src/store/store.ts';
import { fold } from '../../src/text/fold.ts';
import { analyse, announcedCode, crossingsIn, writtenOtherwise } from '../../src/text/query-text.ts';
import * as lists from '../../src/text/word-lists.ts';
import { nameWords, queryWords } from '../../src/text/words.ts';
import { assertRecorded } from '../support/recorded-lines.ts';

const file = join(import.meta.dirname, 'recorded-readings.txt');

/** The lists that have a word, with their keys where they have any. */
function listsOf(word: string): string[] {
  return Object.entries(lists).flatMap(([name, list]) => {
    if (list instanceof Set) return list.has(word) ? [name] : [];
    return list instanceof Map && list.has(word) ? [`${name} ${[...list.get(word)]}`] : [];
  });
}

const noPlaces: CityNames = { resolve: () => undefined, countriesNamed: () => [], regionsNamed: () => [] };
const { addresses } = searchable({ streets: [], pois: [] }, noPlaces);

/** The house numbers that a text may have, each with the other words: without those of a unit or a box. */
function numbersIn(text: string): string[] {
  let said: string[] = [];
  addresses.search({ text, limit: 1, budget: { left: 0 } }, ({ interpretations }) => {
    said = interpretations.flatMap(({ house_number, words }) =>
      house_number ? `${house_number} ${words.join(' ')}` : [],
    );
  });
  return said;
}

function reading(text: string): string {
  const said: Record<string, unknown> = {
    typed: queryWords(text).map(([word]) => word),
    name: nameWords(text),
    lists: [...new Set([fold(text), ...analyse(text).map(({ text: word }) => word)])].flatMap(listsOf),
    wanted: lists.wantedAt(text).map(({ name, place, isJoined, wanted }) => [wanted?.category, name, place, isJoined]),
    crossings: crossingsIn(text).map(Object.values),
    otherwise: writtenOtherwise(text),
    airports: Object.values(lists.airportNamesOf(fold(text)) ?? {}),
    territories: lists.territoryCodes(text),
    numbers: numbersIn(text),
  };
  const code = announcedCode(text);
  if (code.text !== text || code.countries.length > 0) said.code = [code.text, ...code.countries];
  const position = positionOf(text);
  if (position) said.position = [position.lat, position.lng];
  const parts = Object.entries(said).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  return [text, ...parts.map(([name, value]) => `${name} ${JSON.stringify(value)}`)].join(' | ');
}

test('texts are read as recorded', () => {
  const texts = readFileSync(file, 'utf8').trimEnd().split('\n');
  assertRecorded(
    file,
    texts.map((line) => reading(line.split(' | ')[0])),
  );
});
