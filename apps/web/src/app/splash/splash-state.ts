import { create } from 'zustand';

/** The splash is shown at most this long [R2.20, R9.02]. */
export const SPLASH_MAX_MS = 6000;
/** The splash is shown at least this long, so that it doesn't flicker on a fast start. */
export const SPLASH_MIN_MS = 1000;

/**
 * The splash covers the app while it loads. It ends when the first page is ready, after six seconds at the latest, or
 * with a click or key press. Users who prefer reduced motion never see it [R2.19, R2.20].
 */
export const useSplash = create<{ readonly shown: boolean; readonly ready: boolean }>(() => ({
  shown: !matchMedia('(prefers-reduced-motion: reduce)').matches,
  ready: false,
}));

export const markReady = (): void => useSplash.setState({ ready: true });
export const endSplash = (): void => useSplash.setState({ shown: false });
