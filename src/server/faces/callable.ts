import { endpoints } from '../../endpoints/index.ts';
import { didYouMean } from '../../errors.ts';

/** Names that a key can be restricted to. */
const callable: readonly string[] = [...Object.keys(endpoints), 'usage', 'batch', 'jobs', 'tiles'];

/** What is wrong with a list of endpoint names, with the closest valid name; undefined if it is valid. */
export function callableFault(names: readonly string[] | null | undefined): string | undefined {
  const unknown = names?.find((name) => !callable.includes(name));
  if (unknown === undefined) return undefined;
  return `there is no endpoint ${JSON.stringify(unknown.slice(0, 60))}${didYouMean(unknown.slice(0, 60), callable)}`;
}
