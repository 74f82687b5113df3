import { withTexts } from '../../base/chunks/with-texts.ts';

/** Loads at the first search; also searches command names and filter words. */
export const PaletteHost = withTexts(() => import('./PaletteHost.tsx'), {
  commands: () => import('../../locales/en-US/commands.json'),
  palette: () => import('../../locales/en-US/palette.json'),
  settings: () => import('../../locales/en-US/settings.json'),
  searchTokens: () => import('../../locales/en-US/search-tokens.json'),
});
