/**
 * Rows for the shorter forms of codes (British outward parts, Dutch four digits): where a source has whole codes, the
 * shorter form gets the places that its whole codes have.
 */
import { shorterForms } from '../../../core/postal/code.ts';
import type { JoinedCode } from './join.ts';

/** A place of a shorter form must have this share of the addresses under it, or be the first. */
const leastShare = 0.2;
/** Rows for the shorter forms of the codes of one country, `known` ones left out. */
export function shorterRows(country: string, joined: readonly JoinedCode[], known: ReadonlySet<string>): JoinedCode[] {
  const forms = new Map<string, { places: Map<string, JoinedCode & { weight: number }>; weight: number }>();
  for (const { code, row, place, around } of joined) {
    for (const short of shorterForms(country, code)) {
      if (known.has(short)) continue;
      let form = forms.get(short);
      if (!form) {
        form = { places: new Map(), weight: 0 };
        forms.set(short, form);
      }
      const identity = place ? String(place.index) : row.place;
      const entry = form.places.get(identity);
      if (entry) entry.weight += row.weight;
      else form.places.set(identity, { code: short, row, place, around, weight: row.weight });
      form.weight += row.weight;
    }
  }
  const rows: JoinedCode[] = [];
  for (const { places, weight } of forms.values()) {
    const ordered = [...places.values()].sort((a, b) => b.weight - a.weight);
    for (const [rank, entry] of ordered.entries()) {
      if (rank > 0 && entry.weight < leastShare * weight) break;
      const { code, row, place, around } = entry;
      rows.push({ code, row: { ...row, weight: entry.weight }, place, around });
    }
  }
  return rows;
}
