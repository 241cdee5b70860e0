/** Countries and regions whose name is one or two edits from what was typed. */
import type { Gazetteer } from '../store/gazetteer.ts';
import type { Lattice } from './lattice.ts';
import { editMatch } from './score.ts';
import * as limits from './search-limits.ts';

/**
 * Adds to the lattice countries and regions with names similar to its spans, for which there is no area of exactly that
 * name; returns whether there are any.
 */
export function addEditedAreas(gazetteer: Gazetteer, lattice: Lattice): boolean {
  const { areaNames } = gazetteer;
  const before = lattice.areas.length;
  let budget = limits.shareOf(limits.editBudget, lattice.tokens.length);
  let walk = limits.shareOf(limits.areaWalkBudget, lattice.tokens.length);
  for (const { from, to } of lattice.spans) {
    const text = lattice.text(from, to);
    const exact = areaNames.exact(text);
    if (!limits.allowsEdit(text) || exact.from < exact.to) continue;
    const keys: number[] = [];
    budget -= areaNames.oneEdit(text, budget, (key) => keys.push(key));
    let edits = 1;
    if (keys.length === 0 && limits.allowsTwoEdits(text)) {
      edits = 2;
      walk -= areaNames.fuzzy(text, { edits, fixedPrefix: 1, isPrefix: false, budget: walk }, ({ from: key }) =>
        keys.push(key),
      );
    }
    for (const key of keys) {
      const name = areaNames.text(key);
      const areas: number[] = [];
      gazetteer.visitAreas({ from: key, to: key + 1 }, (area) => {
        areas.push(area);
        return true;
      });
      lattice.addEditedAreas(from, to, name, areas, -editMatch(text, name, edits));
    }
  }
  return lattice.areas.length > before;
}
