import { withTexts } from '../base/chunks/with-texts.ts';

/** Comes after the page that places it. */
export const AlertRail = withTexts(() => import('./AlertRail.tsx'), {
  alerts: () => import('../locales/en-US/alerts.json'),
});
