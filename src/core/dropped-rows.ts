/** Rows that a build leaves out, by reason. */
export type DroppedRows = Record<string, number>;

/** Counts rows that are left out for a reason. */
export function drop(dropped: DroppedRows, reason: string, rows = 1): void {
  dropped[reason] = (dropped[reason] ?? 0) + rows;
}
