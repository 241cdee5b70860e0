import { RecentCache } from '../../core/recent-cache.ts';
import type { Place, Places } from '../../store/store.ts';

const namesInMemory = 10_000;

/** Makes a look-up of the places of a country that have a name, the most prominent first, which knows those that were asked for lately. */
export function namesakeFinder(
  places: Pick<Places, 'named' | 'get'>,
): (name: string, country: string) => readonly Place[] {
  const known = new RecentCache<string, readonly Place[]>(namesInMemory);
  return (name, country) =>
    known.getOrInsertComputed(`${country}\0${name}`, () =>
      places.named(name, country).map((index) => places.get(index)),
    );
}
