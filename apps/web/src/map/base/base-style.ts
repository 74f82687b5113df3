import type { StyleSpecification } from 'maplibre-gl';
import { offlineStyle } from '../style/offline-style.ts';
import { adoptStyle, tileStyle } from '../style/online-style.ts';
import { type Palette, readPalette } from '../style/palette.ts';
import { themeInk } from '../theme-ink.ts';

/** Which base map this installation wants, from the client settings. */
export interface BaseMapSettings {
  readonly styleUrl: string | null;
  readonly tileUrl: string | null;
}

const paletteOfTheme = (): Palette => readPalette(themeInk());

export const offlineBase = (): StyleSpecification => offlineStyle(paletteOfTheme(), location.origin);

export const isOnline = ({ styleUrl, tileUrl }: BaseMapSettings): boolean => styleUrl !== null || tileUrl !== null;

/** The configured style or tiles; fails when the style cannot be had. */
export async function onlineBase({ styleUrl, tileUrl }: BaseMapSettings): Promise<StyleSpecification> {
  if (styleUrl === null) return tileUrl === null ? offlineBase() : tileStyle(tileUrl, paletteOfTheme());
  const response = await fetch(styleUrl);
  if (!response.ok) throw new Error(`${styleUrl} answered ${response.status}`);
  return adoptStyle((await response.json()) as StyleSpecification);
}
