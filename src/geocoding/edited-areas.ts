/** Countries and regions whose name is one or two edits from what was typed. */
import type { Gazetteer } from '../store/gazetteer.ts';
import type { Lattice } from './lattice.ts';
import { editMatch } from './score.ts';
import { allowsEdit, allowsTwoEdits, type EditBudget } from './search-limits.ts';

/**
 * Adds to the lattice countries and regions with names similar to its spans, for which there is no area of exactly that
 * name; returns whether there are any.
 */
export function addEditedAreas(gazetteer: Gazetteer, lattice: Lattice, budget: EditBudget): boolean {
  const { areaNames } = gazetteer;
  const before = lattice.areas.length;
  // What is left is for names of places.
  const least = budget.lookUps / 2;
  for (const { from, to } of lattice.worstExplained()) {
    const text = lattice.text(from, to);
    const exact = areaNames.exact(text);
    if (!allowsEdit(text) || exact.from < exact.to) continue;
    const keys: number[] = [];
    budget.lookUps -= areaNames.oneEdit(text, budget.lookUps - least, (key) => keys.push(key));
    let edits = 1;
    if (keys.length === 0 && allowsTwoEdits(text)) {
      edits = 2;
      const options = { edits, fixedPrefix: 1, isPrefix: false, budget: budget.nodes / 2 };
      budget.nodes -= areaNames.fuzzy(text, options, ({ from: key }) => keys.push(key));
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
