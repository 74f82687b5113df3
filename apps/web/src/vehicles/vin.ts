const VALUES: Readonly<Record<string, number>> = {
  ...{ A: 1, B: 2, C: 3, D: 4, E: 5, F: 6, G: 7, H: 8 },
  ...{ J: 1, K: 2, L: 3, M: 4, N: 5, P: 7, R: 9 },
  ...{ S: 2, T: 3, U: 4, V: 5, W: 6, X: 7, Y: 8, Z: 9 },
};
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];

/**
 * Whether a VIN's check digit, the ninth character, is right (49 CFR 565.15(c)). Null if the rule doesn't apply:
 * outside North America (first character not 1–5) or if the VIN is incomplete.
 */
export function vinCheckDigitMatches(vin: string): boolean | null {
  const text = vin.trim().toUpperCase();
  if (!/^[1-5][A-HJ-NPR-Z0-9]{16}$/.test(text)) return null;
  const sum = [...text].reduce((total, letter, i) => total + (VALUES[letter] ?? Number(letter)) * (WEIGHTS[i] ?? 0), 0);
  const digit = sum % 11;
  return text[8] === (digit === 10 ? 'X' : String(digit));
}
