import { create } from 'zustand';

/** The one polite live region: connection lost and back, a new critical alert, a command's outcome. Never positions. */
export const useAnnouncement = create<{ readonly text: string; readonly count: number }>(() => ({
  text: '',
  count: 0,
}));

export function announce(text: string): void {
  useAnnouncement.setState(before => ({ text, count: before.count + 1 }));
}
