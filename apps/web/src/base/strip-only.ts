import { create } from 'zustand';

/** Whether the page on the screen must stay in sight without a connection: only the strip says so then. */
export const useStripOnly = create<boolean>(() => false);

/** For such a page, as an effect. */
export function stripOnly(): () => void {
  useStripOnly.setState(true, true);
  return () => useStripOnly.setState(false, true);
}
