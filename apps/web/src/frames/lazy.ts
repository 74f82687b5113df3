import { withTexts } from '../app/with-texts.ts';

/** It comes when someone first opens a frame. */
export const FrameView = withTexts(() => import('./FrameView.tsx'), {
  frames: () => import('../locales/en-US/frames.json'),
});
