import { withTexts } from '../../base/chunks/with-texts.ts';

/** Loads right after the first screen: once the connection is lost, it couldn't load. */
export const NoConnection = withTexts(() => import('./NoConnection.tsx'), {
  connectivity: () => import('../../locales/en-US/connectivity.json'),
});
