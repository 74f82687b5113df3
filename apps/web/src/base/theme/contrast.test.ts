import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/**
 * WCAG 2.2, 1.4.3 and 1.4.11: 4.5 to 1 for text, 3 to 1 for graphics and controls, for every pair of tokens that meet
 * on the screen.
 */
const TEXT = 4.5;
const GRAPHIC = 3;

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8').replace(/\/\*.*?\*\//gs, '');
const [light = '', dark = ''] = css.split('[data-color-scheme="dark"]');
const read = (part: string) =>
  new Map([...part.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map(([, name, hex]) => [name, hex]));
const LIGHT = read(light);
const THEMES = { light: LIGHT, dark: new Map([...LIGHT, ...read(dark)]) };

const INKS = ['ink', 'ink-2', 'ink-3'];
const STATES = ['st-moving', 'st-idling', 'st-stopped', 'st-nogps', 'st-offline', 'st-private'];
const DUTIES = ['du-off', 'du-sb', 'du-d', 'du-on', 'du-pc', 'du-ym'];
const SEVERITIES = ['critical', 'warning', 'info', 'ok'];
const ACCENTS = ['accent', 'brand2'];

const onSurfaces = (names: readonly string[], surfaces: readonly string[]) =>
  names.flatMap(name => surfaces.map(surface => [name, surface] as const));
const onOwnSoft = (names: readonly string[]) => names.map(name => [name, `${name}-soft`] as const);

const TEXT_PAIRS: readonly (readonly [ink: string, ground: string])[] = [
  ...onSurfaces(INKS, ['bg', 'surface', 'surface-2', 'surface-3']),
  ...onSurfaces([...STATES, ...DUTIES, ...SEVERITIES, ...ACCENTS], ['surface', 'surface-2']),
  ...onOwnSoft([...STATES, ...DUTIES, ...SEVERITIES, ...ACCENTS]),
  ['accent-ink', 'accent'],
  ['fill-ink', 'fill'],
  ['fill-ink', 'fill-hover'],
  ['rail-ink', 'rail'],
  ['rail-on', 'rail-on-bg'],
  ['surface', 'ink'],
  ['surface', 'du-d'],
  ['m-label', 'm-land'],
  ['ink-3', 'st-nodata-soft'],
];
const GRAPHIC_PAIRS: readonly (readonly [mark: string, ground: string])[] = [
  ...onSurfaces(['field-line', 'focus', 's1', 's2', 's3', 's4', 's5', 'st-nodata'], ['surface', 'surface-2']),
  ['focus', 'bg'],
  ['rail-mark', 'rail'],
  ...onSurfaces(STATES, ['m-land']),
];

describe.each(Object.entries(THEMES))('%s theme', (_, tokens) => {
  const ratio = (a: string, b: string): number => contrast(hexOf(tokens, a), hexOf(tokens, b));
  it.each(TEXT_PAIRS)('text %s on %s', (ink, ground) => expect(ratio(ink, ground)).toBeGreaterThanOrEqual(TEXT));
  it.each(GRAPHIC_PAIRS)('graphic %s on %s', (mark, ground) =>
    expect(ratio(mark, ground)).toBeGreaterThanOrEqual(GRAPHIC),
  );
});

it('the measure is WCAG’s own', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#26a69a', '#ffffff')).toBeCloseTo(2.998, 2);
  expect(contrast('#002e5c', '#ffffff')).toBeCloseTo(13.6, 1);
});

function hexOf(tokens: ReadonlyMap<string | undefined, string | undefined>, name: string): string {
  const hex = tokens.get(name);
  if (!hex) throw new Error(`tokens.css has no colour --${name}`);
  return hex;
}

/** Contrast ratio and relative luminance as WCAG 2.2 defines them. */
function contrast(a: string, b: string): number {
  const [bright = 0, dim = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (bright + 0.05) / (dim + 0.05);
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map(at => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
