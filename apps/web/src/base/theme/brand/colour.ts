import {
  clampChroma,
  formatHex,
  modeLrgb,
  modeOklch,
  modeRgb,
  parse,
  useMode as register,
  wcagContrast,
} from 'culori/fn';

/** A color in OKLCH: lightness from 0 to 1, chroma from 0, hue in degrees. */
export interface Tone {
  readonly l: number;
  readonly c: number;
  readonly h: number;
}

register(modeRgb);
register(modeLrgb);
const oklch = register(modeOklch);

/** Parses `#rrggbb`. Returns null for anything else. */
export function toneOf(hex: string): Tone | null {
  const parsed = /^#[0-9a-f]{6}$/i.test(hex) ? oklch(parse(hex)) : undefined;
  return parsed ? { l: parsed.l, c: parsed.c, h: parsed.h ?? 0 } : null;
}

/**
 * Formats as `#rrggbb`. If screens can't show the color, it keeps hue and lightness and gets as much chroma as they
 * can.
 */
export function hexOf({ l, c, h }: Tone): string {
  return formatHex(clampChroma({ mode: 'oklch', l: Math.min(1, Math.max(0, l)), c, h }, 'oklch'));
}

/** Contrast ratio as WCAG 2.2 defines it, from 1 to 21. */
export const contrast = (a: string, b: string): number => wcagContrast(a, b);
