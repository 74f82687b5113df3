import type { ExpressionSpecification } from 'maplibre-gl';

/** The base map's colours: the `--m-*` tokens of the theme, muted so that a marker is always the strongest thing. */
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

/** `read` gives the value of a custom property, `--m-land` and so on, in the colour scheme of the moment. */
export function readPalette(read: (property: string) => string): Palette {
  return Object.fromEntries(MAP_TOKENS.map(token => [token, read(`--m-${token}`).trim()])) as Palette;
}

/** Bands of a patch's edge in `data/map/cities.pmtiles`: `edge` is 0 at the edge itself. */
const EDGE_BANDS = 8;

/** A colour that fades into the land at the edge of a patch of streets, so that it does not end in a straight cut. */
export const faded = (palette: Palette, token: MapToken): ExpressionSpecification => [
  'case',
  ['has', 'edge'],
  ['interpolate', ['linear'], ['get', 'edge'], 0, palette.land, EDGE_BANDS, palette[token]],
  palette[token],
];
