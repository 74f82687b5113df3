import { readFileSync } from 'node:fs';
import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, it } from 'vitest';
import { offlineStyle } from './offline-style.ts';
import { adoptStyle, tileStyle } from './online-style.ts';
import { MAP_TOKENS, type Palette, readPalette } from './palette.ts';
import { SLOTS } from './slots.ts';

const css = readFileSync(new URL('../../base/theme/tokens.css', import.meta.url), 'utf8');

function paletteOf(scheme: 'light' | 'dark'): Palette {
  const darkAt = css.indexOf('"dark"');
  const block = scheme === 'light' ? css.slice(0, darkAt) : css.slice(darkAt);
  return readPalette(property => new RegExp(`${property}:\\s*([^;]+);`).exec(block)?.[1] ?? '');
}

describe.each(['light', 'dark'] as const)('base map, %s', scheme => {
  const palette = paletteOf(scheme);
  const styles = {
    offline: offlineStyle(palette, 'http://localhost:8080'),
    file: offlineStyle(palette, 'http://localhost:8080', { url: 'pmtiles://streets', attribution: '© OpenStreetMap' }),
    tiles: tileStyle('https://{s}.tiles.example/{z}/{x}/{y}.png', palette),
  };

  it('finds every map token in the theme', () => {
    for (const token of MAP_TOKENS) expect(palette[token], token).toMatch(/^#[0-9a-f]{6}$/);
  });

  it.each(Object.entries(styles))('%s is a valid style', (_name, style) => {
    expect(validateStyleMin(style)).toEqual([]);
  });

  it('asks nothing of another host', () => {
    const hosts = JSON.stringify(styles.offline).match(/https?:\/\/[^/"]+/g) ?? [];
    expect(new Set(hosts)).toEqual(new Set(['http://localhost:8080']));
  });

  it('puts trails over a ground in place of the base map and under all labels, vehicles above them', () => {
    const ids = styles.offline.layers.map(({ id }) => id);
    const firstLabel = styles.offline.layers.findIndex(({ type }) => type === 'symbol');
    expect(ids.slice(firstLabel - 2, firstLabel)).toEqual([SLOTS.ground, SLOTS.trails]);
    expect(ids.at(-1)).toBe(SLOTS.vehicles);
  });

  it('has land under everything, so that nothing is ever open water while its tiles load', () => {
    for (const style of Object.values(styles)) {
      expect(style.layers[0]).toMatchObject({ type: 'background', paint: { 'background-color': palette.land } });
      const covering = style.layers.filter(
        ({ layout, type }) => type === 'background' && layout?.visibility !== 'none',
      );
      expect(covering).toHaveLength(1);
    }
  });

  it('names places at every zoom, down to the closest', () => {
    for (let zoom = 2; zoom <= 18; zoom++) {
      const names = styles.offline.layers.filter(
        ({ id, minzoom = 0, maxzoom = 24 }) =>
          /^label-(country|region|locality|village)$/.test(id) && zoom >= minzoom && zoom < maxzoom,
      );
      expect(names.length, `zoom ${zoom}`).toBeGreaterThan(0);
    }
    const village = styles.offline.layers.find(({ id }) => id === 'label-village');
    expect(village).toMatchObject({ source: 'towns', minzoom: 8.5 });
  });

  it('lets roads fade into the land where the streets of a patch end', () => {
    const roads = styles.offline.layers.filter(layer => 'source-layer' in layer && layer['source-layer'] === 'roads');
    for (const { id, type, paint } of roads) {
      if (type === 'line') expect(JSON.stringify(paint), id).toContain('"edge"');
    }
  });

  it('stays near grey, waters aside, so that a marker is the strongest thing on it', () => {
    for (const token of MAP_TOKENS.filter(one => !one.startsWith('water') && one !== 'shield')) {
      const [red, green, blue] = [1, 3, 5].map(at => Number.parseInt(palette[token].slice(at, at + 2), 16) / 255) as [
        number,
        number,
        number,
      ];
      expect(Math.max(red, green, blue) - Math.min(red, green, blue), token).toBeLessThan(0.17);
    }
  });
});

it('takes over a foreign style once, however often it is loaded', () => {
  const foreign = tileStyle('https://tiles.example/{z}/{x}/{y}.png', paletteOf('light'));
  const url = 'https://maps.example/style.json';
  const adopted = adoptStyle(adoptStyle(foreign, url, '© Example'), url, '© Example');
  expect(adopted.layers.filter(({ id }) => id === SLOTS.vehicles)).toHaveLength(1);
  expect(validateStyleMin(adopted)).toEqual([]);
  expect(adopted.sources.tiles).toMatchObject({ attribution: '© Example' });
});
