import { create } from 'zustand';

/** True if the current page must stay visible without a connection. Then only the connection strip reports the loss. */
export const useStripOnly = create<boolean>(() => false);

/** An effect for such a page: sets this while the page is mounted. */
export function stripOnly(): () => void {
  useStripOnly.setState(true, true);
  return () => useStripOnly.setState(false, true);
}
