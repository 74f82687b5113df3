import type { StyleSpecification } from 'maplibre-gl';
import { FONT_FACES } from './fonts.ts';
import type { Palette } from './palette.ts';
import { withSlots } from './slots.ts';

/** The raster tiles that the installation chose, as a style. */
export function tileStyle(tileUrl: string, palette: Palette, attribution: string | null = null): StyleSpecification {
  return withSlots({
    version: 8,
    'font-faces': FONT_FACES,
    sources: {
      tiles: {
        type: 'raster',
        tiles: subdomains(tileUrl),
        tileSize: 256,
        maxzoom: 19,
        ...(attribution === null ? {} : { attribution }),
      },
    },
    layers: [
      { id: 'ground', type: 'background', paint: { 'background-color': palette.land } },
      { id: 'tiles', type: 'raster', source: 'tiles' },
    ],
  });
}

/**
 * Prepares a style from another server for our layers: adds our fonts and slots. Resolves relative URLs against the
 * style's own URL. The installation's attribution goes to the first source.
 */
export function adoptStyle(
  style: StyleSpecification,
  url: string,
  attribution: string | null = null,
): StyleSpecification {
  const sources = Object.entries(style.sources).map(([id, source], i) => {
    const adopted = { ...source };
    if ('url' in adopted && adopted.url && !adopted.url.includes('://')) adopted.url = new URL(adopted.url, url).href;
    if (i === 0 && attribution !== null && adopted.type !== 'video' && adopted.type !== 'image') {
      Object.assign(adopted, { attribution });
    }
    return [id, adopted];
  });
  return withSlots({
    ...style,
    sources: Object.fromEntries(sources),
    'font-faces': { ...style['font-faces'], ...FONT_FACES },
  });
}

/** `{s}` is the usual placeholder for several hosts of one tile server. */
const subdomains = (url: string): string[] =>
  url.includes('{s}') ? ['a', 'b', 'c'].map(host => url.replaceAll('{s}', host)) : [url];
