import { withTexts } from '../app/with-texts.ts';

/** Comes after the page that places it. */
export const AlertRail = withTexts(() => import('./AlertRail.tsx'), {
  alerts: () => import('../locales/en-US/alerts.json'),
});
