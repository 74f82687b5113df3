import { withTexts } from '../app/with-texts.ts';

/** All commands to one vehicle, newest first. */
export const CommandHistory = withTexts(() => import('./history/History.tsx'), {
  commands: () => import('../locales/en-US/commands.json'),
});
