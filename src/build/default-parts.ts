/** The default parts: addresses and streets of some places, and points of interest worldwide. */
export const defaultParts = { samples: 'samples', worldwide: 'worldwide' } as const;
