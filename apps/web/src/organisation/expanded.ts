import { create } from 'zustand';
import { EXPANDED_KEY } from '../base/session/storage.ts';

/**
 * Which groups are expanded, stored between visits [R3.04, R3.09]. Keys are folder IDs, and department IDs with a
 * prefix.
 */
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

/** Expands or collapses groups. */
export function setExpanded(keys: readonly string[], open: boolean): void {
  const next = { ...useExpandState.getState().open, ...Object.fromEntries(keys.map(key => [key, open])) };
  localStorage.setItem(EXPANDED_KEY, JSON.stringify(next));
  useExpandState.setState({ open: next });
}

/** Call when the session ends. The stored data has been removed by then. */
export function forgetExpanded(): void {
  useExpandState.setState({ open: {} });
}
