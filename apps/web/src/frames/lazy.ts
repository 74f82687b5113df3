import { withTexts } from '../base/chunks/with-texts.ts';

/** Loads when the first frame is opened. */
export const FrameView = withTexts(() => import('./FrameView.tsx'), {
  frames: () => import('../locales/en-US/frames.json'),
});
