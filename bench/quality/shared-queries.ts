/** The queries of `../shared/data/queries`: texts as people type them, with what they mean, and texts that name no place. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { distanceKm } from '../../src/core/geo.ts';
import { sharedData } from '../../test/support/dataset.ts';
import type { Answer } from './place-cases.ts';

/** `nothing` texts have no right answer at all. */
export type SharedQuery = {
  query: string;
  group: string;
  /** Weights and dictionaries are made with `fit`; figures are reported of `report`, whose texts nobody reads. */
  half: 'fit' | 'report';
  isNothing: boolean;
  isRight(answer: Pick<Answer, 'country' | 'lat' | 'lng'>): boolean;
};

/** The half of a text: by the first byte of its SHA-1, even for `fit`. */
export const halfOf = (text: string): 'fit' | 'report' =>
  createHash('sha1').update(text).digest()[0] % 2 === 0 ? 'fit' : 'report';

type Typed = { q: string; class: string; country: string | null; lat: number; lng: number; withinKm: number };

/** Typed texts and texts that name nothing. Throws where this clone lacks the shared data. */
export function sharedQueries(): SharedQuery[] {
  const typed = linesOf<Typed>('typed.ndjson').map(({ q, class: group, country, lat, lng, withinKm }) => ({
    query: q,
    group,
    half: halfOf(q),
    isNothing: group === 'none',
    isRight: (answer: Pick<Answer, 'country' | 'lat' | 'lng'>) =>
      group !== 'none' &&
      (country === null || country === '*' || country.split('|').includes(answer.country)) &&
      distanceKm(answer, { lat, lng }) <= withinKm,
  }));
  const nothing = linesOf<{ q: string; group: string }>('nothing.ndjson').map(({ q, group }) => ({
    query: q,
    group: `nothing: ${group}`,
    half: halfOf(q),
    isNothing: true,
    isRight: () => false,
  }));
  return [...typed, ...nothing];
}

function linesOf<T>(file: string): T[] {
  const path = sharedData(`queries/${file}`);
  if (!path) throw new Error(`queries/${file} is not in ../shared/data`);
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
