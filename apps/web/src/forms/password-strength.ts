/** Strengths of a new password. In addition, the server refuses known passwords (ASVS 5.0, 6.2.4). */
const STRENGTHS = ['short', 'fair', 'good', 'strong'] as const;
export type Strength = (typeof STRENGTHS)[number];

const LEAST = 12;
const GOOD = 16;
const STRONG = 20;

/**
 * Rates a password by its length and its number of different characters. There are no rules on the kinds of characters
 * (ASVS 6.2.5).
 */
export function passwordStrength(password: string): Strength {
  const length = [...password].length;
  const different = new Set(password.toLowerCase()).size;
  if (length < LEAST) return 'short';
  if (different < 6) return 'fair';
  if (length >= STRONG && different >= 10) return 'strong';
  return length >= GOOD && different >= 8 ? 'good' : 'fair';
}
