/** Epoch milliseconds of the second in which a moment lies: a record has no finer resolution (7.40). */
export const secondOf = (ms: number): number => Math.floor(ms / 1000) * 1000;
