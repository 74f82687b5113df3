import { create } from 'zustand';
import { EXPANDED_KEY } from '../base/session/storage.ts';

/** Which folders are open, kept by folder between visits [R3.04, R3.09]: folders by their id alone, departments with a prefix. */
type ExpandState = Readonly<Record<string, boolean>>;
export const EXPANDED_PREFIX = { folder: '', department: 'department:' } as const;

function read(): ExpandState {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(EXPANDED_KEY) ?? '');
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(Object.entries(stored).filter(([, open]) => typeof open === 'boolean'));
  } catch {
    return {};
  }
}

export const useExpandState = create<{ readonly open: ExpandState }>(() => ({ open: read() }));

/** Opens or closes. */
export function setExpanded(keys: readonly string[], open: boolean): void {
  const next = { ...useExpandState.getState().open, ...Object.fromEntries(keys.map(key => [key, open])) };
  localStorage.setItem(EXPANDED_KEY, JSON.stringify(next));
  useExpandState.setState({ open: next });
}

/** The session's end has taken what was stored. */
export function forgetExpanded(): void {
  useExpandState.setState({ open: {} });
}
