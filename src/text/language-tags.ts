/** Tags of languages (BCP 47), such as `de-AT`. */

/** Of at most 35 characters, which are enough for every use (RFC 5646, 4.4.1): the time that Intl takes grows with their square. */
export const wellFormed = /^(?=.{2,35}$)[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*$/;

/** The tag that a list as in `Accept-Language` (RFC 9110, 12.5.4) prefers; undefined where it names none, as `*` does. */
export function preferredLanguage(list: string | undefined | null): string | undefined {
  let best: { tag: string; quality: number } | undefined;
  for (const part of list?.split(',') ?? []) {
    // A pattern with blanks before the semicolon would take a quarter of a second for a head full of blanks.
    const [tag, weight = 'q=1'] = part.split(';').map((text) => text.trim());
    const each = { tag, quality: /^q=/i.test(weight) ? Number(weight.slice(2)) : 0 };
    if (wellFormed.test(tag) && each.quality > (best?.quality ?? 0)) best = each;
  }
  return best?.tag;
}

/** How a language orders texts; the rest of a tag may be none that Intl takes. */
export const orderOf = (tag: string) => new Intl.Collator(tag.split(/[-_]/)[0]).compare;

/** The country of a tag, `GB` of `en-GB`; undefined without one. */
export const countryOfLanguage = (tag: string | undefined): string | undefined =>
  /^[a-z]{2,3}(?:[-_][a-z]{4})?[-_]([a-z]{2})(?![a-z0-9])/i.exec(tag ?? '')?.[1].toUpperCase();
