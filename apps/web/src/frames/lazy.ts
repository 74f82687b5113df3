import { withTexts } from '../base/chunks/with-texts.ts';

export const FrameView = withTexts(() => import('./FrameView.tsx'), {
  frames: () => import('../locales/en-US/frames.json'),
});
