import { withTexts } from '../../app/with-texts.ts';

/** Comes after the page: nobody waits for it. */
export const FreshnessStatus = withTexts(() => import('./FreshnessStatus.tsx'), {
  freshness: () => import('../../locales/en-US/freshness.json'),
});
