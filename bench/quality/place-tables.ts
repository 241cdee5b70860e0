/**
 * All tables of cases by which place search is judged, each with how a case is queried: one row of docs/quality.md
 * each.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { distanceKm } from '../../src/core/geo.ts';
import { autocomplete } from '../../src/endpoints/autocomplete.ts';
import { search } from '../../src/endpoints/search.ts';
import type { Store } from '../../src/store/store.ts';
import { ask } from '../../test/support/ask.ts';
import { type Answer, type Case, placeCases } from './place-cases.ts';

/** A table: its cases, and the answers to a case that count, best first. */
export type PlaceTable = { name: string; cases: Case[]; answers(query: string): Answer[] };

/** The tables of `/search`, of which the first answer counts, and of `/autocomplete`, of which one of five does. */
export function placeTables(store: Store): PlaceTable[] {
  const firstOf = (profile: 'default' | 'a') => (q: string) =>
    ask(search, store, { q, limit: 1 }, { profile }).results as Answer[];
  const suggested = (q: string) => ask(autocomplete, store, { q, limit: 5 }).results as Answer[];
  return [
    { name: 'as people type them', cases: typed(store), answers: firstOf('default') },
    { name: 'relevance table', cases: relevance(), answers: firstOf('a') },
    ...Object.entries(placeCases(store)).map(([name, cases]) => ({ name, cases, answers: firstOf('default') })),
    ...[2, 3, 4, 5].map((letters) => ({
      name: `suggestions after ${letters} letters`,
      cases: beginnings(store, letters),
      answers: suggested,
    })),
  ];
}

/** Rows of acceptance/relevance.csv: `query;lat;lng;within metres;why`. */
function relevance(): Case[] {
  return rowsOf('../../acceptance/relevance.csv').map(([query, lat, lng, withinM, why]) => {
    const at = { lat: Number(lat), lng: Number(lng) };
    return { query, wanted: why, isRight: (first) => distanceKm(first, at) * 1000 <= Number(withinM) };
  });
}

/** Rows of cases/typed-places.csv; its head says what they mean. */
function typed(store: Store): Case[] {
  return rowsOf('cases/typed-places.csv').map(([query, layer, code, lat, lng, km]) => ({
    query,
    wanted: [layer, code, lat, lng].join(' '),
    isRight: (first) =>
      (layer === 'any' || layer === 'position' || layer === (first.layer ?? 'place')) &&
      (code === '' || isCalled(store, first, code)) &&
      (km === '' || distanceKm(first, { lat: Number(lat), lng: Number(lng) }) <= Number(km)),
  }));
}

/** Whether an answer is, or lies in, what an ISO 3166 code of a country or region names. */
function isCalled(store: Store, { name, country, admin1 }: Answer, code: string): boolean {
  if (code.length === 2) return country === code;
  const region = store.regions.byIsoCode(code);
  return region >= 0 && country === code.slice(0, 2) && [name, admin1].includes(store.regions.get(region).name);
}

function rowsOf(path: string): string[][] {
  const lines = readFileSync(join(import.meta.dirname, path), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  return lines.filter((line) => !line.startsWith('#')).map((line) => line.split(';'));
}

/** The first letters of every city of over 100,000, which is to be among five suggestions. */
function beginnings({ places }: Store, letters: number): Case[] {
  const cases: Case[] = [];
  for (let index = 0; index < places.size; index++) {
    const { id, name, population, type, country } = places.get(index);
    if (population < 100_000 || type === 'suburb') continue;
    const query = [...name].slice(0, letters).join('').trim();
    if (query.length > 1) cases.push({ query, wanted: `${name}, ${country}`, isRight: (each) => each.id === id });
  }
  return cases;
}
