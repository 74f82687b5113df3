import { create } from 'zustand';
import { useMedia } from './use-media.ts';

/** Where the dark-mode flag lives [R3.09]; `public/appearance.js` reads the same key before the first paint. */
export const MODE_STATUS_KEY = 'mode-status';

export const APPEARANCES = ['auto', 'light', 'dark'] as const;
export type Appearance = (typeof APPEARANCES)[number];

const DARK_SYSTEM = '(prefers-color-scheme: dark)';

/** Stored 1 is dark, any other value is light, and nothing stored follows the system [R4.18]. */
export function readModeStatus(stored: string | null): Appearance {
  if (stored === null) return 'auto';
  return stored === '1' ? 'dark' : 'light';
}

/** What is stored for a choice; automatic is the absence of one. */
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

/** The appearance in use: the user's choice, or the system's. */
export function useColorScheme(): 'light' | 'dark' {
  const appearance = useAppearance(state => state.appearance);
  const darkSystem = useMedia(DARK_SYSTEM);
  return colorSchemeOf(appearance, darkSystem);
}

export function colorSchemeOf(appearance: Appearance, darkSystem: boolean): 'light' | 'dark' {
  if (appearance === 'auto') return darkSystem ? 'dark' : 'light';
  return appearance;
}

/** Keeps the page in the chosen scheme, whether it is changed by the user, the system or another tab. */
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
