import { readFileSync } from 'node:fs';
import { DEFAULT_COLOURS } from '@milepost/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brandTokens } from './brand-sheet.ts';
import { contrast } from './colour.ts';
import { GROUNDS, markOnRail, railOf, railOnOf, type Scheme, tonesOf, workOut } from './tones.ts';

const channels = (hex: string) => [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16));
/** Two roundings of the same color may differ by a step or two in each channel. */
function expectNear(hex: string, wanted: string): void {
  for (const [at, value] of channels(hex).entries()) {
    expect(Math.abs(value - (channels(wanted)[at] ?? 0)), `${hex} for ${wanted}`).toBeLessThanOrEqual(2);
  }
}

const WHITE = '#ffffff';
const DARK = '#0b1b2b';

describe.each([
  ['#01579b', WHITE, '#01579b', '#deedfe', '#6cb3fe', '#112f4d'],
  ['#26a69a', DARK, '#017269', '#d8f1ed', '#49bfb3', '#003631'],
  ['#002e5c', WHITE, '#002e5c', '#e1edfb', '#84b2ea', '#1c2f45'],
  ['#ffd600', DARK, '#776300', '#f4ecca', '#ffd600', '#382d00'],
  ['#39ff14', DARK, '#117600', '#d1f8cc', '#39ff14', '#043900'],
  ['#f8bbd0', DARK, '#8d576b', '#f6e6eb', '#f8bbd0', '#3d262e'],
])('tones of %s', (seed, ink, text, soft, darkText, darkSoft) => {
  it('are those of the design', () => {
    expect(workOut(seed, 'light').fillInk).toBe(ink);
    expectNear(workOut(seed, 'light').fill, seed);
    expectNear(workOut(seed, 'light').text, text);
    expectNear(workOut(seed, 'light').soft, soft);
    expectNear(workOut(seed, 'dark').text, darkText);
    expectNear(workOut(seed, 'dark').soft, darkSoft);
  });
});

it('the default colours have the tones of tokens.css', () => {
  const css = readFileSync(new URL('../tokens.css', import.meta.url), 'utf8');
  const [light = '', dark = ''] = css.split('[data-color-scheme="dark"]');
  for (const [scheme, text] of Object.entries({ light, dark })) {
    for (const name of [
      '--fill',
      '--fill-ink',
      '--fill-hover',
      '--accent',
      '--accent-soft',
      '--accent-line',
      '--brand2',
      '--brand2-soft',
    ]) {
      const value = brandTokens(DEFAULT_COLOURS, scheme as Scheme)[name];
      expect([scheme, name, text.includes(`${name}: ${value};`)]).toEqual([scheme, name, true]);
    }
  }
});

it('a colour on which neither ink can be read is darkened until white can', () => {
  const { fill, fillInk } = tonesOf('#e91e63', 'light');
  expect(fillInk).toBe(WHITE);
  expect(contrast(fill, WHITE)).toBeGreaterThanOrEqual(4.5);
  expectNear(tonesOf('#e91e63', 'light').text, '#ca0251');
});

it('a grey has no hue to keep: words are in the ordinary ink', () => {
  for (const grey of ['#000000', '#ffffff', '#808080']) {
    expect(tonesOf(grey, 'light').text).toBe(GROUNDS.light.ink);
    expect(tonesOf(grey, 'dark').text).toBe(GROUNDS.dark.ink);
  }
});

/** `--rail-ink` of each color scheme, from tokens.css. */
const RAIL_INK = { light: '#d3e0ee', dark: '#a9bdd2' } as const;

it('whatever colour is chosen, everything can be read', () => {
  const seeds = fc.integer({ min: 0, max: 0xffffff }).map(value => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(seeds, fc.constantFrom<Scheme>('light', 'dark'), (seed, scheme) => {
      const { surface, well } = GROUNDS[scheme];
      const tones = tonesOf(seed, scheme);
      const texts = [
        [tones.fillInk, tones.fill],
        [tones.fillInk, tones.fillHover],
        [tones.text, surface],
        [tones.text, well],
        [tones.text, tones.soft],
        [tones.textInk, tones.text],
        [RAIL_INK[scheme], railOf(seed, scheme)],
        [WHITE, railOnOf(railOf(seed, scheme))],
      ] as const;
      for (const [ink, ground] of texts) expect(contrast(ink, ground)).toBeGreaterThanOrEqual(4.5);
      const rail = railOf(seed, scheme);
      expect(contrast(tones.mark, surface)).toBeGreaterThanOrEqual(3);
      expect(contrast(markOnRail(seed, rail), rail)).toBeGreaterThanOrEqual(3);
    }),
    { numRuns: 300 },
  );
});

it('what is no colour is refused', () => {
  for (const wrong of ['', 'red', '#fff', '#12345g', 'url(x)'])
    expect(() => tonesOf(wrong, 'light')).toThrow(TypeError);
});
