import { create } from 'zustand';

export interface Announcement {
  readonly id: number;
  readonly text: string;
}

/** What a screen reader may still be reading. */
const MOST_KEPT = 5;

/** The one polite live region: connection lost and back, a new critical alert, a command's outcome. Never positions. */
export const useAnnouncements = create<readonly Announcement[]>(() => []);

/** Announced after earlier announcements; a repeated sentence is read twice. */
export function announce(text: string): void {
  const said = useAnnouncements.getState();
  useAnnouncements.setState([...said, { id: (said.at(-1)?.id ?? 0) + 1, text }].slice(-MOST_KEPT), true);
}

/** What was said to one user is nothing for the next. */
export const forgetAnnouncements = (): void => useAnnouncements.setState([], true);
