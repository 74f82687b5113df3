import { create } from 'zustand';
import { type Typed, typedInto } from './early-keys.ts';

interface PaletteState {
  readonly open: boolean;
  /** What was typed between asking for the search and its being there. */
  readonly early: string;
}

/** Whether the search is open; it is loaded when it is for the first time. */
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

/** The search is loaded and handles keys itself: returns what was typed so far. */
export function takeEarlyKeys(): string {
  stopKeeping();
  return usePalette.getState().early;
}

const stopKeeping = (): void => window.removeEventListener('keydown', keepEarlyKey, { capture: true });

/** Until the search is loaded, keys go to it and not to the page behind. */
function keepEarlyKey(event: KeyboardEvent): void {
  const typed: Typed | null = typedInto(usePalette.getState().early, event);
  if (typed === null) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (typed === 'close') closePalette();
  else usePalette.setState({ early: typed.text });
}
