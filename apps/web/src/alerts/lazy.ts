import { withTexts } from '../base/chunks/with-texts.ts';

/** Loads after the page that contains it. */
export const AlertRail = withTexts(() => import('./AlertRail.tsx'), {
  alerts: () => import('@milepost/contract/texts/en-US/alerts.json'),
});
