import { withTexts } from '../app/with-texts.ts';

/** Commands that wait for a second person; comes when there is one. */
export const Requests = withTexts(() => import('./decision/Requests.tsx'), {
  commands: () => import('../locales/en-US/commands.json'),
});
