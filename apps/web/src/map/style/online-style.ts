import type { StyleSpecification } from 'maplibre-gl';
import { FONT_FACES } from './fonts.ts';
import type { Palette } from './palette.ts';
import { withSlots } from './slots.ts';

/** Raster tiles of the installation's choice as a style. */
export function tileStyle(tileUrl: string, palette: Palette): StyleSpecification {
  return withSlots({
    version: 8,
    'font-faces': FONT_FACES,
    sources: { tiles: { type: 'raster', tiles: subdomains(tileUrl), tileSize: 256, maxzoom: 19 } },
    layers: [
      { id: 'ground', type: 'background', paint: { 'background-color': palette.land } },
      { id: 'tiles', type: 'raster', source: 'tiles' },
    ],
  });
}

/** A style from elsewhere, made ready for our layers: their fonts and their places. */
export function adoptStyle(style: StyleSpecification): StyleSpecification {
  return withSlots({ ...style, 'font-faces': { ...style['font-faces'], ...FONT_FACES } });
}

/** `{s}` is the usual way to write several hosts of one tile server. */
const subdomains = (url: string): string[] =>
  url.includes('{s}') ? ['a', 'b', 'c'].map(host => url.replaceAll('{s}', host)) : [url];
