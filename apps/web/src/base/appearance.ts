import { create } from 'zustand';
import { useMedia } from './use-media.ts';

/** The localStorage key of the dark-mode flag [R3.09]; `public/appearance.js` reads it before the first paint. */
export const MODE_STATUS_KEY = 'mode-status';

export const APPEARANCES = ['auto', 'light', 'dark'] as const;
export type Appearance = (typeof APPEARANCES)[number];

const DARK_SYSTEM = '(prefers-color-scheme: dark)';

/** 1 means dark, any other value means light, and no value means that the page follows the system [R4.18]. */
export function readModeStatus(stored: string | null): Appearance {
  if (stored === null) return 'auto';
  return stored === '1' ? 'dark' : 'light';
}

/** The value to store for a choice; null for automatic, which stores nothing. */
export function modeStatusOf(appearance: Appearance): string | null {
  if (appearance === 'auto') return null;
  return appearance === 'dark' ? '1' : '0';
}

/** What the user chose. */
export const useAppearance = create<{ readonly appearance: Appearance }>(() => ({ appearance: 'auto' }));

export function setAppearance(appearance: Appearance): void {
  const stored = modeStatusOf(appearance);
  if (stored === null) localStorage.removeItem(MODE_STATUS_KEY);
  else localStorage.setItem(MODE_STATUS_KEY, stored);
  useAppearance.setState({ appearance });
}

/** The appearance now in use: the user's choice or, on automatic, the system's. */
export function useColorScheme(): 'light' | 'dark' {
  const appearance = useAppearance(state => state.appearance);
  const darkSystem = useMedia(DARK_SYSTEM);
  return colorSchemeOf(appearance, darkSystem);
}

export function colorSchemeOf(appearance: Appearance, darkSystem: boolean): 'light' | 'dark' {
  if (appearance === 'auto') return darkSystem ? 'dark' : 'light';
  return appearance;
}

/** Applies the color scheme whenever the user, the system or another tab changes it. */
export function startAppearance(): void {
  const system = matchMedia(DARK_SYSTEM);
  const show = () => {
    const scheme = colorSchemeOf(useAppearance.getState().appearance, system.matches);
    document.documentElement.dataset.colorScheme = scheme;
  };
  const read = () => useAppearance.setState({ appearance: readModeStatus(localStorage.getItem(MODE_STATUS_KEY)) });
  useAppearance.subscribe(show);
  system.addEventListener('change', show);
  window.addEventListener('storage', event => {
    if (event.key === MODE_STATUS_KEY || event.key === null) read();
  });
  read();
}
