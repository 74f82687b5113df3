import type { ExpressionSpecification } from 'maplibre-gl';

/** The base map's colors, the theme's `--m-*` tokens. They are muted so that markers always stand out. */
export const MAP_TOKENS = [
  'land',
  'wood',
  'urban',
  'water',
  'water-ink',
  'road',
  'case',
  'road2',
  'case2',
  'road3',
  'admin',
  'label',
  'halo',
  'shield',
] as const;
type MapToken = (typeof MAP_TOKENS)[number];

export type Palette = Readonly<Record<MapToken, string>>;

/** `read` returns the value of a custom property such as `--m-land` in the current color scheme. */
export function readPalette(read: (property: string) => string): Palette {
  return Object.fromEntries(MAP_TOKENS.map(token => [token, read(`--m-${token}`).trim()])) as Palette;
}

/** Number of edge bands in `data/map/cities.pmtiles`. Band 0 is at the very edge of a patch. */
const EDGE_BANDS = 8;

/** A color that fades into the land at the edge of a street patch, so that the patch doesn't end in a straight line. */
export const faded = (palette: Palette, token: MapToken): ExpressionSpecification => [
  'case',
  ['has', 'edge'],
  ['interpolate', ['linear'], ['get', 'edge'], 0, palette.land, EDGE_BANDS, palette[token]],
  palette[token],
];
