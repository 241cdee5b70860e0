/** Shapes of answers, written by hand from the specification and not from the code's own schemas. */
import assert from 'node:assert/strict';

/**
 * The type of a field: `?` marks one that may be null, `strings` an array of texts, `numbers` of numbers. An object is a record of exactly
 * these fields, an array of one shape a list of such records.
 */
export type Shape = string | readonly [Shape] | { readonly [field: string]: Shape };

const transitionFields = 'at,is_dst_after,local_time,utc_offset_after,utc_offset_before';

const isOf: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string' && value !== '',
  integer: Number.isInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  /** The next change of a clock, in /timezone. */
  transition: (value) =>
    Object.keys(value as object)
      .sort()
      .join() === transitionFields,
  /** What the dataset has of a country: its code, a count named as the layer, a level. */
  coverage: (value) => Object.keys(value as object).length === 3 && 'country' in (value as object),
  integers: (value) => Array.isArray(value) && value.every(Number.isInteger),
  numbers: (value) => Array.isArray(value) && value.every(Number.isFinite),
  strings: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
};

/** Fails unless a value has exactly a shape: no field more, none less, all of their types. */
export function checkShape(value: unknown, shape: Shape, where: string): void {
  if (typeof shape === 'string') {
    if (shape.endsWith('?') && value === null) return;
    assert.ok(isOf[shape.replace('?', '')](value), `${where} is ${JSON.stringify(value)}, expected ${shape}`);
    return;
  }
  if (Array.isArray(shape)) {
    assert.ok(Array.isArray(value), `${where} is not an array`);
    for (const [index, item] of value.entries()) checkShape(item, shape[0], `${where}[${index}]`);
    return;
  }
  assert.ok(value !== null && typeof value === 'object', `${where} is ${JSON.stringify(value)}, expected an object`);
  assert.deepEqual(Object.keys(value).sort(), Object.keys(shape).sort(), `fields of ${where}`);
  for (const [field, of] of Object.entries(shape)) {
    checkShape((value as Record<string, unknown>)[field], of, `${where}.${field}`);
  }
}
