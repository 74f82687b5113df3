import { create } from 'zustand';
import { type Typed, typedInto } from './early-keys.ts';

interface PaletteState {
  readonly open: boolean;
  /** What the user typed while the search was still loading. */
  readonly early: string;
}

/** Whether the search is open. Its code loads when it first opens. */
export const usePalette = create<PaletteState>(() => ({ open: false, early: '' }));

export function openPalette(): void {
  if (usePalette.getState().open) return;
  usePalette.setState({ open: true, early: '' });
  window.addEventListener('keydown', keepEarlyKey, { capture: true });
}

export function closePalette(): void {
  stopKeeping();
  usePalette.setState({ open: false, early: '' });
}

/** Call when the search has loaded and handles keys itself. Returns what was typed so far. */
export function takeEarlyKeys(): string {
  stopKeeping();
  return usePalette.getState().early;
}

const stopKeeping = (): void => window.removeEventListener('keydown', keepEarlyKey, { capture: true });

/** While the search loads, collects typed keys for it, so that they don't reach the page underneath. */
function keepEarlyKey(event: KeyboardEvent): void {
  const typed: Typed | null = typedInto(usePalette.getState().early, event);
  if (typed === null) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (typed === 'close') closePalette();
  else usePalette.setState({ early: typed.text });
}
