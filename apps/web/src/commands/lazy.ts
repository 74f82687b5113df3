import { withTexts } from '../base/chunks/with-texts.ts';

const texts = { commands: () => import('@milepost/contract/texts/en-US/commands.json') };

/** Sends commands to vehicles and shows their results. */
export const CommandDialog = withTexts(() => import('./dialog/Dialog.tsx'), texts);

/** All commands to one vehicle, newest first. */
export const CommandHistory = withTexts(() => import('./history/History.tsx'), texts);

/** Commands that wait for a second person. Loads when there are any. */
export const Requests = withTexts(() => import('./decision/Requests.tsx'), texts);
