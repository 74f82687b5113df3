/** What the bar under a new password says. The server refuses known passwords besides (ASVS 5.0, 6.2.4). */
export const STRENGTHS = ['short', 'fair', 'good', 'strong'] as const;
export type Strength = (typeof STRENGTHS)[number];

const LEAST = 12;
const GOOD = 16;
const STRONG = 20;

/** Length counts, and how many different characters it is made of; there are no rules of composition (ASVS 6.2.5). */
export function passwordStrength(password: string): Strength {
  const length = [...password].length;
  const different = new Set(password.toLowerCase()).size;
  if (length < LEAST) return 'short';
  if (different < 6) return 'fair';
  if (length >= STRONG && different >= 10) return 'strong';
  return length >= GOOD && different >= 8 ? 'good' : 'fair';
}
