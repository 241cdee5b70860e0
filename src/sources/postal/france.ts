/**
 * France's communes with their postal codes, overseas included: the Code officiel géographique and the codes of
 * La Poste, from the npm package `@etalab/decoupage-administratif` (data/communes.json). Licence Ouverte.
 */
import { readFileSync } from 'node:fs';
import type { NamedPostalRow } from '../../core/postal/row.ts';

type Commune = {
  code: string;
  nom: string;
  departement?: string;
  collectivite?: string;
  codesPostaux?: string[];
  population?: number;
};

/** Overseas codes belong to countries of their own in ISO 3166-1, by their first digits. */
const overseas: readonly (readonly [string, string])[] = [
  ['97133', 'BL'],
  ['97150', 'MF'],
  ['971', 'GP'],
  ['972', 'MQ'],
  ['973', 'GF'],
  ['974', 'RE'],
  ['975', 'PM'],
  ['976', 'YT'],
  ['986', 'WF'],
  ['987', 'PF'],
  ['988', 'NC'],
];

/** A row for each commune and code. */
export function francePostal(path: string): NamedPostalRow[] {
  const communes: Commune[] = JSON.parse(readFileSync(path, 'utf8'));
  return communes.flatMap((commune) =>
    (commune.codesPostaux ?? []).map((code) => {
      const country = overseas.find(([start]) => code.startsWith(start))?.[1] ?? 'FR';
      // `Lyon 3e Arrondissement`, `Paris 1er Arrondissement`: the gazetteer has the city.
      const city = commune.nom.replace(/ \d+er?e? Arrondissement$/, '');
      return {
        country,
        code,
        place: commune.nom,
        names: city === commune.nom ? [city] : [commune.nom, city],
        ...(country === 'FR' && commune.departement ? { admin2Code: commune.departement } : {}),
        weight: commune.population ?? 0,
      };
    }),
  );
}
