import type { BaseMap } from '@milepost/contract';
import type { StyleSpecification } from 'maplibre-gl';
import { offlineStyle } from '../style/offline-style.ts';
import { adoptStyle, tileStyle } from '../style/online-style.ts';
import { type Palette, readPalette } from '../style/palette.ts';
import { themeInk } from '../theme-ink.ts';
import { ownFileUrl } from './own-file.ts';

export const BUILT_IN: BaseMap = { kind: 'built-in' };

const paletteOfTheme = (): Palette => readPalette(themeInk());

export const builtInBase = (): StyleSpecification => offlineStyle(paletteOfTheme(), location.origin);

/** The chosen base map as a style for one color scheme. Rejects when the style can't be loaded. */
export async function baseStyle(map: BaseMap, scheme: 'light' | 'dark'): Promise<StyleSpecification> {
  switch (map.kind) {
    case 'built-in':
      return builtInBase();
    case 'file': {
      const file = { url: ownFileUrl(map), attribution: map.attribution };
      return offlineStyle(paletteOfTheme(), location.origin, file);
    }
    case 'tiles':
      return tileStyle(map.url, paletteOfTheme(), map.attribution);
    case 'style': {
      const url = scheme === 'dark' ? (map.darkUrl ?? map.url) : map.url;
      const response = await fetch(url);
      if (!response.ok) throw new Error(`${url} answered ${response.status}`);
      return adoptStyle((await response.json()) as StyleSpecification, url, map.attribution);
    }
  }
}
