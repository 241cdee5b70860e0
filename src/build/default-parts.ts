/** Parts of default data: addresses and streets of some places, and points of interest of the whole world. */
export const defaultParts = { samples: 'samples', worldwide: 'worldwide' } as const;
