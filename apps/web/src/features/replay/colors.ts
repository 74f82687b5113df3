/** The series of the charts, in their fixed order: one for each vehicle, and then again from the first. */
const TOKENS = ['--s1', '--s2', '--s3', '--s4', '--s5'] as const;

/** Of the vehicle in this place of the list: on its chip, track, lane and line. */
export const colorToken = (nth: number): string => TOKENS[nth % TOKENS.length] as string;
