import { withTexts } from '../../base/chunks/with-texts.ts';

export const FreshnessStatus = withTexts(() => import('./FreshnessStatus.tsx'), {
  freshness: () => import('../../locales/en-US/freshness.json'),
});
