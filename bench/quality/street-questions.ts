/** Questions to street-level data, which any engine is asked: addresses in every form, and what is around them. */

import type { StreetLevel } from '../../src/api/open.ts';
import { addressForms } from './address-forms.ts';
import { type Place, placesOf } from './dataset-places.ts';
import { forms } from './forms.ts';
import { addressesOf, draw, randomNumbers, type Sample, taggedAddresses } from './samples.ts';

export type Level = Pick<StreetLevel, 'addresses' | 'streets' | 'pois'>;
/** The first word of the text is the kind of the question. */
export type Question = { text: string; ask(level: Level): object[] };

export function addressQuestion(text: string): Question {
  return { text: `address ${text}`, ask: (level) => level.addresses.search({ text, limit: 10 }) };
}

/** Questions about addresses of a file of ../shared/data, of which `path` is the whole path. */
export function questionsOfFile(path: string, file: string, country: string, samples: number): Question[] {
  const drawn = draw(addressesOf(path), samples, randomNumbers(42)).map((sample) => ({ ...sample, country }));
  const own = addressForms.filter((form) => form.file === file);
  const tagged =
    own.length > 0 && !file.endsWith('.csv') ? draw(taggedAddresses(path), samples, randomNumbers(43)) : [];
  const ofForms = tagged.flatMap((sample, number) => own.map((form) => form.of(sample, number)?.text));
  return [
    ...questionsAbout(drawn),
    ...ofForms.filter((text) => text !== undefined).map((text) => addressQuestion(text)),
  ];
}

/** Questions about addresses of a dataset, as many of each country. */
export function questionsOfDataset(directory: string, samples: number): Question[] {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const houses = [...placesOf(directory)].filter(({ kind }) => kind === 'house');
  const drawn = Object.values(Object.groupBy(houses, ({ country }) => country!)).flatMap((some) =>
    draw<Place>(some!, samples, randomNumbers(42)),
  );
  return questionsAbout(
    drawn.map(({ street, number, country, ...others }) => ({
      ...others,
      street: street!,
      number: number!,
      country: names.of(country!)!,
    })),
  );
}

function questionsAbout(samples: readonly (Sample & { country: string })[]): Question[] {
  const texts = samples.flatMap((sample) => forms.map((form) => form.ask(sample, randomNumbers(7))));
  return [
    ...texts.filter((text) => text !== undefined).map((text) => addressQuestion(text)),
    ...samples.flatMap((sample, number) => around(sample, number)),
  ];
}

/** Questions about streets and points next to an address, and about what is there. */
function around({ street, lat, lng }: Sample, at: number): Question[] {
  const near = { lat: lat + (at % 7) / 1000, lng };
  const query = { text: street, radiusKm: 5, limit: 10 };
  const prefix = street.slice(0, 4 + (at % 4));
  return [
    { text: `street ${street}`, ask: (level) => level.streets.search(query) },
    { text: `street ${street} near`, ask: (level) => level.streets.search({ ...query, near }) },
    { text: `street ${prefix}`, ask: (level) => level.streets.search({ ...query, text: prefix }) },
    { text: `reverse ${lat} ${lng}`, ask: (level) => level.addresses.nearest(near, { maxKm: 0.05, limit: 1 }) },
    { text: `poi ${lat} ${lng}`, ask: (level) => level.pois.nearest(near, { radiusKm: 1, limit: 20 }) },
    {
      text: `poi restaurant ${lat} ${lng}`,
      ask: (level) => level.pois.nearest(near, { radiusKm: 20, category: 'restaurant', limit: 10 }),
    },
  ];
}
