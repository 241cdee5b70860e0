/** What is there at once where it can be, and else later: a promise is made only where something has to be waited for. */
export type Soon<T> = T | Promise<T>;
