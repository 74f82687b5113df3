import cyrillicItalic from '@fontsource/overpass/files/overpass-cyrillic-400-italic.woff2?url';
import cyrillicRegular from '@fontsource/overpass/files/overpass-cyrillic-400-normal.woff2?url';
import cyrillicSemibold from '@fontsource/overpass/files/overpass-cyrillic-600-normal.woff2?url';
import latinItalic from '@fontsource/overpass/files/overpass-latin-400-italic.woff2?url';
import latinRegular from '@fontsource/overpass/files/overpass-latin-400-normal.woff2?url';
import latinSemibold from '@fontsource/overpass/files/overpass-latin-600-normal.woff2?url';
import latinBold from '@fontsource/overpass/files/overpass-latin-700-normal.woff2?url';
import latinExtItalic from '@fontsource/overpass/files/overpass-latin-ext-400-italic.woff2?url';
import latinExtRegular from '@fontsource/overpass/files/overpass-latin-ext-400-normal.woff2?url';
import latinExtSemibold from '@fontsource/overpass/files/overpass-latin-ext-600-normal.woff2?url';
import ranges from '@fontsource/overpass/unicode.json';
import type { FontFacesSpecification } from 'maplibre-gl';

/** Names for `text-font`. The device's own sans-serif draws every script that isn't listed below. */
export const FONT = {
  regular: ['Overpass Regular'],
  italic: ['Overpass Italic'],
  semibold: ['Overpass SemiBold'],
  bold: ['Overpass Bold'],
};

const face = (url: string, subset: keyof typeof ranges) => ({ url, 'unicode-range': ranges[subset].split(',') });

/**
 * The label fonts are our own files, so every device shows the same map and doesn't contact a glyph server. The map
 * draws a file only in its own weight, so it can't use the page's variable font.
 */
export const FONT_FACES: FontFacesSpecification = {
  'Overpass Regular': [
    face(latinRegular, 'latin'),
    face(latinExtRegular, 'latin-ext'),
    face(cyrillicRegular, 'cyrillic'),
  ],
  'Overpass Italic': [face(latinItalic, 'latin'), face(latinExtItalic, 'latin-ext'), face(cyrillicItalic, 'cyrillic')],
  'Overpass SemiBold': [
    face(latinSemibold, 'latin'),
    face(latinExtSemibold, 'latin-ext'),
    face(cyrillicSemibold, 'cyrillic'),
  ],
  'Overpass Bold': [face(latinBold, 'latin')],
};
