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

/** A colour in OKLCH: lightness 0–1, chroma from 0, hue in degrees. */
export interface Tone {
  readonly l: number;
  readonly c: number;
  readonly h: number;
}

register(modeRgb);
register(modeLrgb);
const oklch = register(modeOklch);

/** From `#rrggbb`; null for anything else. */
export function toneOf(hex: string): Tone | null {
  const parsed = /^#[0-9a-f]{6}$/i.test(hex) ? oklch(parse(hex)) : undefined;
  return parsed ? { l: parsed.l, c: parsed.c, h: parsed.h ?? 0 } : null;
}

/** As `#rrggbb`; where the screen has no such colour, the same hue and lightness with as much chroma as it has. */
export function hexOf({ l, c, h }: Tone): string {
  return formatHex(clampChroma({ mode: 'oklch', l: Math.min(1, Math.max(0, l)), c, h }, 'oklch'));
}

/** Contrast ratio after WCAG 2.2, from 1 to 21. */
export const contrast = (a: string, b: string): number => wcagContrast(a, b);
