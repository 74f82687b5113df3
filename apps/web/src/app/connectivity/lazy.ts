import { withTexts } from '../../base/chunks/with-texts.ts';

/** It comes right after the first screen: once the connection is lost, it could not. */
export const NoConnection = withTexts(() => import('./NoConnection.tsx'), {
  connectivity: () => import('../../locales/en-US/connectivity.json'),
});
