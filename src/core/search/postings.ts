/** How a posting of the place-name index packs the kind of name and the place into 32 bits: kind first, so kinds sort. */

/** Places take the low bits: room for 67 million. */
export const kindShift = 26;
export const placeMask = 2 ** kindShift - 1;
