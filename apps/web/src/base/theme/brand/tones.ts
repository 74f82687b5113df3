import { contrast, hexOf, type Tone, toneOf } from './colour.ts';

/**
 * All tones of a brand color, computed from the color that the tenant chose. The hue stays. The lightness changes until
 * the tone is legible where it is used (WCAG 2.2, 1.4.3 and 1.4.11). State, duty and severity colors never follow the
 * brand.
 */
export interface Tones {
  /** Background behind text: the chosen color, if text on it is legible. */
  readonly fill: string;
  readonly fillInk: string;
  readonly fillHover: string;
  /** Text and icons on any surface and on `soft`. */
  readonly text: string;
  readonly textInk: string;
  readonly soft: string;
  readonly line: string;
  /** Graphics only, never text. */
  readonly mark: string;
}

export type Scheme = 'light' | 'dark';

/** Backgrounds from tokens.css on which the tones must be legible. */
export const GROUNDS = {
  light: { surface: '#ffffff', well: '#e8edf2', ink: '#13202e' },
  dark: { surface: '#131c26', well: '#213040', ink: '#e7edf3' },
} as const;
const WHITE = '#ffffff';
const DARK_INK = '#0b1b2b';

const TEXT = 4.5;
const GRAPHIC = 3;
/** More than required on the well, so that the contrast is also sufficient on the soft tone. */
const TEXT_ON_WELL = { light: 4.8, dark: 6 } as const;
const STEP = 0.01;
const HOVER = 0.06;
const RAIL_ON = 0.09;
/** Colors with less chroma than this are gray and have no hue to keep. */
const GREY = 0.02;

/**
 * Hand-tuned tones of the default tenant's colors, as tokens.css has them. They differ slightly from what the rule
 * computes.
 */
const TUNED: Readonly<Record<string, Readonly<Record<Scheme, Partial<Tones>>>>> = {
  '#01579b': {
    light: { fillHover: '#01467d', soft: '#e3eef8', line: '#8db7dc' },
    dark: {
      fill: '#74b6f0',
      fillInk: '#04203a',
      fillHover: '#93c7f5',
      text: '#74b6f0',
      textInk: '#04203a',
      soft: '#14304a',
      line: '#2f608d',
    },
  },
  '#26a69a': {
    light: { text: '#0b736a', soft: '#def2ef' },
    dark: { text: '#52c9bc', soft: '#10322f' },
  },
};

/** All tones of a brand color. Throws unless given `#rrggbb`, which the contract's schema ensures. */
export const tonesOf = (seed: string, scheme: Scheme): Tones => ({
  ...workOut(seed, scheme),
  ...TUNED[seed.toLowerCase()]?.[scheme],
});

/** The tones by the rule alone, without hand tuning. */
export function workOut(seed: string, scheme: Scheme): Tones {
  const tone = toneOf(seed);
  if (!tone) throw new TypeError('A brand colour is #rrggbb');
  const { surface, well, ink } = GROUNDS[scheme];
  const towards = scheme === 'light' ? -STEP : STEP;
  const isGrey = tone.c < GREY;

  const soft = hexOf(
    scheme === 'light' ? { ...tone, l: 0.94, c: tone.c * 0.25 } : { ...tone, l: 0.3, c: tone.c * 0.5 },
  );
  const text = isGrey
    ? ink
    : stepped(tone, towards, hex => contrast(hex, well) >= TEXT_ON_WELL[scheme] && contrast(hex, soft) >= TEXT);
  // In the dark scheme, filled controls are as light as text: a deep fill would look like a hole.
  const fill = scheme === 'light' ? stepped(tone, -STEP, hex => inkOn(hex) !== null) : text;
  const fillInk = inkOn(fill) ?? WHITE;
  // Hovering moves the fill away from its ink, so the text stays legible.
  const hoverStep = fillInk === WHITE ? -STEP : STEP;
  const fillTone = toneOf(fill) ?? tone;
  return {
    fill,
    fillInk,
    fillHover: hexOf({ ...fillTone, l: fillTone.l + (hoverStep / STEP) * HOVER }),
    text,
    textInk: inkOn(text) ?? WHITE,
    soft,
    line: hexOf(scheme === 'light' ? { ...tone, l: 0.76, c: tone.c * 0.6 } : { ...tone, l: 0.48, c: tone.c * 0.6 }),
    mark: stepped(tone, towards, hex => contrast(hex, surface) >= GRAPHIC),
  };
}

/** The navigation rail's color: dark enough for the rail's pale ink in both color schemes. */
export function railOf(primary: string, scheme: Scheme): string {
  const tone = toneOf(primary);
  if (!tone) throw new TypeError('A brand colour is #rrggbb');
  if (scheme === 'dark') return hexOf({ ...tone, l: 0.21, c: tone.c * 0.6 });
  return tone.l > 0.45 ? hexOf({ ...tone, l: 0.3 }) : primary;
}

/**
 * Background of the current page's entry in the rail: lighter than the rail if white text stays legible on it,
 * otherwise as dark as the text needs.
 */
export function railOnOf(rail: string): string {
  const tone = toneOf(rail);
  if (!tone) throw new TypeError('A rail is #rrggbb');
  return stepped({ ...tone, l: tone.l + RAIL_ON }, -STEP, hex => contrast(WHITE, hex) >= TEXT);
}

/** A graphic on the rail, lightened until it has enough contrast. */
export function markOnRail(seed: string, rail: string): string {
  const tone = toneOf(seed);
  if (!tone) throw new TypeError('A brand colour is #rrggbb');
  return stepped(tone, STEP, hex => contrast(hex, rail) >= TEXT);
}

/** The legible ink on this background, white if possible; null if neither is legible. */
function inkOn(ground: string): string | null {
  if (contrast(WHITE, ground) >= TEXT) return WHITE;
  return contrast(DARK_INK, ground) >= TEXT ? DARK_INK : null;
}

/** The seed, or the nearest lightness in this direction that passes. */
function stepped(seed: Tone, step: number, passes: (hex: string) => boolean): string {
  let tone = seed;
  for (; tone.l > 0 && tone.l < 1; tone = { ...tone, l: tone.l + step }) if (passes(hexOf(tone))) return hexOf(tone);
  return hexOf({ ...tone, l: step < 0 ? 0 : 1 });
}
