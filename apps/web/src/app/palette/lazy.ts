import { withTexts } from '../with-texts.ts';

/** Comes when somebody first searches; the command's names and the words of filters are searched, too. */
export const PaletteHost = withTexts(() => import('./PaletteHost.tsx'), {
  commands: () => import('../../locales/en-US/commands.json'),
  palette: () => import('../../locales/en-US/palette.json'),
  settings: () => import('../../locales/en-US/settings.json'),
  searchTokens: () => import('../../locales/en-US/search-tokens.json'),
});
