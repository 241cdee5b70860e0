/**
 * Rows for the shorter forms of codes (British outward parts, Dutch four digits): where a source has whole codes, the
 * shorter form gets the places that its whole codes have.
 */
import { shorterForms } from '../../../core/postal/code.ts';
import type { JoinedCode } from './join.ts';

/** A place of a shorter form must have this share of the addresses under it, or be the first. */
const leastShare = 0.2;
/** A form shorter still (Brazil's three digits) is only told when nearly all under it is one place. */
const oneplaceShare = 0.8;

/** Rows for the shorter forms of the codes of one country, `known` ones left out. */
export function shorterRows(country: string, joined: readonly JoinedCode[], known: ReadonlySet<string>): JoinedCode[] {
  const forms = new Map<
    string,
    { isFirst: boolean; places: Map<string, JoinedCode & { weight: number }>; weight: number }
  >();
  for (const { code, row, place } of joined) {
    for (const [level, short] of shorterForms(country, code).entries()) {
      if (known.has(short)) continue;
      let form = forms.get(short);
      if (!form) {
        form = { isFirst: level === 0, places: new Map(), weight: 0 };
        forms.set(short, form);
      }
      const identity = place ? String(place.index) : row.place;
      const entry = form.places.get(identity);
      if (entry) entry.weight += row.weight;
      else form.places.set(identity, { code: short, row, place, weight: row.weight });
      form.weight += row.weight;
    }
  }
  const rows: JoinedCode[] = [];
  for (const { isFirst, places, weight } of forms.values()) {
    const ordered = [...places.values()].sort((a, b) => b.weight - a.weight);
    const share = isFirst ? leastShare : oneplaceShare;
    for (const [rank, entry] of ordered.entries()) {
      if (entry.weight < share * weight && !(isFirst && rank === 0)) break;
      rows.push({ code: entry.code, row: { ...entry.row, weight: entry.weight }, place: entry.place });
    }
  }
  return rows;
}
