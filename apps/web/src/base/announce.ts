import { create } from 'zustand';

export interface Announcement {
  readonly id: number;
  readonly text: string;
}

/** At most this many announcements are kept, since a screen reader may still be reading them. */
const MOST_KEPT = 5;

/**
 * Texts of the only polite live region: connection lost and restored, a new critical alert, a command's outcome. Never
 * positions.
 */
export const useAnnouncements = create<readonly Announcement[]>(() => []);

/** Adds an announcement after the earlier ones. If the same sentence is added again, it is read again. */
export function announce(text: string): void {
  const said = useAnnouncements.getState();
  useAnnouncements.setState([...said, { id: (said.at(-1)?.id ?? 0) + 1, text }].slice(-MOST_KEPT), true);
}

/** Clears the announcements, so that the next user doesn't hear the previous user's. */
export const forgetAnnouncements = (): void => useAnnouncements.setState([], true);
