/** Values of Overture's files, whose types a file states itself: what is not of the schema's type is taken as absent. */

/** Names of a place or a road (docs.overturemaps.org/schema/concepts/by-theme/shared-concepts/names). */
export type OvertureNames = { primary?: unknown; common?: unknown; rules?: unknown } | null | undefined;

/** A text without blanks around it. A number is its digits: house numbers are numbers in files that were converted. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value === 'string' ? value.trim() || undefined : undefined;
}

export const listOf = <T>(value: unknown): (T | null | undefined)[] => (Array.isArray(value) ? value : []);

/** Names by language. */
export function commonNames(names: OvertureNames): [language: string, name: string][] {
  return Object.entries(names?.common ?? {}).flatMap(([language, value]) => {
    const name = textOf(value);
    return name === undefined ? [] : [[language, name]];
  });
}

/** The main name, and the others, each once. */
export function namesOf(names: OvertureNames): { name: string | undefined; otherNames: string[] } {
  const name = textOf(names?.primary);
  const rules = listOf<{ value?: unknown }>(names?.rules).map((rule) => textOf(rule?.value));
  const others = new Set([...commonNames(names).map(([, common]) => common), ...rules]);
  return { name, otherNames: [...others].filter((other) => other !== undefined && other !== name) as string[] };
}
