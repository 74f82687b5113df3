/** The chart colors in their fixed order: one per vehicle, then starting over. */
const TOKENS = ['--s1', '--s2', '--s3', '--s4', '--s5'] as const;

/** Color of the n-th vehicle: on its chip, track, lane and line. */
export const colorToken = (nth: number): string => TOKENS[nth % TOKENS.length] as string;
