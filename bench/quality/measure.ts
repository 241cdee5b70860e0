/** How many of some addresses are found, queried in one form; and which of them are at one place only. */
import { distanceKm } from '../../src/core/geo.ts';
import type { Addresses } from '../../src/store/address-contract.ts';
import type { Form } from './forms.ts';
import { randomNumbers, type Sample } from './samples.ts';

/** An answer this near counts as the address. */
export const nearEnoughKm = 0.025;

export type Tally = {
  queries: number;
  /** Of these, how many the first answer is. */
  first: number;
  /** Of these, how many are one of the first ten answers. */
  found: number;
  /** Addresses that are at one place only, and how many of them the first answer is. */
  single: number;
  firstOfSingle: number;
  /** Texts whose address is at one place and not the first answer. */
  misses: string[];
};

/** The places of a file that one text may mean, by the text's parts. */
export class Namesakes {
  readonly #places = new Map<string, Sample[]>();

  constructor(all: readonly Sample[]) {
    for (const sample of all) {
      const key = keyOf(sample);
      const known = this.#places.get(key);
      if (known) known.push(sample);
      else this.#places.set(key, [sample]);
    }
  }

  /** Whether a file has an address at one place only, as far as the parts in a text determine it. */
  isSingle(sample: Sample, parts: Form['parts']): boolean {
    const others = this.#places.get(keyOf(sample)) ?? [];
    return others.every((other) => {
      const differs = parts.some((part) => other[part] && sample[part] && plain(other[part]) !== plain(sample[part]));
      return differs || distanceKm(other, sample) <= nearEnoughKm;
    });
  }
}

/** Lower case without diacritics, blanks or punctuation, to compare texts. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]/gu, '');
const keyOf = ({ street, number }: Sample) => `${plain(street)} ${plain(number)}`;

/** Queries every sample that has what the form needs. */
export function measure(addresses: Addresses, samples: readonly Sample[], namesakes: Namesakes, form: Form): Tally {
  const random = randomNumbers(7);
  const tally: Tally = { queries: 0, first: 0, found: 0, single: 0, firstOfSingle: 0, misses: [] };
  for (const sample of samples) {
    const text = form.ask(sample, random);
    if (text === undefined) continue;
    const results = addresses.search({ text, limit: 10 });
    const isHit = results.map((result) => result.matchType === 'exact' && distanceKm(result, sample) <= nearEnoughKm);
    tally.queries++;
    if (isHit[0]) tally.first++;
    if (isHit.includes(true)) tally.found++;
    if (!namesakes.isSingle(sample, form.parts)) continue;
    tally.single++;
    if (isHit[0]) tally.firstOfSingle++;
    else {
      const [answer] = results;
      const got = answer ? `${answer.street} ${answer.houseNumber}, ${answer.city}: ${answer.matchType}` : 'nothing';
      tally.misses.push(`${text} [${sample.city ?? ''}] -> ${got}`);
    }
  }
  return tally;
}
