import { withTexts } from '../app/with-texts.ts';

/** Sends commands to vehicles and tells what becomes of them; comes when someone first opens it. */
export const CommandDialog = withTexts(() => import('./dialog/Dialog.tsx'), {
  commands: () => import('../locales/en-US/commands.json'),
});
