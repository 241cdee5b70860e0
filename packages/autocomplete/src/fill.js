/**
 * Puts the fields of a record into the form fields that name them: `<input data-whereabouts="lat">`. Fields of the
 * record that are missing or null empty theirs. Each field that changes fires `input` and `change`, as typing does.
 *
 * @param {ParentNode} scope the form, or the document
 * @param {Record<string, unknown> | undefined} record undefined empties all of them
 */
export function fillFields(scope, record) {
  for (const field of scope.querySelectorAll('[data-whereabouts]')) {
    const name = /** @type {HTMLElement} */ (field).dataset.whereabouts ?? '';
    const value = record?.[name];
    const text = value === undefined || value === null ? '' : String(value);
    if (!('value' in field)) field.textContent = text;
    else if (field.value !== text) {
      field.value = text;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      field.dispatchEvent(new Event('change', { bubbles: true }));
    }
  }
}
