import { withTexts } from '../app/with-texts.ts';

/** Makes links that show vehicles to whoever has them, and ends those that are there; comes when first opened. */
export const ShareDialog = withTexts(() => import('./dialog/Dialog.tsx'), {
  sharing: () => import('../locales/en-US/sharing.json'),
});
