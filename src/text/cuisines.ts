import { fold } from './fold.ts';

/** The kinds of food of a list such as `pizza;Fish & Chips`, each as its letters and digits; empty where it names none. */
export function cuisinesOf(list: string): string[] {
  return list
    .split(/[;,]/)
    .map((kind) => fold(kind).replace(/[^a-z0-9]/g, ''))
    .filter((kind) => kind !== '');
}
