/** A schema as JSON Schema that others understand: our own formats become patterns, or go. */
export function publicSchema<S extends object>(schema: S): S {
  return JSON.parse(JSON.stringify(schema), (_key, value) => {
    if (value === null || typeof value !== 'object') return value;
    if (value.format === 'country') {
      const { format: _, ...rest } = value;
      return { ...rest, pattern: '^[A-Za-z]{2}$' };
    }
    if (value.format === 'text') {
      const { format: _, ...rest } = value;
      return rest;
    }
    return value;
  });
}
