/** A row of a source that has a position for each code. */
export type MeasuredPostalRow = {
  /** Alpha-2 code. */
  country: string;
  /** The code as the source writes it. */
  code: string;
  place: string;
  /** Region names; null when unknown. */
  admin1: string | null;
  admin2: string | null;
  lat: number | null;
  lng: number | null;
  /** `point`: measured for this row; `place`: estimated, or that of a larger place. Null without position. */
  accuracy: 'point' | 'place' | null;
  /** Whether the code is for post boxes or one large receiver; then it is not a code of the town around. */
  isForBoxes?: boolean;
};

/** A row of a source that only says which place a code belongs to; its position is that of the place it is joined with. */
export type NamedPostalRow = {
  /** Alpha-2 code. */
  country: string;
  /** The code as the source writes it. */
  code: string;
  /** The place as the source names it. */
  place: string;
  /** Names under which the gazetteer may know the place, best first. */
  names: readonly string[];
  /** Gazetteer code of the second-level region that holds it, if the source has it. */
  admin2Code?: string;
  /** Name of the first-level region in any language, if the source has it. */
  admin1Name?: string;
  /** How often the source saw code and place together. */
  weight: number;
};
