import { withTexts } from '../../base/chunks/with-texts.ts';

/** Loads at the first search. Its texts include command names and filter words, which are searched too. */
export const PaletteHost = withTexts(() => import('./PaletteHost.tsx'), {
  commands: () => import('@milepost/contract/texts/en-US/commands.json'),
  palette: () => import('../../locales/en-US/palette.json'),
  settings: () => import('../../locales/en-US/settings.json'),
  searchTokens: () => import('../../locales/en-US/search-tokens.json'),
});
