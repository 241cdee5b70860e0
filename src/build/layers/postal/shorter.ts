/**
 * Rows for the shorter forms of codes (British outward parts, Dutch four digits): where a source has whole codes, the
 * shorter form gets the places that its whole codes have.
 */
import { shorterForms } from '../../../core/postal/code.ts';
import type { JoinedCode } from './join.ts';

/** A place of a shorter form must have this share of the addresses under it, or be the first. */
const minShare = 0.2;
type Form = { places: Map<string, JoinedCode & { weight: number }>; weight: number };

/**
 * Rows for the shorter forms of the codes of one country. Where the source also has rows of a shorter form itself,
 * they count among those of its whole codes.
 */
export function shorterRows(country: string, joined: readonly JoinedCode[]): JoinedCode[] {
  const forms = new Map<string, Form>();
  for (const { code } of joined)
    for (const short of shorterForms(country, code)) forms.set(short, { places: new Map(), weight: 0 });
  if (forms.size === 0) return [];
  for (const entry of joined) {
    for (const short of [entry.code, ...shorterForms(country, entry.code)]) {
      const form = forms.get(short);
      if (form) count(form, short, entry);
    }
  }
  const rows: JoinedCode[] = [];
  for (const { places, weight } of forms.values()) {
    const ordered = [...places.values()].sort((a, b) => b.weight - a.weight);
    for (const [rank, entry] of ordered.entries()) {
      if (rank > 0 && entry.weight < minShare * weight) break;
      const { code, row, place, around } = entry;
      rows.push({ code, row: { ...row, weight: entry.weight }, place, around });
    }
  }
  return rows;
}

function count(form: Form, code: string, { row, place, around }: JoinedCode): void {
  const identity = place ? String(place.index) : row.place;
  const entry = form.places.get(identity);
  if (entry) entry.weight += row.weight;
  else form.places.set(identity, { code, row, place, around, weight: row.weight });
  form.weight += row.weight;
}
