import { withTexts } from '../../base/chunks/with-texts.ts';

/** Loads only when a search has more than plain words. */
export const UnknownValues = withTexts(() => import('./UnknownValues.tsx'), {
  searchTokens: () => import('../../locales/en-US/search-tokens.json'),
});

/** Whether some of what was typed is, or was meant as, a filter. */
export const hasFilters = ({
  tokens,
  words,
}: {
  readonly tokens: readonly unknown[];
  readonly words: readonly string[];
}) => tokens.length > 0 || words.some(word => /[:<>]/.test(word));
