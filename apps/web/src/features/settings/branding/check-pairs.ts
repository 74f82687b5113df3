import { type BrandColours, brandTokens } from '../../../base/theme/brand/brand-sheet.ts';
import { contrast } from '../../../base/theme/brand/colour.ts';
import { GROUNDS, type Scheme } from '../../../base/theme/brand/tones.ts';

/** Text and background, by token, or by the name of a background that no brand changes. */
const TEXT_PAIRS = [
  ['--fill-ink', '--fill'],
  ['--fill-ink', '--fill-hover'],
  ['--accent', 'surface'],
  ['--accent', 'well'],
  ['--accent', '--accent-soft'],
  ['--accent-ink', '--accent'],
  ['--brand2', 'surface'],
  ['--brand2', 'well'],
  ['--brand2', '--brand2-soft'],
] as const;
const GRAPHIC_PAIRS = [
  ['--brand2-mark', 'surface'],
  ['--focus', 'surface'],
  ['--rail-mark', '--rail'],
] as const;

/**
 * How many pairs of these colors' tones appear together on screen, and how many are readable (WCAG 2.2, 1.4.3 and
 * 1.4.11).
 */
export function checkPairs(colours: BrandColours): { readonly pairs: number; readonly passing: number } {
  const results = (['light', 'dark'] satisfies Scheme[]).flatMap(scheme => {
    const tokens: Readonly<Record<string, string>> = { ...brandTokens(colours, scheme), ...GROUNDS[scheme] };
    const reaches = (ratio: number) => (pair: readonly [string, string]) =>
      contrast(tokens[pair[0]] ?? '', tokens[pair[1]] ?? '') >= ratio;
    return [...TEXT_PAIRS.map(reaches(4.5)), ...GRAPHIC_PAIRS.map(reaches(3))];
  });
  return { pairs: results.length, passing: results.filter(Boolean).length };
}
