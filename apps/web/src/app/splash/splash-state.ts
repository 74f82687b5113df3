import { create } from 'zustand';

/** Longest time that the splash stays [R2.20, R9.02]. */
export const SPLASH_MAX_MS = 6000;
/** Shortest time, so that on a fast start it is seen as a picture and not as a flicker. */
export const SPLASH_MIN_MS = 1000;

/**
 * The splash stands over the app while that loads beneath. It goes when the first page stands, at the latest after six
 * seconds; a click or a key ends it at once, and anyone who asked for less motion never sees it [R2.19, R2.20].
 */
export const useSplash = create<{ readonly shown: boolean; readonly ready: boolean }>(() => ({
  shown: !matchMedia('(prefers-reduced-motion: reduce)').matches,
  ready: false,
}));

export const markReady = (): void => useSplash.setState({ ready: true });
export const endSplash = (): void => useSplash.setState({ shown: false });
