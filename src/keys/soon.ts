/** A value or a promise of it: a promise is created only where something has to be awaited. */
export type Soon<T> = T | Promise<T>;
