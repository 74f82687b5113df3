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
