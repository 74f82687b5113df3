/** Steps of the received signal strength 0–31 of 3GPP TS 27.007 section 8.5: below 10 marginal, from 15 on good. */
export function gsmQuality(strength: number): 'none' | 'weak' | 'fair' | 'good' {
  if (strength === 0) return 'none';
  return strength < 10 ? 'weak' : strength < 15 ? 'fair' : 'good';
}
