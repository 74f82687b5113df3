import { withTexts } from '../base/chunks/with-texts.ts';

/** Creates and ends share links. */
export const ShareDialog = withTexts(() => import('./dialog/Dialog.tsx'), {
  sharing: () => import('../locales/en-US/sharing.json'),
});
